/* What a result of the search looks like, wherever it is shown: in the dialog, or beside a traceback. And what both say of results. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  const WORDS = {
    zh: {
      nearest: "没有很对得上的小节，下面是最接近的。",
      unsure: "都不是你要找的？书里可能还没有这个主题。",
      unknown: "没有哪一页出现过这条报错",
      ofPython: "这是 Python 自己的报错，不是 PyTorch 的，没有哪一页出现过它",
      near: "。下面只是最接近的。",
      none: "，也没有接近的。",
      end: "。",
      broken: "搜索索引没有加载成功，请检查网络后重试。",
      suggest: "建议补上这个主题",
      code: "代码",
      outputs: "输出",
      messages: "报错",
      warning: "警告",
      printed: (releases) => `这种措辞：${releases}`,
    },
    en: {
      nearest: "Nothing fits well. These are the nearest sections.",
      unsure: "None of these? The book may not have it yet.",
      unknown: "No page shows this message",
      ofPython: "Python itself says this, not PyTorch, and no page shows it",
      near: ". These are only the nearest sections.",
      none: ", and none comes near it.",
      end: ".",
      broken: "The search index did not load. Check your connection and try again.",
      suggest: "Suggest this topic",
      code: "Code",
      outputs: "Output",
      messages: "Error",
      warning: "Warning",
      printed: (releases) => `This wording: ${releases}`,
    },
  };
  const words = WORDS[search.language] ?? WORDS.en;
  /* Where a topic can be suggested; empty where the site has no repository. */
  const { suggest } = document.querySelector("[data-search-open]").dataset;

  /**
   * Make an element.
   * @param {string} tag
   * @param {object} [properties] Properties of the element by their names in JavaScript, and attributes.
   * @param {...(Node | string)} children
   * @returns {HTMLElement}
   */
  function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in made && !name.startsWith("aria")) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  /**
   * The address of a section.
   * @param {{ url: string, id: string }} section
   * @param {string} marks The words to be marked there.
   * @returns {URL}
   */
  function address({ url, id }, marks) {
    const index = location.protocol === "file:" ? "index.html" : "";
    const address = new URL(url + index, search.root);
    if (marks) address.searchParams.set("h", marks);
    address.hash = id;
    return address;
  }

  /**
   * What is to be marked where a result leads: the query, and the words that pages use in the place of its own.
   * @param {string} query
   * @param {{ term: string }[]} terms By which it was found.
   * @returns {string}
   */
  function known(query, terms) {
    const own = search.wanted(query).map(({ term }) => term);
    return [search.message(query), ...terms.map(({ term }) => term).filter((term) => !own.includes(term))].join(" ");
  }

  /**
   * The link to a section, with its title and what it says of the query.
   * @param {object} found `Result` in `engine.js`.
   * @param {object[]} terms By which it was found.
   * @param {string} marks What is to be marked there.
   * @param {object} [properties] Further ones of the link.
   * @returns {HTMLAnchorElement}
   */
  function result(found, terms, marks, properties) {
    const made = element("a", { className: "vs-result", href: address(found, marks), ...properties });
    const line = (className, ...children) => made.append(element("span", { className }, ...children));
    line("vs-title", ...marked(found.title, terms));
    if (found.id) line("vs-page", ...marked(found.page, terms));
    if (found.lead) line("vs-lead", ...marked(found.lead, terms));
    if (found.remedy) line("vs-remedy", ...coded(found.remedy));
    const [kind, text] = found.remedy ? ["messages", search.excerpt({ prose: "", code: "", outputs: "", messages: found.messages }, terms)[1]] : search.excerpt(found, terms);
    if (text) {
      const label = kind === "messages" && /Warning:/.test(text) ? "warning" : kind;
      const kindOf = kind === "prose" ? [] : [element("span", { className: "vs-kind" }, words[label]), " "];
      line(`vs-excerpt vs-${kind}`, ...kindOf, element(kind === "prose" ? "span" : "code", {}, ...marked(text, terms)));
    }
    if (found.printed) line("vs-printed", words.printed(found.printed));
    return made;
  }

  function marked(text, terms) {
    const pieces = [];
    let at = 0;
    for (const [start, end] of search.marks(text, terms)) {
      pieces.push(text.slice(at, start), element("mark", {}, text.slice(start, end)));
      at = end;
    }
    return [...pieces, text.slice(at)];
  }

  /* A text with code in backticks. */
  const coded = (text) => text.split("`").map((piece, i) => (i % 2 ? element("code", {}, piece) : piece));

  /**
   * What stands beside results that are only near, or none: lines, and a link that suggests the query as a topic.
   * @param {string[]} lines
   * @param {string} query
   * @returns {HTMLElement[]}
   */
  function notes(lines, query) {
    const made = lines.filter(Boolean).map((line) => element("p", {}, line));
    if (!query || !suggest) return made;
    const link = new URL(suggest);
    link.searchParams.set("search", search.message(query));
    return [...made, element("p", {}, element("a", { className: "vs-suggest", href: link }, words.suggest))];
  }

  /**
   * What is said of a message that no page shows.
   * @param {{ results: object[], ofPython: boolean }} found `Found` in `engine.js`.
   * @returns {string}
   */
  const missing = ({ results, ofPython }) => (ofPython ? words.ofPython : words.unknown) + (results.length ? words.near : ofPython ? words.end : words.none);

  Object.assign(search, { element, address, known, result, notes, missing, said: words });
})();
