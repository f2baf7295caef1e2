/* What Material's script leaves to do. */
(() => {
  "use strict";
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);

  /* -- The other language opens at the section that is being read: headings have the same ids in both. */
  each(".switch", (link) => {
    link.addEventListener("click", () => {
      const read = scrollY > 0 && document.querySelector(".md-sidebar--secondary .md-nav__link--active");
      link.hash = read ? read.hash : "";
    });
  });

  /* -- What scrolls in its box can be reached with the keyboard; code is Material's. */
  const boxes = document.querySelectorAll(".table, .math-display, .jp-OutputArea-output");
  const reach = () => boxes.forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  reach();
  addEventListener("resize", reach);

  /* -- Names for what Material's script puts into code: its copy buttons would be landmarks of the page, all of one name,
        and its annotations links without a text. */
  const article = document.querySelector("article");
  const label = () => {
    each(".md-code__nav:not([role])", (buttons) => buttons.setAttribute("role", "none"));
    each(".md-annotation__index:not([aria-label])", (link) => {
      const number = link.querySelector("[data-md-annotation-id]")?.dataset.mdAnnotationId ?? "";
      link.setAttribute("aria-label", `${document.documentElement.lang === "zh" ? "注" : "Note"} ${number}`);
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

  /* -- Opened from a folder, a link to a folder would show its list of files. */
  if (location.protocol === "file:") {
    each("a[href]", (link) => {
      if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
    });
  }
})();
