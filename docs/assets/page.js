/* What every page does besides what Material's script does: a block each, none of which sees another. What few readers need comes in
   scripts of its own, when it is needed. `self.verbatim` has what those share. */
(() => {
  "use strict";
  const WORDS = { zh: "注", en: "Note" };
  /* Between these widths Material shows the list of pages in a column, and its script does not scroll it: its own breakpoints. */
  const LIST_ONLY = "(min-width: 60em) and (max-width: 76.234375em)";
  /* The browser rounds: a row less than so far outside of its list is within. */
  const ROUNDING_PX = 1;
  /* A button says for so long that it has copied: long enough to be read after the eye was elsewhere. */
  const COPIED_MS = 2000;
  /* A page is fetched ahead when its link was met for so long, by event: who moves across a list, or tabs through it, means none of
     it; who touches, one. */
  const AHEAD_MS = { pointerover: 80, touchstart: 0, focusin: 200, "vs-chosen": 200 };

  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  /**
   * Make an element.
   * @param {string} tag
   * @param {object} [properties] Properties of the element, by their names in JavaScript.
   * @param {...(Node | string)} children
   * @returns {HTMLElement}
   */
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  const scripts = {};
  /**
   * Load a script, once.
   * @param {string | URL} address
   * @returns {Promise<Event>} Rejected where it cannot be loaded.
   */
  const load = (address) =>
    (scripts[address] ??= new Promise((onload, onerror) => document.head.append(element("script", { src: address, onload, onerror }))));

  /**
   * Keep in the browser what a reader has chosen, for all pages. Where it keeps nothing, the choice holds for this page.
   * @param {string} key
   * @param {boolean} chosen
   */
  const keep = (key, chosen) => {
    try {
      if (chosen) localStorage.setItem(key, "always");
      else localStorage.removeItem(key);
    } catch { /* It keeps nothing. */ }
  };

  self.verbatim = { element, load, keep };

  /* -- The other language opens at the section that is being read: headings have the same ids in both. */
  each(".switch", (link) => {
    link.addEventListener("click", () => {
      const read = scrollY > 0 && document.querySelector(".md-sidebar--secondary .md-nav__link--active");
      link.hash = read ? read.hash : "";
    });
  });

  /* -- The list of pages begins where the reader is. Material's script sees to it on wider screens alone. */
  {
    const own = document.querySelector(".md-nav--primary a.md-nav__link--active");
    const list = own?.closest(".md-sidebar__scrollwrap");
    if (list && matchMedia(LIST_ONLY).matches) {
      const [row, box] = [own, list].map((part) => part.getBoundingClientRect());
      if (row.top < box.top - ROUNDING_PX || row.bottom > box.bottom + ROUNDING_PX) list.scrollTop += row.top - box.top - list.clientHeight / 2;
    }
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
  {
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
  }

  /* -- "Always show outputs": for readers who want no questions, the header has marked the page before anything was drawn, and its
        stylesheet shows what the folds that ask hold. So nothing moves when they open here. */
  {
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
      keep("verbatim.outputs", always);
      tick(always);
      /* Only what follows: what is being read stays where it is. */
      each("details.asks", (fold) => {
        if (target.compareDocumentPosition(fold) & Node.DOCUMENT_POSITION_FOLLOWING) fold.open = always;
      });
    });
  }

  /* -- Names for what Material's script puts into code: its copy buttons would be landmarks of the page, all of one name,
        and its annotations links without a text. */
  {
    const note = WORDS[document.documentElement.lang] ?? WORDS.en;
    const article = document.querySelector("article");
    const label = () => {
      each(".md-code__nav:not([role])", (buttons) => buttons.setAttribute("role", "none"));
      each(".md-annotation__index:not([aria-label])", (link) => {
        const number = link.querySelector("[data-md-annotation-id]")?.dataset.mdAnnotationId ?? "";
        link.setAttribute("aria-label", `${note} ${number}`);
      });
    };
    label();
    if (article) new MutationObserver(label).observe(article, { childList: true, subtree: true });
  }

  /* -- The drawer by keyboard: Material opens it with a label, which the keyboard does not reach. */
  {
    const drawer = document.getElementById("__drawer");
    const menu = document.querySelector(".md-header label[for=__drawer]");
    if (drawer && menu) {
      const button = element("button", { type: "button", className: `${menu.className} menu` }, ...menu.childNodes);
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
        setTimeout(() => button.replaceChildren(...label), COPIED_MS);
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

  /* -- What a name is, and where a link leads: for the first one that is pointed at, reached or tapped. A link that is tapped leads
        there; a name that is, tells first. */
  if (hover) {
    const meet = (event) => {
      const touched = event.pointerType === "touch";
      const met = touched ? "article :is(a.term, a[href*=torch], pre)" : "article :is(a[href], pre)";
      if (self.verbatimHover || !event.target.closest?.(met)) return;
      const tap = touched && event.type === "click" && event.target.closest("a");
      if (tap) event.preventDefault();
      load(hover).then(() => self.verbatimHover.meet(event), () => { if (tap) location.href = tap.href; });
    };
    for (const event of ["pointerover", "focusin", "click"]) document.addEventListener(event, meet);
  }

  /* -- The button that wraps lines: for the first block of code that is pointed at, reached or tapped. */
  if (wrap) {
    const meet = ({ target }) => {
      const block = self.verbatimWrap ? undefined : target.closest?.("article pre");
      if (block) load(wrap).then(() => self.verbatimWrap(block), () => {});
    };
    for (const event of ["pointerover", "focusin"]) document.addEventListener(event, meet);
  }

  /* -- The next page is there at once: what is pointed at, or chosen in the search, is fetched ahead. */
  {
    const fetched = new Set([location.pathname]);
    const ahead = (link) => {
      const address = new URL(link.href);
      const known = address.pathname + address.search;
      if (address.origin !== location.origin || !address.pathname.endsWith("/") || fetched.has(known)) return;
      fetched.add(known);
      document.head.append(element("link", { rel: "prefetch", href: address.href.split("#")[0] }));
    };
    const { saveData, effectiveType } = navigator.connection ?? {};
    if (!saveData && !/2g/.test(effectiveType) && location.protocol !== "file:") {
      let meant;
      for (const [event, wait] of Object.entries(AHEAD_MS)) {
        document.addEventListener(event, ({ target }) => {
          const link = target.closest?.("a[href]:not([download])");
          clearTimeout(meant);
          if (link) meant = setTimeout(ahead, wait, link);
        }, { passive: true });
      }
    }
  }

  /* -- Opened from a folder, a link to a folder would show its list of files. */
  if (location.protocol === "file:") {
    each("a[href]", (link) => {
      if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
    });
  }
})();
