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

  /* Messages that differ in numbers alone are one. */
  const numbered = (text) => text.replace(/\d+/g, "0");

  /* An item of a list: its text; the beginnings of the messages that it stands for, which some functions name themselves in front
     of; and how many messages these are. */
  function described(item) {
    const own = (item.querySelector("a, code") ?? item).textContent.replace(/ …$/, "").trim();
    const functions = [...item.querySelectorAll("a + code, code + code")].map((code) => own.replace(": ", `: ${code.textContent} `));
    return { item, text: item.textContent.toLowerCase(), messages: [own, ...functions].map(numbered), many: Number(item.querySelector("b")?.textContent ?? 1) };
  }

  /* Where the contents lead to a heading. */
  const listed = (id) => (id ? document.querySelectorAll(`li:has(> a[href="#${CSS.escape(id)}"])`) : []);

  /* -- A list is filtered by words that stand in its items. What a group has left stands in its heading, which goes with the last. */
  each("p.filter", (line) => {
    const count = line.querySelector("b");
    const all = count.textContent;
    const label = document.createElement("label");
    const field = document.createElement("input");
    const none = document.createElement("span");
    const groups = [];
    for (let next = line.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches("h2")) groups.push({ heading: next, parts: [next, ...listed(next.id)], items: [] });
      if (next.matches("ul") && groups.length) {
        groups.at(-1).parts.push(next);
        groups.at(-1).items.push(...[...next.children].map(described));
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
      const wanted = ({ text, messages: own }) =>
        messages ? messages.some((one) => own.some((start) => numbered(one).startsWith(start))) : words.every((word) => text.includes(word));
      let left = 0;
      for (const { heading, parts, items } of groups) {
        let here = 0;
        for (const one of items) {
          one.item.hidden = !wanted(one);
          if (!one.item.hidden) here += one.many;
        }
        for (const part of parts) part.hidden = !here;
        const number = heading.querySelector(".count");
        if (number) number.textContent = here;
        left += here;
      }
      count.textContent = field.value.trim() ? `${left} / ${all}` : all;
      none.textContent = left ? "" : line.dataset.none;
    });
  });
})();
