/* The search dialog: a text field and a list of results, worked as a combobox (ARIA 1.2). It is built when it is first opened. Before
   anything is typed it offers the reader's last queries and what many ask. `results.js` makes what is in the list. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  const WORDS = {
    zh: {
      label: "搜索本站",
      hint: "API 名、报错信息、中文问题",
      close: "关闭",
      clear: "清除",
      results: "搜索结果",
      found: (count, more) => (more ? `最接近的 ${count} 个小节` : `找到 ${count} 个小节`),
      none: (query) => `没有找到“${query}”`,
      advice: "换一个更短的说法，或者只贴报错的最后一行。",
      recent: "最近搜过",
      forget: "清除搜索记录",
      popular: "大家常问的",
      keys: [["选择", "↑", "↓"], ["打开", "Enter"], ["关闭", "Esc"]],
    },
    en: {
      label: "Search this site",
      hint: "API name, error message, question",
      close: "Close",
      clear: "Clear",
      results: "Search results",
      found: (count, more) => (more ? `The ${count} best sections` : `${count} ${count === 1 ? "section" : "sections"} found`),
      none: (query) => `Nothing found for “${query}”`,
      advice: "Try fewer words, a function’s name, or the last line of an error.",
      recent: "Recent searches",
      forget: "Clear recent searches",
      popular: "Questions that many ask",
      keys: [["select", "↑", "↓"], ["open", "Enter"], ["close", "Esc"]],
    },
  };
  const words = WORDS[search.language] ?? WORDS.en;
  const { element } = search;
  /* Where a reader's last queries are kept, in the browser alone; and how many: a phone shows them above its keyboard. */
  const RECENT_KEY = "verbatim-search";
  const MAX_RECENT = 5;
  /* What makes an element an option of the list: the keyboard stays in the field. */
  const OPTION_ROLE = { role: "option", tabIndex: -1 };
  const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
  let dialog, field, clear, list, status, note;
  /* The option that the keyboard is on, by its place; -1 for none. */
  let chosen = -1;
  /* The query whose results are in the list. */
  let shown = "";
  /* What was pasted, and what the field shows of it: frames and earlier errors tell, too. */
  let whole = { said: "", text: "" };
  /* The search under way. */
  let searching;

  function icon(path) {
    const svg = document.createElementNS(SVG_NAMESPACE, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const drawn = document.createElementNS(SVG_NAMESPACE, "path");
    drawn.setAttribute("d", path);
    svg.append(drawn);
    return svg;
  }

  function build() {
    field = element("input", {
      className: "vs-field",
      type: "text",
      role: "combobox",
      enterKeyHint: "go",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
      placeholder: words.hint,
      "aria-label": words.label,
      "aria-autocomplete": "list",
      "aria-controls": "vs-results",
      "aria-expanded": "false",
    });
    field.setAttribute("autocorrect", "off");
    clear = element("button", { className: "vs-clear", type: "button", "aria-label": words.clear, hidden: true });
    clear.append(icon("M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z"));
    const close = element("button", { className: "vs-close", type: "button" }, words.close);
    const form = element(
      "form",
      { className: "vs-form", role: "search" },
      icon("M9.5 3A6.5 6.5 0 0 1 16 9.5c0 1.6-.6 3.1-1.6 4.2l.3.3h.8l5 5-1.5 1.5-5-5v-.8l-.3-.3a6.5 6.5 0 1 1-4.2-11.4m0 2a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9"),
      field,
      clear,
      close,
    );
    list = element("div", { className: "vs-results", id: "vs-results", role: "listbox", tabIndex: -1, "aria-label": words.results });
    note = element("div", { className: "vs-note", hidden: true });
    status = element("p", { className: "vs-status", role: "status" });
    const keys = element("p", { className: "vs-keys", "aria-hidden": "true" });
    for (const [does, ...marks] of words.keys) keys.append(element("span", {}, ...marks.map((mark) => element("kbd", {}, mark)), ` ${does}`));
    const body = element("div", { className: "vs-body" }, note, list);
    const foot = element("div", { className: "vs-foot" }, status, keys);
    dialog = element("dialog", { className: "vs-dialog", "aria-label": words.label }, form, body, foot);
    document.body.append(dialog);

    field.addEventListener("input", (event) => event.isComposing || later());
    field.addEventListener("compositionend", later);
    field.addEventListener("paste", pasted);
    field.addEventListener("keydown", keyed);
    form.addEventListener("submit", (event) => event.preventDefault());
    clear.addEventListener("click", () => {
      field.value = "";
      field.focus();
      later();
    });
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    list.addEventListener("click", followed);
    list.addEventListener("pointermove", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) choose(options().indexOf(option), false);
    });
  }

  /**
   * Open the dialog.
   * @param {() => Promise<{ text: string, enter?: boolean }>} [early] Tells what was typed until now, and whether with Enter.
   */
  search.open = async (early) => {
    if (!dialog) build();
    const { text = "", enter = false } = (await early?.()) ?? {};
    if (!dialog.open) dialog.showModal();
    field.focus();
    if (text) field.value = brief(text);
    else field.select();
    const searched = later(!text);
    if (enter) await searched.then(() => options()[chosen]?.click());
  };

  /* What the field shows of a text: of a pasted message what went wrong, and nothing of the reader's own files. */
  function brief(text) {
    const said = text.includes("\n") || search.telling(text) ? search.message(text) : text;
    whole = { said: said.trim(), text };
    return said;
  }

  function pasted(event) {
    const text = event.clipboardData.getData("text");
    const said = brief(text);
    if (said === text.trim()) return;
    event.preventDefault();
    field.setRangeText(said, field.selectionStart, field.selectionEnd, "end");
    later();
  }

  /* Search for what the field says; where a search is under way, after it. `again`: though it says what it said. */
  function later(again) {
    clear.hidden = !field.value;
    if (again === true && field.value && field.value.trim() === shown) return Promise.resolve();
    return (searching ??= catchUp().finally(() => (searching = undefined)));
  }

  async function catchUp() {
    for (let asked; asked !== field.value; ) {
      asked = field.value;
      await run(asked.trim());
    }
  }

  async function run(query) {
    try {
      if (!query) return await begin();
      await search.prepare();
      const found = await search.find(query, () => query === field.value.trim(), query === whole.said ? whole.text : query);
      if (found) show(found, query);
    } catch (error) {
      console.error(error);
      show({ results: [], terms: [], fits: true }, query, search.said.broken);
    }
  }

  /* Show what was found (`Found` in `engine.js`), or why nothing could be (`broken`). Doubt alone is told below the results, because the
     first may be right all the same. */
  function show(found, query, broken = "") {
    const { results, terms, fits, more, unknown, ofPython, strange } = found;
    const missing = unknown ? search.missing(found) : "";
    const said = broken || (results.length ? words.found(results.length, more) : missing || words.none(query));
    shown = query;
    const below = results.length > 0 && !unknown && !strange;
    const nearest = missing || (below ? search.said.unsure : search.said.nearest);
    const marks = search.known(query, terms);
    list.replaceChildren(...results.map((result) => search.result(result, terms, marks, OPTION_ROLE)));
    tell(results.length && fits ? [] : results.length ? [nearest] : [said, broken || unknown ? "" : words.advice], broken || ofPython ? "" : query);
    list[below ? "after" : "before"](note);
    ready(results.length && !fits && !below ? nearest : said, results.length ? 0 : -1);
  }

  /* Beside the list. */
  function tell(lines, query) {
    note.hidden = !lines.length;
    note.replaceChildren(...search.notes(lines, query));
  }

  /* What is in the list can be chosen now. */
  function ready(said, first) {
    list.scrollTop = 0;
    options().forEach((option, i) => {
      option.id = `vs-${i}`;
      option.setAttribute("aria-selected", "false");
    });
    field.setAttribute("aria-expanded", String(options().length > 0));
    status.textContent = said;
    choose(first);
  }

  /* Before anything is typed: what the reader asked last, and what many ask. */
  async function begin() {
    const { popular } = await search.start();
    shown = "";
    const last = recent();
    const asked = last.map((query) => suggestion(query, () => { field.value = query; field.focus(); later(); }));
    if (last.length) asked.push(suggestion(words.forget, () => { remember([]); begin(); field.focus(); }, "vs-forget"));
    const links = popular.map(([url, id, question]) => element("a", { className: "vs-start", ...OPTION_ROLE, href: search.address({ url, id }, "") }, question));
    const groups = [[words.recent, asked], [words.popular, links]].filter(([, found]) => found.length);
    list.replaceChildren(
      ...groups.map(([name, found], i) => {
        const label = element("div", { className: "vs-group", id: `vs-group-${i}`, role: "presentation" }, name);
        return element("div", { role: "group", "aria-labelledby": label.id }, label, ...found);
      }),
    );
    tell([], "");
    ready("", -1);
  }

  function suggestion(text, act, name = "") {
    const made = element("button", { className: `vs-start ${name}`, type: "button", ...OPTION_ROLE }, text);
    made.addEventListener("click", act);
    return made;
  }

  const options = () => [...list.querySelectorAll("[role=option]")];

  /* The queries that led somewhere, latest first. Where the browser keeps nothing, none. */
  function recent() {
    try {
      const kept = JSON.parse(localStorage.getItem(RECENT_KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(0, MAX_RECENT) : [];
    } catch {
      return [];
    }
  }

  function remember(queries) {
    try {
      if (queries.length) localStorage.setItem(RECENT_KEY, JSON.stringify([...new Set(queries)].slice(0, MAX_RECENT)));
      else localStorage.removeItem(RECENT_KEY);
    } catch {
      /* The browser keeps nothing. */
    }
  }

  function choose(number, scroll = true) {
    options()[chosen]?.setAttribute("aria-selected", "false");
    chosen = number;
    const option = options()[number];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.dispatchEvent(new Event("vs-chosen", { bubbles: true }));
    field.setAttribute("aria-activedescendant", option.id);
    if (scroll) option.scrollIntoView({ block: "nearest" });
  }

  function keyed(event) {
    if (event.isComposing) return;
    const count = options().length;
    if (event.key === "ArrowDown" && count) choose((chosen + 1) % count);
    else if (event.key === "ArrowUp" && count) choose((Math.max(chosen, 0) - 1 + count) % count);
    else if (event.key === "Enter") open(event);
    else return;
    event.preventDefault();
  }

  /* Enter opens what is chosen. Where the search for the latest words is still under way, it is waited for. */
  async function open({ ctrlKey, metaKey, shiftKey }) {
    if (searching || shown !== field.value.trim()) await later();
    options()[chosen]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
  }

  /* A result on this very page: no need to load it again. */
  function followed(event) {
    const option = event.target.closest("a[role=option]");
    if (option && shown) remember([search.message(shown), ...recent()]);
    if (!option || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = new URL(option.href);
    if (to.pathname !== location.pathname) return;
    event.preventDefault();
    dialog.close();
    if (to.hash) location.hash = to.hash;
    else scrollTo(0, 0);
    if (to.searchParams.has("h")) search.highlight(to.searchParams.get("h"), decodeURIComponent(to.hash.slice(1)));
  }
})();
