/* What Material's script leaves to do. */
(() => {
  "use strict";
  const WORDS = {
    zh: { note: "注" },
    en: { note: "Note" },
  };
  const words = WORDS[document.documentElement.lang] ?? WORDS.en;
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  /* -- The other language opens at the section that is being read: headings have the same ids in both. */
  each(".switch", (link) => {
    link.addEventListener("click", () => {
      const read = scrollY > 0 && document.querySelector(".md-sidebar--secondary .md-nav__link--active");
      link.hash = read ? read.hash : "";
    });
  });

  /* -- The list of pages begins where the reader is. Material's script sees to it on wider screens alone. */
  const own = document.querySelector(".md-nav--primary a.md-nav__link--active");
  const list = own?.closest(".md-sidebar__scrollwrap");
  if (list && matchMedia("(min-width: 60em) and (max-width: 76.234375em)").matches) {
    const [row, box] = [own, list].map((one) => one.getBoundingClientRect());
    if (row.top < box.top - 1 || row.bottom > box.bottom + 1) list.scrollTop += row.top - box.top - list.clientHeight / 2;
  }

  /* -- Another tab has changed the colours. */
  addEventListener("storage", ({ key, newValue }) => {
    const chosen = key?.endsWith(".__palette") && document.querySelectorAll("input[name=__palette]")[JSON.parse(newValue ?? "{}").index ?? 0];
    if (!chosen || chosen.checked) return;
    chosen.checked = true;
    chosen.dispatchEvent(new Event("change"));
  });

  /* -- What scrolls in its box can be reached with the keyboard. For code Material's script sees to it, but where a screen is touched
        it takes that back: a keyboard may be at hand there, too. */
  const touched = matchMedia("(hover: none)").matches;
  const boxes = document.querySelectorAll(`.table, .math-display, .jp-OutputArea-output, p:has(> img:only-child)${touched ? ", .highlight pre > code" : ""}`);
  const reach = () => boxes.forEach((box) => {
    const scrolls = box.scrollWidth > box.clientWidth;
    if (scrolls === box.hasAttribute("tabindex")) return;
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  reach();
  addEventListener("resize", reach);
  if (touched) new MutationObserver(reach).observe(document.body, { subtree: true, attributeFilter: ["tabindex"] });

  /* -- "Always show outputs": for readers who want no questions, the header has marked the page before anything was drawn, and its
        stylesheet shows what the folds that ask hold. So nothing moves when they open here. */
  const { dataset } = document.documentElement;
  const tick = (always) => each(".always input", (box) => { box.checked = always; });
  if ("outputs" in dataset) {
    each("details.asks", (fold) => { fold.open = true; });
    tick(true);
    delete dataset.outputs;
  }
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".always input")) return;
    const always = target.checked;
    try {
      if (always) localStorage.setItem("verbatim.outputs", "always");
      else localStorage.removeItem("verbatim.outputs");
    } catch { /* Then it holds for this page. */ }
    tick(always);
    /* Only what follows: what is being read stays where it is. */
    each("details.asks", (fold) => {
      if (target.compareDocumentPosition(fold) & Node.DOCUMENT_POSITION_FOLLOWING) fold.open = always;
    });
  });

  /* -- Names for what Material's script puts into code: its copy buttons would be landmarks of the page, all of one name,
        and its annotations links without a text. */
  const article = document.querySelector("article");
  const label = () => {
    each(".md-code__nav:not([role])", (buttons) => buttons.setAttribute("role", "none"));
    each(".md-annotation__index:not([aria-label])", (link) => {
      const number = link.querySelector("[data-md-annotation-id]")?.dataset.mdAnnotationId ?? "";
      link.setAttribute("aria-label", `${words.note} ${number}`);
    });
  };
  label();
  if (article) new MutationObserver(label).observe(article, { childList: true, subtree: true });

  /* -- The drawer by keyboard: Material opens it with a label, which the keyboard does not reach. */
  const drawer = document.getElementById("__drawer");
  const menu = document.querySelector(".md-header label[for=__drawer]");
  if (drawer && menu) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `${menu.className} menu`;
    button.append(...menu.childNodes);
    button.setAttribute("aria-label", document.querySelector(".md-nav--primary")?.getAttribute("aria-label") ?? "");
    const tell = () => button.setAttribute("aria-expanded", drawer.checked);
    const open = (opened) => {
      drawer.checked = opened;
      drawer.dispatchEvent(new Event("change"));
    };
    menu.replaceWith(button);
    tell();
    button.addEventListener("click", () => {
      open(true);
      document.querySelector(".md-nav--primary a")?.focus();
    });
    drawer.addEventListener("change", tell);
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !drawer.checked) return;
      open(false);
      button.focus();
    });
  }

  /* -- A menu closes with Escape, which leaves the keyboard on it, and where something else is clicked or reached. */
  for (const event of ["keydown", "click", "focusin"]) {
    document.addEventListener(event, ({ key, target }) => {
      const menu = document.querySelector(".menu-of[open]");
      if (!menu) return;
      const left = !menu.contains(target);
      const done = { keydown: key === "Escape", click: left || target.closest("a"), focusin: left };
      if (!done[event]) return;
      menu.open = false;
      if (key) menu.querySelector("summary").focus();
    });
  }

  /* -- What buttons copy: the page as Markdown, from its file, which a page opened from a folder may not read; a file's address. */
  each("button[data-copied]", (button) => {
    if (!navigator.clipboard || !self.ClipboardItem || location.protocol === "file:") {
      button.parentElement.hidden = true;
      return;
    }
    const { markdown, address, copied } = button.dataset;
    const label = [...button.childNodes];
    const text = async () => {
      if (address) return new URL(address, location).href;
      const answer = await fetch(markdown);
      return answer.ok ? answer.text() : Promise.reject(answer.status);
    };
    button.addEventListener("click", async () => {
      try {
        /* The promise is handed over: Safari lets a page write only while it handles the click. */
        const plain = text().then((copied) => new Blob([copied], { type: "text/plain" }));
        await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
        button.textContent = copied;
        setTimeout(() => button.replaceChildren(...label), 2000);
      } catch {
        location.href = address ?? markdown;
      }
    });
  });

  /* -- A command that names this site names the host that the page is read from: a mirror, or the folder of an unpacked zip. */
  const canonical = document.querySelector("link[rel=canonical]")?.href;
  const { base, hover, wrap } = JSON.parse(document.getElementById("__config")?.textContent ?? "{}");
  each(".install code", (code) => {
    if (canonical) code.textContent = code.textContent.replaceAll(new URL(`${base}/`, canonical).href, new URL(`${base}/`, location).href);
  });

  /* -- Scripts that come with the first thing that needs them, which gets the event: a function that fetches one, once. */
  const coming = (address) => {
    let script;
    return () =>
      (script ??= new Promise((loaded, failed) => {
        const element = document.createElement("script");
        element.src = address;
        element.onload = loaded;
        element.onerror = failed;
        document.head.append(element);
      }));
  };

  /* -- What a name is, and where a link leads: for the first one that is pointed at, reached or tapped. A link that is tapped leads
        there; a name that is, tells first. */
  if (hover) {
    const come = coming(hover);
    const meet = (event) => {
      const touched = event.pointerType === "touch";
      const met = touched ? "article :is(a.term, a[href*=torch], pre)" : "article :is(a[href], pre)";
      if (self.verbatimHover || !event.target.closest?.(met)) return;
      const tap = touched && event.type === "click" && event.target.closest("a");
      if (tap) event.preventDefault();
      come().then(() => self.verbatimHover.meet(event), () => { if (tap) location.href = tap.href; });
    };
    for (const event of ["pointerover", "focusin", "click"]) document.addEventListener(event, meet);
  }

  /* -- The button that wraps lines: for the first block of code that is pointed at, reached or tapped. */
  if (wrap) {
    const come = coming(wrap);
    const meet = ({ target }) => {
      const block = self.verbatimWrap ? undefined : target.closest?.("article pre");
      if (block) come().then(() => self.verbatimWrap(block), () => {});
    };
    for (const event of ["pointerover", "focusin"]) document.addEventListener(event, meet);
  }

  /* -- The next page is there at once: what is pointed at, or chosen in the search, is fetched ahead. */
  const fetched = new Set([location.pathname]);
  const ahead = (link) => {
    const address = new URL(link.href);
    const known = address.pathname + address.search;
    if (address.origin !== location.origin || !address.pathname.endsWith("/") || fetched.has(known)) return;
    fetched.add(known);
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = address.href.split("#")[0];
    document.head.append(hint);
  };
  const { saveData, effectiveType } = navigator.connection ?? {};
  if (!saveData && !/2g/.test(effectiveType) && location.protocol !== "file:") {
    let meant;
    for (const [event, wait] of [["pointerover", 80], ["touchstart", 0], ["focusin", 200], ["vs-chosen", 200]]) {
      document.addEventListener(event, ({ target }) => {
        const link = target.closest?.("a[href]:not([download])");
        clearTimeout(meant);
        if (link) meant = setTimeout(ahead, wait, link);
      }, { passive: true });
    }
  }

  /* -- Opened from a folder, a link to a folder would show its list of files. */
  if (location.protocol === "file:") {
    each("a[href]", (link) => {
      if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
    });
  }
})();
