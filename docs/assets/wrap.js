/* The button that wraps lines: beside the one that copies, in each block of code whose lines do not fit. What a reader chooses holds
   for all code and outputs, on every page: the template's header marks each page before it is drawn. `page.js` loads this script when
   the first block is pointed at, reached or tapped, and hands that block over. */
(() => {
  "use strict";
  const { element, keep } = self.verbatim;
  const WORDS = { zh: "自动换行", en: "Wrap lines" };
  /* The template's header reads it, too. */
  const STORAGE_KEY = "verbatim.wrap";
  const root = document.documentElement;
  const label = WORDS[root.lang] ?? WORDS.en;
  const wrapped = () => "wrap" in root.dataset;
  const buttons = () => document.querySelectorAll("[data-md-type=wrap]");

  function choose(wrap) {
    keep(STORAGE_KEY, wrap);
    if (wrap) root.dataset.wrap = "";
    else delete root.dataset.wrap;
    for (const button of buttons()) button.setAttribute("aria-pressed", wrap);
  }

  /* What is above a block changes its height, too: the block that is looked at stays where it is. */
  function toggle({ currentTarget: button }) {
    const block = button.closest("pre");
    const { top } = block.getBoundingClientRect();
    choose(!wrapped());
    scrollBy({ top: block.getBoundingClientRect().top - top, behavior: "instant" });
  }

  /**
   * Give a block of code its button, unless all of its lines fit as they are.
   * @param {HTMLPreElement} block
   */
  function meet(block) {
    const bar = block.querySelector(".md-code__nav");
    const code = block.querySelector("code");
    if (!bar || bar.querySelector("[data-md-type=wrap]") || (!wrapped() && code.scrollWidth <= code.clientWidth)) return;
    const button = element("button", { type: "button", className: "md-code__button", title: label });
    button.dataset.mdType = "wrap";
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-pressed", wrapped());
    button.addEventListener("click", toggle);
    bar.append(button);
  }

  const met = ({ target }) => {
    const block = target.closest?.("article pre");
    if (block) meet(block);
  };
  for (const event of ["pointerover", "focusin"]) document.addEventListener(event, met);
  self.verbatimWrap = meet;
})();
