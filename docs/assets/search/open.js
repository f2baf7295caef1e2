/* The only search script that every page loads. It opens the search (a click, "/", Ctrl+K or ⌘K), and highlights what was
   searched for on the page that a result led to. Everything else is loaded when it is needed. */
(() => {
  "use strict";
  const here = document.currentScript.src;
  const scripts = {};
  /* The version of this folder's files, for those that have none of their own: a browser that keeps some never mixes two builds. */
  const version = new URL(here).search;

  const search = (self.verbatimSearch = {
    language: document.documentElement.lang.split("-")[0],
    root: new URL("../../", here),
    /* Load a script of this folder, once. Scripts run in the order in which they were asked for. */
    load(name) {
      return (scripts[name] ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.async = false;
        script.src = new URL(name.includes("/") ? name : name + version, here);
        script.onload = resolve;
        script.onerror = () => {
          delete scripts[name];
          script.remove();
          reject(new Error(`${script.src} cannot be loaded`));
        };
        document.head.append(script);
      }));
    },

    /* The dialog and all that it is shown with, at once: on a slow line each wait for the next file costs a round trip. */
    dialog: () => Promise.all([...["words.js", "results.js", "dialog.js"].map(search.load), styled("dialog.css")]),

    /* Parts of the index hand themselves over here. */
    arrived: {},
    part(version, name, data) {
      search.arrived[name] = { version, data };
    },

    /* What is shown before anything is typed. */
    async start() {
      await search.load(`${search.language}/index.js`);
      return search.arrived.index.data;
    },

    /* What a search needs besides the dialog. */
    prepare: () => Promise.all(["words.js", "messages.js", "engine.js", "minisearch.js", `${search.language}/index.js`].map(search.load)),

    /* Mark a query's words in the section with this id. */
    async highlight(query, id) {
      await Promise.all([search.load("words.js"), search.load("highlight.js")]);
      search.mark(query, id);
    },
  });

  const styles = {};
  const styled = (name) =>
    (styles[name] ??= new Promise((resolve) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = new URL(name + version, here);
      link.onload = link.onerror = resolve;
      document.head.append(link);
    }));

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
  const shows = (field) => field?.closest("[data-traceback]");
  const searched = (text) => open(() => async () => ({ text }));
  async function given(form, text) {
    await search.load("words.js");
    if (!search.telling(text)) return searched(text);
    await Promise.all([...["results.js", "traceback.js", "view.js"].map(search.load), styled("dialog.css"), styled("view.css")]);
    return search.view(form, text);
  }
  document.addEventListener("input", (event) => {
    const field = own(event);
    if (!field?.value) return;
    if (!shows(field) || !field.value.includes("\n")) return void fill(field, event.isComposing);
    /* Dropped, or put there by a keyboard that does not say that it pastes. */
    const { value } = field;
    field.value = "";
    if (value.trim()) given(shows(field), value);
  });
  document.addEventListener("paste", (event) => {
    const text = own(event) && event.clipboardData.getData("text");
    /* A field of one line would join the lines of a pasted text, which tell what in it is the message. */
    if (!text?.trim() || !(text.includes("\n") || shows(own(event)))) return;
    event.preventDefault();
    if (shows(own(event))) given(shows(own(event)), text);
    else searched(text);
  });
  document.addEventListener("submit", (event) => {
    if (!own(event)) return;
    event.preventDefault();
    fill(own(event), false);
  });
  const written = document.querySelector("[data-search] :is(input, textarea):focus"); // before this script was here
  if (written?.value) fill(written, false);
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

  /* An address may hold a "%" that begins no letter. */
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };

  const address = new URL(location);
  const query = address.searchParams.get("h");
  if (query) {
    addEventListener("load", () => search.highlight(query, decoded(address.hash.slice(1))));
    address.searchParams.delete("h");
    if (location.protocol !== "file:") history.replaceState(history.state, "", address);
  }
})();
