/* The search's part in every page: opens the dialog (a click, "/", Ctrl+K or ⌘K, a field of the page) and keeps what is typed until it
   is there, and highlights what was searched for on the page that a result led to. Everything else of the search is loaded from here
   when it is needed. `self.verbatimSearch` is what the search's scripts share: each adds its functions to it. */
(() => {
  "use strict";
  const here = document.currentScript.src;
  /* The version of this folder's files, for those that have none of their own: a browser that keeps some never mixes two builds. */
  const version = new URL(here).search;
  const files = {};
  const loadAll = (...names) => Promise.all(names.map(search.load));

  const search = (self.verbatimSearch = {
    language: document.documentElement.lang.split("-")[0],
    root: new URL("../../", here),

    /**
     * Load a script or a stylesheet of this folder, once; one that did not come is asked for again. Scripts run in the order in which
     * they were asked for.
     * @param {string} name From this folder; one with a "/" has its version.
     * @returns {Promise<void>} Rejected where a script does not come. Without a stylesheet all works, so that is waited for alone.
     */
    load: (name) =>
      (files[name] ??= new Promise((resolve, reject) => {
        const address = new URL(name.includes("/") ? name : name + version, here);
        const style = name.endsWith(".css");
        const file = Object.assign(
          document.createElement(style ? "link" : "script"),
          style ? { rel: "stylesheet", href: address } : { async: false, src: address },
        );
        file.onload = () => resolve();
        file.onerror = () => {
          delete files[name];
          file.remove();
          if (style) resolve();
          else reject(new Error(`${address} cannot be loaded`));
        };
        document.head.append(file);
      })),

    /** Load the dialog and all that it is shown with, at once: on a slow line each wait for the next file costs a round trip. */
    dialog: () => loadAll("words.js", "results.js", "dialog.js", "dialog.css"),

    /* Parts of the index hand themselves over here: `arrived` has them by name. */
    arrived: {},
    part(version, name, data) {
      search.arrived[name] = { version, data };
    },

    /**
     * What is shown before anything is typed.
     * @returns {Promise<object>} The head of the index, with `popular`.
     */
    async start() {
      await search.load(`${search.language}/index.js`);
      return search.arrived.index.data;
    },

    /** Load what a search needs besides the dialog. */
    prepare: () => loadAll("words.js", "messages.js", "engine.js", "minisearch.js", `${search.language}/index.js`),

    /**
     * Mark a query's words in a section of this page.
     * @param {string} query
     * @param {string} id That of the section's heading; "" for the top.
     */
    async highlight(query, id) {
      await loadAll("words.js", "highlight.js");
      search.mark(query, id);
    },
  });

  const button = document.querySelector("[data-search-open]");

  /* A field that takes what is written while the dialog is on its way: keys, pasted texts and input methods write into it as they
     would into the dialog's own. Returns a function that tells what was written. `done`: what is left to do then; `composing`:
     whether an input method is writing already. */
  function take(field, done, composing) {
    const until = new AbortController();
    const { signal } = until;
    let enter = false;
    const end = () => new Promise((resolve) => field.addEventListener("compositionend", resolve, { once: true }));
    let composed = composing ? end() : Promise.resolve();
    field.addEventListener("keydown", (event) => (enter ||= event.key === "Enter" && !event.isComposing), { signal });
    field.addEventListener("compositionstart", () => (composed = end()), { signal });
    return async () => {
      await composed;
      const text = field.value;
      until.abort();
      done();
      return { text, enter };
    };
  }

  /* The same with a field that nobody sees, and that has the focus until then. */
  function listen() {
    const back = document.activeElement;
    const field = document.createElement("input");
    field.setAttribute("aria-label", button.getAttribute("aria-label"));
    Object.assign(field.style, { position: "fixed", inset: "0 auto auto 0", width: "1px", height: "1px", padding: "0", border: "0", opacity: "0", fontSize: "16px" });
    document.body.append(field);
    field.focus({ preventScroll: true });
    return take(field, () => {
      back?.focus?.({ preventScroll: true });
      field.remove();
    });
  }

  /* Open the dialog. `hear`: begins to take what is written until it is there; returns a function that tells it: { text, enter }. */
  let opening = false;
  const open = async (hear = listen) => {
    if (opening) return;
    opening = true;
    button.setAttribute("aria-busy", "true");
    const early = document.querySelector("dialog[open]") ? undefined : hear();
    try {
      const shown = search.dialog();
      search.prepare().catch(() => {}); // the dialog tries again and tells
      await shown;
      await search.open(early);
    } catch (error) {
      await early?.();
      throw error;
    } finally {
      button.removeAttribute("aria-busy");
      opening = false;
    }
  };

  button?.addEventListener("click", () => open());

  /* A page's own field opens the dialog with what is written into it. This script may run before the field is there. */
  const own = (event) => event.target.closest?.("[data-search]")?.querySelector("input, textarea");
  const fill = (field, composing) => open(() => take(field, () => (field.value = ""), composing));
  document.addEventListener("focusin", (event) => {
    if (own(event)) Promise.all([search.dialog(), search.prepare()]).catch(() => {}); // told when it opens
  });

  /* A field for tracebacks shows what is put into it at once, if it is a message; anything else is searched for. */
  const tracebackForm = (field) => field?.closest("[data-traceback]");
  const searchFor = (text) => open(() => async () => ({ text }));
  async function showPasted(form, text) {
    await search.load("words.js");
    if (!search.telling(text)) return searchFor(text);
    await loadAll("results.js", "traceback.js", "view.js", "dialog.css", "view.css");
    return search.view(form, text);
  }
  document.addEventListener("input", (event) => {
    const field = own(event);
    if (!field?.value) return;
    if (!tracebackForm(field) || !field.value.includes("\n")) return void fill(field, event.isComposing);
    /* Dropped, or put there by a keyboard that does not say that it pastes. */
    const { value } = field;
    field.value = "";
    if (value.trim()) showPasted(tracebackForm(field), value);
  });
  document.addEventListener("paste", (event) => {
    const text = own(event) && event.clipboardData.getData("text");
    /* A field of one line would join the lines of a pasted text, which tell what in it is the message. */
    if (!text?.trim() || !(text.includes("\n") || tracebackForm(own(event)))) return;
    event.preventDefault();
    if (tracebackForm(own(event))) showPasted(tracebackForm(own(event)), text);
    else searchFor(text);
  });
  document.addEventListener("submit", (event) => {
    if (!own(event)) return;
    event.preventDefault();
    fill(own(event), false);
  });
  const written = document.querySelector("[data-search] :is(input, textarea):focus"); // before this script was here
  if (written?.value) fill(written, false);
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
    const command = ctrlKey || metaKey;
    /* "、" is what the key gives while a Chinese input method is on. */
    const slash = /^[/、]$/.test(key) && !command && !target.closest?.("input, textarea, select, [contenteditable]");
    const k = /^k$/i.test(key) && command && !shiftKey;
    if (button && (slash || k) && !altKey && !defaultPrevented) {
      event.preventDefault();
      open();
    }
  });

  const address = new URL(location);
  const query = address.searchParams.get("h");
  if (query) {
    let id = address.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch { /* It holds a "%" that begins no letter. */ }
    addEventListener("load", () => search.highlight(query, id));
    address.searchParams.delete("h");
    if (location.protocol !== "file:") history.replaceState(history.state, "", address);
  }
})();
