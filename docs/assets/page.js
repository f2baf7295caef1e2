/* What a page does beyond being read: copy, dark and light, the other language at the same section, where one is. */
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.remove("no-js");
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  /* -- Dark and light. The head of the page has set the scheme before anything was drawn. */
  each(".scheme", (button) => {
    const dark = () => root.dataset.mdColorScheme === "slate";
    const tell = () => button.setAttribute("aria-pressed", dark());
    const set = (scheme) => {
      root.dataset.mdColorScheme = scheme;
      tell();
    };
    const system = matchMedia("(prefers-color-scheme: dark)");
    const stored = (value) => {
      try {
        return value ? localStorage.setItem("verbatim-scheme", value) : localStorage.getItem("verbatim-scheme");
      } catch {
        return null; // storage may be forbidden: the choice then lasts as long as the page
      }
    };
    button.addEventListener("click", () => {
      set(dark() ? "default" : "slate");
      stored(root.dataset.mdColorScheme);
    });
    system.addEventListener("change", () => stored() || set(system.matches ? "slate" : "default"));
    tell();
  });

  /* -- Copy: the code alone. The numbers of notes are drawn by the stylesheet, so they are not in the text. */
  const icon = "M19 21H8V7h11m0-2H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2m-3-4H4a2 2 0 0 0-2 2v14h2V3h12z";
  const done = "M21 7 9 19l-5.5-5.5 1.41-1.41L9 16.17 19.59 5.59z";
  const { copy, copied } = document.body.dataset;
  const write = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // pages that are not served over HTTPS
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };
  each(".md-typeset .highlight:not(.no-copy)", (block) => {
    const code = block.querySelector("code");
    if (!code) return;
    const button = document.createElement("button");
    const draw = (path, label) => {
      button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    button.type = "button";
    button.className = "copy";
    draw(icon, copy);
    let timer;
    button.addEventListener("click", async () => {
      await write(code.textContent.replace(/[ \t]+$/gm, "").trimEnd() + "\n");
      draw(done, copied);
      clearTimeout(timer);
      timer = setTimeout(() => draw(icon, copy), 2000);
    });
    block.append(button);
  });

  /* -- What scrolls in its box can be reached with the keyboard. */
  const boxes = document.querySelectorAll(".md-typeset pre > code, .md-typeset .table, .md-typeset .math-display, .jp-OutputArea-output");
  const reach = () => boxes.forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  reach();
  addEventListener("resize", reach);

  /* -- Which section is being read: marked in the page's contents, and kept when the language changes. */
  const headings = [...document.querySelectorAll(".content :is(h2, h3)[id]")];
  const links = new Map();
  each(".toc a[href^='#']", (link) => links.set(decodeURIComponent(link.hash.slice(1)), link));
  const current = () => headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop();
  let marked;
  const mark = () => {
    const link = links.get(current()?.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    marked = link;
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  }, { passive: true });
  mark();

  each(".switch", (link) => {
    link.addEventListener("click", () => {
      const heading = current();
      link.hash = heading ? heading.id : "";
    });
  });

  /* -- The page's own entry among the chapters is in sight. */
  const chapters = document.getElementById("chapters");
  const entry = chapters?.querySelector("a[aria-current]");
  const show = () => {
    if (entry) chapters.scrollTop += entry.getBoundingClientRect().top - chapters.getBoundingClientRect().top - chapters.clientHeight / 2;
  };
  show();
  chapters?.addEventListener("toggle", show);

  /* -- Tabs of one name open together, and on the next page, too: who reads for CUDA reads for CUDA. */
  const tabs = [...document.querySelectorAll(".tabbed-set > input")];
  const name = (tab) => document.querySelector(`label[for="${CSS.escape(tab.id)}"]`)?.textContent;
  const open = (chosen) => tabs.forEach((tab) => {
    if (name(tab) === chosen) tab.checked = true;
  });
  try {
    open(localStorage.getItem("tab"));
  } catch {
    /* Storage may be forbidden: then each page begins with its first tab. */
  }
  tabs.forEach((tab) => tab.addEventListener("change", () => {
    open(name(tab));
    try {
      localStorage.setItem("tab", name(tab));
    } catch {
      /* see above */
    }
  }));

  /* -- Paper shows what is folded. */
  addEventListener("beforeprint", () => each("details:not([open])", (box) => {
    if (box.closest("main")) {
      box.open = true;
      box.dataset.opened = "";
    }
  }));
  addEventListener("afterprint", () => each("details[data-opened]", (box) => {
    box.open = false;
    delete box.dataset.opened;
  }));
})();
