/* The card beside what is pointed at, reached with the keyboard, or tapped. Of a name of PyTorch, in code or in a link to where it is
   documented, it shows the signature and a summary; of a term the other language's word, and the page that explains it; of a link to
   another page of the book the title there and the first sentence below it. `page.js` loads this script with the first of these and
   hands the event over. Three parts: which name or link an event is about, what is known of it, and the card. */
(() => {
  "use strict";
  const { element, load } = self.verbatim;
  const WORDS = {
    zh: { documentation: "PyTorch 文档", list: "用到它的页面" },
    en: { documentation: "PyTorch's documentation", list: "Pages that use it" },
  };
  /* The pointer rests so long before a card comes: who only passes sees none. So long, too, may it take from the name to its card. */
  const DELAY_MS = 300;
  /* Between a card and the edges of the window, and between it and its name. */
  const EDGE_PX = 8;
  const GAP_PX = 4;
  const { lang } = document.documentElement;
  const words = WORDS[lang] ?? WORDS.en;
  const here = document.currentScript.src;
  /* A file beside this one, of the same build. */
  const beside = (name) => new URL(name + new URL(here).search, here);

  /* -- What is known. `data("names")`: name → [signature, summary], and names as addresses spell them → names. `data(lang)`: term → [the other
        language's word, the title of the page that explains it]. */
  const arrived = {};
  const data = (kind) =>
    load(beside(`hover-${kind}.js`)).then(() => arrived[kind], () => (kind === "names" ? [{}, {}] : {}));

  /* -- What a page says of itself: of pages that `page.js` has fetched ahead, so that a card costs no request. None is, where a reader
        saves data or reads from a folder. */
  const pages = new Map();
  const ahead = (address) => [...document.querySelectorAll("link[rel=prefetch]")].some(({ href }) => href === address);
  async function page({ href }) {
    const [address] = href.split("#");
    if (!ahead(address)) return undefined;
    if (!pages.has(address)) {
      const asked = fetch(address).then(async (answer) => (answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : undefined));
      pages.set(address, asked.catch(() => undefined));
    }
    return pages.get(address);
  }

  /* The text of a part of a page, without the links to its headings, code in backticks. */
  function textOf(part) {
    const copy = part.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach((link) => link.remove());
    copy.querySelectorAll("code").forEach((code) => code.replaceWith(`\`${code.textContent}\``));
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  const firstSentence = (text) => /^.*?[.!?](?=\s|$)|^.*?[。！？]/.exec(text)?.[0] ?? text;
  const coded = (text) => text.split("`").map((piece, i) => (i % 2 ? element("code", {}, piece) : piece));

  /* The text of the first paragraph below a heading, before the next one; none that is a formula in part, or a line of tools. */
  function opening(heading) {
    for (let part = heading.nextElementSibling; part && !/^H[1-6]$/.test(part.tagName); part = part.nextElementSibling)
      if (part.matches("p:not([class])") && !part.querySelector("math, svg, img") && part.textContent.trim()) return textOf(part);
    return "";
  }

  /* -- Which name is meant. */

  /**
   * The name that an address documents, in PyTorch's documentation or in the list of names.
   * @param {string} address
   * @returns {string | undefined}
   */
  const documented = (address) => /(?:#|\/generated\/)(torch\.[\w.]+?)(?:\.html)?$/.exec(address)?.[1];

  /**
   * What code calls the modules and names of torch that it imports.
   * @param {string} code Python.
   * @returns {[string, string][]} Name in the code → full name.
   */
  const imports = (code) => [
    ...[...code.matchAll(/^\s*import (torch[\w.]*) as (\w+)/gm)].map(([, full, short]) => [short, full]),
    ...[...code.matchAll(/^\s*from (torch[\w.]*) import ([\w, ]+)/gm)].flatMap(([, module, names]) =>
      names.split(",").map((name) => {
        const [own, short = own] = name.trim().split(" as ");
        return [short, `${module}.${own}`];
      }),
    ),
  ];

  /**
   * The full name that stands at a position of code: of a path such as `nn.Linear` the part up to the word that is meant. A method is
   * told from its last word, where the page uses only one of that name.
   * @param {string} code
   * @param {number} at Where in the code, in UTF-16 units.
   * @param {Map<string, string>} imported As `imports` finds them.
   * @param {string[]} used The names of torch that the page uses.
   * @returns {string | undefined}
   */
  function nameAt(code, at, imported, used) {
    const path = /[\w.]*$/.exec(code.slice(0, at))[0] + /^\w*/.exec(code.slice(at))[0];
    const [root, ...rest] = path.split(".");
    if (imported.has(root)) return [imported.get(root), ...rest].join(".");
    const last = rest.pop();
    const methods = last ? used.filter((name) => name?.endsWith(`.${last}`) && /\.[A-Z]\w*\.\w+$/.test(name)) : [];
    return methods.length === 1 ? methods[0] : undefined;
  }

  /* The names that the page says it uses, at its end: name → link to the list of names. */
  const used = new Map([...document.querySelectorAll(".verbatim-used a")].map((link) => [documented(link.href), link]));
  const imported = new Map([["torch", "torch"], ...[...document.querySelectorAll("article pre")].flatMap(({ textContent }) => imports(textContent))]);

  /* The name at a point of the screen, in code that is no comment and no string: { name, place }. */
  function nameAtPoint(code, x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const old = caret ? undefined : document.caretRangeFromPoint?.(x, y);
    const node = caret?.offsetNode ?? old?.startContainer;
    if (!node || node.nodeType !== Node.TEXT_NODE || !code.contains(node) || node.parentElement.closest(".c1, .s1, .s2, .sd")) return {};
    const offset = caret?.offset ?? old.startOffset;
    const range = new Range();
    range.setStart(code, 0);
    range.setEnd(node, offset);
    const at = range.toString().length;
    const start = offset - /\w*$/.exec(node.data.slice(0, offset))[0].length;
    range.setStart(node, start);
    range.setEnd(node, offset + /^\w*/.exec(node.data.slice(offset))[0].length);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom ? { name: nameAt(code.textContent, at, imported, [...used.keys()]), place: range } : {};
  }

  /* Whether a link leads to another page of the book; what a card or a line of tools leads to says so itself. */
  const leadsOn = (link) =>
    link.origin === location.origin && link.pathname.endsWith("/") && link.pathname !== location.pathname && !link.closest(".take, .home > ul, .trace");

  /* What an event is about: the name, or the address of another page, where it stands, and the link to more. */
  function about({ target, clientX, clientY }) {
    const link = target.closest?.("article a[href]");
    if (link?.matches(".term")) return { name: link.textContent.toLowerCase(), place: link, link };
    if (link && !documented(link.href) && leadsOn(link)) return { name: link.href, place: link, link, page: true };
    if (link) return { name: documented(link.href), place: link, link };
    const code = target.closest?.("article pre > code");
    const { name, place } = code ? nameAtPoint(code, clientX, clientY) : {};
    return { name, place, link: used.get(name) };
  }

  /* -- The card. */
  const card = element("div", { className: "hover", id: "__hover", hidden: true });
  card.setAttribute("role", "tooltip");
  const styled = new Promise((resolve) =>
    document.head.append(element("link", { rel: "stylesheet", href: beside("hover.css"), onload: resolve, onerror: resolve })),
  );
  (document.querySelector("main") ?? document.body).append(card);

  let shown;
  let timer;
  /* How often something was shown or hidden: what comes for an earlier one is too late. */
  let turn = 0;
  const hide = () => {
    turn++;
    clearTimeout(timer);
    card.hidden = true;
    if (shown?.link) shown.link.removeAttribute("aria-describedby");
    shown = undefined;
  };

  const more = (link, label) => element("a", { href: link.href, tabIndex: -1 }, label);

  /* What the card says of a name, and of a term; nothing where neither is known. */
  async function ofName({ name: written, link }) {
    const [names, called] = await data("names");
    const name = written in names ? written : called[written];
    if (!names[name]) return undefined;
    const [signature, summary] = names[name];
    const lines = [element("code", {}, name + signature)];
    if (summary) lines.push(element("p", { lang: "en" }, summary));
    if (link) lines.push(more(link, link.hostname === location.hostname ? words.list : words.documentation));
    return lines;
  }

  async function ofTerm({ name, link }) {
    const known = await data(lang);
    const [other, title] = known[name] ?? known[name.replace(/s$/, "")] ?? known[name.replace(/es$/, "")] ?? [];
    return other && [element("b", { lang: lang === "zh" ? "en" : "zh" }, other), element("br"), more(link, title)];
  }

  /* The title of a page, or of its section, and how it begins. */
  async function ofSection({ link }) {
    const other = await page(link);
    const title = other?.querySelector("article h1");
    if (!title) return undefined;
    const id = link.hash && decodeURIComponent(link.hash.slice(1));
    const heading = (id && [...other.querySelectorAll("article :is(h2, h3, h4)[id]")].find((heading) => heading.id === id)) || title;
    const description = other.querySelector("meta[name=description]")?.content ?? "";
    const text = firstSentence(opening(heading)) || (heading === title ? description : "");
    const lines = [element("b", {}, ...coded(textOf(heading)))];
    if (heading !== title) lines.push(element("small", {}, textOf(title).replaceAll("`", "")));
    if (text) lines.push(element("p", {}, ...coded(text)));
    return lines;
  }

  /* Shows the card; returns whether there is anything to show. */
  async function show(met) {
    const mine = ++turn;
    const lines = await (met.page ? ofSection(met) : met.link?.matches(".term") ? ofTerm(met) : ofName(met));
    if (!lines) return false;
    await styled;
    if (mine !== turn) return true;
    hide();
    shown = met;
    card.replaceChildren(...lines);
    card.hidden = false;
    place(met.place);
    if (met.place === met.link) met.link.setAttribute("aria-describedby", card.id);
    return true;
  }

  /* Right below the name; above it where there is no room. */
  function place(at) {
    const { left, top, bottom } = at.getClientRects()[0] ?? at.getBoundingClientRect();
    const room = document.documentElement.clientWidth - card.offsetWidth - EDGE_PX;
    const below = bottom + card.offsetHeight + EDGE_PX < innerHeight || top < card.offsetHeight + EDGE_PX;
    const around = card.offsetParent.getBoundingClientRect();
    card.style.left = `${Math.max(EDGE_PX, Math.min(left, room)) - around.left}px`;
    card.style.top = `${(below ? bottom + GAP_PX : top - card.offsetHeight - GAP_PX) - around.top}px`;
  }

  /* -- By mouse: after a moment; it stays while the pointer is on the name or on the card. By keyboard: at once. By touch: the first
        tap shows the card, which has the link, the second one follows it. */
  function point(event) {
    if (event.pointerType === "touch") return;
    clearTimeout(timer);
    if (card.contains(event.target)) return;
    timer = setTimeout(() => {
      const met = about(event);
      if (!met.name) hide();
      else if (met.name !== shown?.name) show(met);
    }, DELAY_MS);
  }

  function reach({ target }) {
    if (target.matches(":focus-visible") && !card.contains(target)) {
      hide();
      const met = about({ target });
      if (met.page) timer = setTimeout(show, DELAY_MS, met); // it is being fetched
      else if (met.name && met.link) show(met);
    }
  }

  async function tap(event) {
    if (event.pointerType !== "touch" || card.contains(event.target)) return;
    const met = about(event);
    if (met.page) return hide();
    const again = met.name && met.name === shown?.name && met.place === shown?.place;
    hide();
    if (!met.name || again) return;
    const follow = met.place === met.link && met.link;
    if (follow) event.preventDefault();
    if (!(await show(met)) && follow) location.href = follow.href;
  }

  /**
   * Take what a file of data has (`verbatim/site/hover.py` writes the call).
   * @param {string} kind "names" or a language.
   * @param {object} found
   */
  self.verbatimHover = (kind, found) => { arrived[kind] = found; };
  /* `meet` takes the event with which `page.js` loaded this script; the others are pure. */
  const meet = (event) => ({ pointerover: point, focusin: reach, click: tap })[event.type](event);
  Object.assign(self.verbatimHover, { meet, documented, imports, nameAt, firstSentence });
  document.addEventListener("pointerover", point);
  document.addEventListener("pointermove", (event) => { if (event.target.closest?.("pre")) point(event); }, { passive: true });
  document.addEventListener("focusin", reach);
  document.addEventListener("focusout", ({ target }) => { if (!shown || shown.link === target) hide(); });
  document.addEventListener("click", tap);
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  document.documentElement.addEventListener("pointerleave", hide);
})();
