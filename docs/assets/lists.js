/* The filter above a list: what a reader types hides the items without it, and the headings that have none left. A pasted message
   leaves the messages of the book that it is, as the search recognises them. */
(() => {
  "use strict";
  const { element } = self.verbatim;
  /* So many letters, and something behind a space, may be a message: below that the search's scripts are not loaded for it. */
  const MAYBE_MESSAGE = /[a-z]{4}.* /i;

  /**
   * What to look for, of a text that was typed or pasted.
   * @param {string} text
   * @returns {Promise<{ alone: string, messages?: string[] }>} `alone`: the text; of a message what went wrong, without a reader's
   *   paths. `messages`: those of the book that it is, if there are any.
   */
  async function recognised(text) {
    const search = self.verbatimSearch;
    if (!MAYBE_MESSAGE.test(text) || !search) return { alone: text };
    try {
      await search.load("words.js");
      if (!search.telling(text)) return { alone: text };
      const alone = search.message(text);
      await Promise.all([search.load("messages.js"), search.start()]);
      const known = await search.recognise(alone);
      /* Typed by hand, it keeps its spaces. */
      return { alone: alone === text.trim().replace(/\s+/g, " ") ? text : alone, messages: known.map(({ text }) => text) };
    } catch {
      return { alone: text }; // nothing more than the words is known
    }
  }

  /* Messages that differ in numbers alone are one. */
  const numbered = (text) => text.replace(/\d+/g, "0");

  /**
   * Whether an item has what is looked for.
   * @param {{ text: string, messages: string[] }} item Its text in lower case, and the beginnings of the messages that it stands for.
   * @param {{ alone: string, messages?: string[] }} wanted As `recognised` tells it.
   * @returns {boolean}
   */
  const matches = (item, { alone, messages }) =>
    messages?.length
      ? messages.some((message) => item.messages.some((start) => numbered(message).startsWith(numbered(start))))
      : alone.toLowerCase().split(/\s+/).every((word) => item.text.includes(word));

  /* An item of a list: its text; the beginnings of the messages that it stands for, which some functions name themselves in front of; and
     how many messages these are. */
  function described(item) {
    const own = (item.querySelector("a, code") ?? item).textContent.replace(/ …$/, "").trim();
    const functions = [...item.querySelectorAll("a + code, code + code")].map((code) => own.replace(": ", `: ${code.textContent} `));
    return { item, text: item.textContent.toLowerCase(), messages: [own, ...functions], many: Number(item.querySelector("b")?.textContent ?? 1) };
  }

  /* Where the contents lead to a heading. */
  const listed = (id) => (id ? document.querySelectorAll(`li:has(> a[href="#${CSS.escape(id)}"])`) : []);

  for (const line of document.querySelectorAll("p.filter")) {
    const count = line.querySelector("b");
    const all = count.textContent;
    const field = element("input", { type: "search", autocomplete: "off", spellcheck: false });
    const none = element("span");
    line.append(" ", element("label", {}, `${line.dataset.label} `, field), " ", none); // after the number, which stays where it is
    for (const told of [count, none]) told.setAttribute("role", "status");

    /* What stands below, by heading; `parts` are hidden with the last of the items. */
    const groups = [];
    for (let next = line.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches("h2")) groups.push({ heading: next, parts: [next, ...listed(next.id)], items: [] });
      if (next.matches("ul") && groups.length) {
        groups.at(-1).parts.push(next);
        groups.at(-1).items.push(...[...next.children].map(described));
      }
    }

    field.addEventListener("input", async () => {
      const { value } = field;
      const wanted = await recognised(value);
      if (value !== field.value) return;
      if (wanted.alone !== value) field.value = wanted.alone;
      let left = 0;
      for (const { heading, parts, items } of groups) {
        let here = 0;
        for (const one of items) {
          one.item.hidden = !matches(one, wanted);
          if (!one.item.hidden) here += one.many;
        }
        for (const part of parts) part.hidden = !here;
        const number = heading.querySelector(".count");
        if (number) number.textContent = here; // what is left of a group stands in its heading
        left += here;
      }
      count.textContent = wanted.alone.trim() ? `${left} / ${all}` : all;
      none.textContent = left ? "" : line.dataset.none;
    });
  }

  self.verbatimLists = { matches };
})();
