/* Puts the outputs of the release of PyTorch that a reader has chosen in the place of the built version's, and those into the fold
   "In other versions"; not where a page shows both because a claim was true once. A page that has such folds waits in its header for
   this script: each fold is seen to as soon as it has arrived whole, before it is drawn, so that nothing moves. */
(() => {
  "use strict";
  const chosen = document.querySelector(".torch select");
  /* The folds that have arrived, and what takes back what was done to them. */
  const arrived = new Set();
  const undo = [];

  const find = (element, what) => (element.matches(what) ? element : element.querySelector(what));
  const release = (element) => (element.querySelector(".filename") ?? element).textContent.split(" · ").pop().trim();

  /* The built version's outputs of a cell: what stands right above its fold, but for a caption. */
  function above(fold, cell) {
    const found = [];
    for (let element = fold.previousElementSibling; element; element = element.previousElementSibling) {
      if (find(element, cell)) found.unshift(element);
      else if (found.length || !element.matches("p")) break;
    }
    return found;
  }

  function swap(fold) {
    const theirs = chosen.value ? [...fold.children].filter((one) => find(one, `[data-torch~="${chosen.value}"]`)) : [];
    if (!theirs.length || fold.closest(".once")) return;
    const ours = above(fold, `[data-verbatim="${find(theirs[0], "[data-verbatim]").dataset.verbatim}"]`);
    if (!ours.length) return;
    const summary = fold.querySelector("summary");
    const text = summary.textContent;
    const outside = document.createComment("");
    const within = document.createComment("");
    ours[0].before(outside);
    theirs[0].before(within);
    summary.textContent = text.replace(release(theirs[0]), release(ours[0]));
    outside.after(...theirs);
    within.after(...ours);
    undo.push(() => {
      outside.after(...ours);
      within.after(...theirs);
      outside.remove();
      within.remove();
      summary.textContent = text;
    });
  }

  /* An element is whole once the parser has begun another behind it. */
  const whole = (element) => element.tagName !== "ARTICLE" && (element.nextElementSibling || whole(element.parentElement));
  function look(all) {
    for (const fold of document.querySelectorAll("details.versions")) {
      if (arrived.has(fold) || (!all && !whole(fold))) continue;
      arrived.add(fold);
      swap(fold);
    }
  }

  const arriving = new MutationObserver(() => look(false));
  arriving.observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    arriving.disconnect();
    look(true);
  });
  chosen.addEventListener("change", () => {
    undo.splice(0).forEach((back) => back());
    arrived.forEach(swap);
  });
})();
