/* The form of "What versions changed": a reader pastes code and chooses two releases of torch, and gets a list of what differs between
   them for the names in it. The code stays in the page: `names.js` reads it, `between.js` looks its names up in data that are the same
   for everybody. */
(() => {
  "use strict";
  const { element } = self.verbatim;
  const { names, between } = self.verbatimUpgrade;
  const search = self.verbatimSearch;
  /* So much code is read, some ten thousand lines: more would hold up the page. */
  const MAX_CODE_CHARACTERS = 400_000;
  /* So many lines of code, or names, are listed in a sentence, which stays short. */
  const MAX_LISTED = 8;
  /* Who types rests so long before the code is read again. */
  const TYPING_MS = 150;

  for (const about of document.querySelectorAll("p.upgrade")) {
    const words = JSON.parse(about.dataset.words);
    const releases = about.dataset.torch.split(" ");
    const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
    const listed = (some) => some.slice(0, MAX_LISTED).join(words.comma) + (some.length > MAX_LISTED ? "…" : "");

    const code = element("textarea", { rows: 8, spellcheck: false, autocomplete: "off", wrap: "off", placeholder: "import torch" });
    code.setAttribute("autocapitalize", "off");
    const choice = (value) => {
      const select = element("select", { autocomplete: "off" }, ...releases.map((release) => new Option(release)));
      select.value = value;
      return select;
    };
    const from = choice(releases[0]);
    const to = choice(about.dataset.built);
    const said = element("p", {});
    const found = element("div", {});
    said.setAttribute("role", "status");
    const label = (text, field) => element("label", {}, `${text} `, field);
    about.after(element("div", { className: "upgrade-form" }, label(words.code, code), element("p", {}, label(words.from, from), " ", label(words.to, to)), said, found));

    /* One change: what it is, where in the code, the page, the lines that differ. */
    function told({ kind, names: about, uses, address, titles, lines, more, places }, data) {
      const head = element("p", {}, element("strong", {}, words[kind]), " ");
      about.forEach((name, i) => head.append(i ? words.comma : "", element("code", {}, name)));
      head.append(` · ${filled(words.line, { lines: listed(uses) })}`);
      const parts = [head];
      if (address) {
        const link = element("a", { href: new URL(address, search.root) }, titles.replace("\n", " › "));
        parts.push(element("p", {}, link, ...(places > 1 ? [` ${filled(words.places, { count: places - 1 })}`] : [])));
      }
      const shown = lines.slice(0, data.most);
      const rest = more + lines.length - shown.length;
      const marked = shown.flatMap((line) => [element("span", { className: { "-": "gd", "+": "gi" }[line[0]] ?? "" }, line), "\n"]);
      if (rest) marked.push(filled(words.more, { count: rest }));
      if (shown.length) parts.push(element("div", { className: "language-diff highlight" }, element("pre", { tabIndex: 0 }, element("code", {}, ...marked))));
      return element("section", {}, ...parts);
    }

    function show(data) {
      const { used, unknown } = names(code.value.slice(0, MAX_CODE_CHARACTERS), new Set(Object.keys(data.names)), data.moved);
      const changes = between(data, from.value, to.value, used);
      const breaks = changes.filter(({ kind }) => data.breaks.includes(kind)).length;
      said.textContent = filled(words.summary, { names: used.size, changes: changes.length, breaks });
      found.replaceChildren(...changes.map((change) => told(change, data)));
      if (unknown.size) found.append(element("p", {}, filled(words.unknown, { count: unknown.size, names: listed([...unknown].sort()) })));
      found.append(element("p", { className: "limits" }, words.limits.replaceAll("`", "")));
    }

    async function look() {
      /* The older one is chosen first. */
      const first = releases.indexOf(from.value);
      [...to.options].forEach((option, i) => (option.disabled = i <= first));
      if (releases.indexOf(to.value) <= first) to.value = releases[Math.min(first + 1, releases.length - 1)];
      if (!code.value.trim()) {
        said.textContent = "";
        found.replaceChildren();
        return;
      }
      try {
        await search.load(`../changes/${search.language}/data.js`);
      } catch {
        said.textContent = words.broken;
        return;
      }
      show(self.verbatimUpgrade.data);
    }
    let waiting;
    code.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(look, TYPING_MS);
    });
    from.addEventListener("change", look);
    to.addEventListener("change", look);
    from.querySelector("option:last-child").disabled = true;
  }
})();
