/* "Always show outputs": for readers who want no questions, the folds that ask are open before they are drawn, so that nothing
   moves. A page that has such folds waits in its header for this script. */
(() => {
  "use strict";
  const KEY = "verbatim.outputs";
  const each = (selector, act) => document.querySelectorAll(selector).forEach(act);
  let always = false;
  try {
    always = localStorage.getItem(KEY) === "always";
  } catch { /* A browser that keeps nothing asks again. */ }

  const show = () => {
    each("details.asks:not([open])", (fold) => { fold.open = true; });
    each(".always input:not(:checked)", (box) => { box.checked = true; });
  };
  if (always) {
    const arriving = new MutationObserver(show);
    arriving.observe(document.documentElement, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", () => arriving.disconnect());
  }

  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".always input")) return;
    always = target.checked;
    try {
      if (always) localStorage.setItem(KEY, "always");
      else localStorage.removeItem(KEY);
    } catch { /* Then it holds for this page. */ }
    each(".always input", (box) => { box.checked = always; });
    /* Only what follows: what is being read stays where it is. */
    each("details.asks", (fold) => {
      if (target.compareDocumentPosition(fold) & Node.DOCUMENT_POSITION_FOLLOWING) fold.open = always;
    });
  });
})();
