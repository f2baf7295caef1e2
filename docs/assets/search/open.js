/* The only search script that every page loads. It opens the search (a click, "/", Ctrl+K or ⌘K), and highlights what was
   searched for on the page that a result led to. Everything else is loaded when it is needed. */
(() => {
  "use strict";
  const here = document.currentScript.src;
  const scripts = {};

  const search = (self.verbatimSearch = {
    language: document.documentElement.lang.split("-")[0],
    root: new URL("../../", here),

    /* Load a script of this folder, once. Scripts run in the order in which they were asked for. */
    load(name) {
      return (scripts[name] ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.async = false;
        script.src = new URL(name, here);
        script.onload = resolve;
        script.onerror = () => {
          delete scripts[name];
          script.remove();
          reject(new Error(`${script.src} cannot be loaded`));
        };
        document.head.append(script);
      }));
    },

    /* Parts of the index hand themselves over here. */
    arrived: {},
    part(version, name, data) {
      search.arrived[name] = { version, data };
    },

    /* What a search needs besides the dialog. */
    prepare: () => Promise.all(["words.js", "engine.js", "minisearch.js", `${search.language}/index.js`].map(search.load)),

    /* Mark a query's words in the section with this id. */
    async highlight(query, id) {
      await Promise.all([search.load("words.js"), search.load("highlight.js")]);
      search.mark(query, id);
    },
  });

  const button = document.querySelector("[data-search-open]");
  const open = async () => {
    button.setAttribute("aria-busy", "true");
    try {
      const shown = Promise.all([search.load("words.js"), search.load("dialog.js")]);
      search.prepare().catch(() => {}); // the dialog tries again and tells
      await shown;
      await search.open();
    } finally {
      button.removeAttribute("aria-busy");
    }
  };

  button?.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    /* "、" is what the key gives while a Chinese input method is on. */
    const slash = (event.key === "/" || event.key === "、") && !event.ctrlKey && !event.metaKey && !event.altKey;
    const writing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (button && ((slash && !writing) || k) && !event.defaultPrevented) {
      event.preventDefault();
      open();
    }
  });

  const address = new URL(location);
  const query = address.searchParams.get("h");
  if (query) {
    addEventListener("load", () => search.highlight(query, decodeURIComponent(address.hash.slice(1))));
    address.searchParams.delete("h");
    if (location.protocol !== "file:") history.replaceState(history.state, "", address);
  }
})();
