/* Pages of lists: what a reader asks for stays, the rest is hidden. */
(() => {
  "use strict";
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  /* { alone, messages } of a pasted text: what went wrong, without a reader's paths, and the messages of the book that it is, as
     the search finds them. Of any other text, { alone }: itself. */
  async function recognised(text) {
    const search = self.verbatimSearch;
    if (!/[a-z]{4}.* /i.test(text) || !search) return { alone: text };
    try {
      await search.load("words.js");
      if (!search.telling(text)) return { alone: text };
      const alone = search.message(text);
      await Promise.all([search.load("messages.js"), search.start()]);
      const found = await search.recognise(alone);
      /* Typed by hand, it keeps its spaces. */
      return { alone: alone === text.trim().replace(/\s+/g, " ") ? text : alone, messages: found.length ? found.map((one) => one.text) : undefined };
    } catch {
      return { alone: text }; // nothing more than the words is known
    }
  }

  /* -- A list is filtered by words that stand in its items; a group's heading goes with its last item. */
  each("p.filter", (line) => {
    const count = line.querySelector("b");
    const all = count.textContent;
    const label = document.createElement("label");
    const field = document.createElement("input");
    const none = document.createElement("span");
    const groups = [];
    for (let next = line.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches("h2")) groups.push({ heading: next, items: [] });
      if (next.matches("ul") && groups.length) {
        groups.at(-1).items.push(...[...next.children].map((item) => {
          const text = item.textContent.toLowerCase();
          return { item, text, message: item.querySelector("code")?.textContent.replace(/ …$/, "").trim() ?? text };
        }));
      }
    }
    field.type = "search";
    field.autocomplete = "off";
    field.spellcheck = false;
    label.append(`${line.dataset.label} `, field);
    line.append(" ", label); // after the number, which stays where it is
    count.setAttribute("role", "status");
    none.setAttribute("role", "status");
    line.append(" ", none);
    field.addEventListener("input", async () => {
      const { value } = field;
      const { alone, messages } = await recognised(value);
      if (value !== field.value) return;
      if (alone !== value) field.value = alone;
      const words = alone.toLowerCase().split(/\s+/);
      let left = 0;
      for (const { heading, items } of groups) {
        const before = left;
        for (const { item, text, message } of items) {
          item.hidden = !(messages ? messages.some((one) => one.startsWith(message)) : words.every((word) => text.includes(word)));
          left += !item.hidden;
        }
        heading.hidden = left === before;
      }
      count.textContent = field.value.trim() ? `${left} / ${all}` : all;
      none.textContent = left ? "" : line.dataset.none;
    });
  });

  /* -- "What versions changed": of the list by chapter only what changed between two releases that a reader chooses. A cell that
        prints in both what it printed before is left out, and so is what only runs better in the newer one. */
  each("p.between", (line) => {
    const releases = line.dataset.torch.split(" ");
    const count = line.querySelector("b");
    const all = count.textContent;
    const groups = [];
    for (let next = line.nextElementSibling; next && !next.matches("h2"); next = next.nextElementSibling) {
      if (next.matches("h3")) groups.push({ heading: next, items: [] });
      if (next.matches("ul")) groups.at(-1).items.push(...next.children);
    }

    const choice = (key) => {
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.append(new Option(line.dataset.all, ""), ...releases.map((release) => new Option(release)));
      select.autocomplete = "off";
      label.append(`${line.dataset[key]} `, select);
      return { label, select };
    };
    const [from, to] = [choice("from"), choice("to")];
    const none = document.createElement("span");
    count.setAttribute("role", "status");
    none.setAttribute("role", "status");
    line.append(" ", from.label, to.label, " ", none);

    /* Whether a cell prints something else in the newer of two releases; changes of other releases are hidden. */
    function differs(cell, first, last) {
      const within = [];
      for (const step of cell.children) {
        const [release, was, now] = step.dataset.step.split(" ");
        const place = releases.indexOf(release);
        step.hidden = place <= first || place > last;
        if (!step.hidden) within.push({ was, now, eased: "eased" in step.dataset });
      }
      return within.length > 0 && within[0].was !== within.at(-1).now && !within.every(({ eased }) => eased);
    }

    function show() {
      const first = releases.indexOf(from.select.value);
      const last = to.select.value ? releases.indexOf(to.select.value) : releases.length - 1;
      const any = !from.select.value && !to.select.value;
      /* The older one is chosen first. */
      for (const [i, option] of [...to.select.options].entries()) option.disabled = i > 0 && i - 1 <= first;
      let left = 0;
      for (const { heading, items } of groups) {
        const before = left;
        for (const item of items) {
          const cells = [...item.children].filter((one) => one.matches("span"));
          for (const cell of cells) cell.hidden = !differs(cell, first, last) && !any;
          item.hidden = cells.every((cell) => cell.hidden);
          left += !item.hidden;
        }
        heading.hidden = left === before;
      }
      count.textContent = any ? all : `${left} / ${all}`;
      none.textContent = left ? "" : line.dataset.none;
    }
    from.select.addEventListener("change", show);
    to.select.addEventListener("change", show);
  });
})();
