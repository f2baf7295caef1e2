/* Shows a page as the release of PyTorch that a reader has chosen ran it. Its outputs and the built version's change places, so that the
   fold "In other versions" has the latter; not where a page shows both because a claim was true once. Code that does not run there is
   grey, and an output that was not compared there says so. Where a release is chosen already, a page waits in its header for this
   script: each part is seen to as soon as it has arrived whole, before it is drawn, so that nothing moves. */
(() => {
  "use strict";
  const chosen = document.querySelector(".torch select");
  const built = [...chosen.options].find((option) => !option.value).text;
  const here = document.currentScript.src;
  const OUTPUT_PARTS = "details.versions, [data-unrun]";
  const CODE_BLOCK = ".highlight:not(.verbatim)";
  const OUTPUT_LABEL = ".filename, .verbatim-version";
  /* The parts that have arrived, and what takes back what was done to them. */
  const arrived = new Set();
  const undo = [];
  /* The outputs of which the words are compared, each with those of the built version. */
  const swapped = [];

  const find = (element, what) => (element.matches(what) ? element : element.querySelector(what));
  const labelOf = (outputs) => outputs.map((one) => find(one, OUTPUT_LABEL)).find(Boolean);
  /* How the title of outputs names their releases. */
  const release = (element) => find(element, "[data-releases]")?.dataset.releases ?? "";

  /* The built version's outputs of a cell: what stands right above its fold, but for a caption. */
  function above(fold, cell) {
    const found = [];
    for (let element = fold.previousElementSibling; element; element = element.previousElementSibling) {
      if (find(element, cell)) found.unshift(element);
      else if (found.length || !element.matches("p")) break;
    }
    return found;
  }

  /* The code above an output, which may stand in a fold or in a tab. */
  function codeOf(output) {
    for (let element = output; element && element.tagName !== "ARTICLE"; element = element.previousElementSibling ?? element.parentElement) {
      const code = !element.contains(output) && find(element, CODE_BLOCK);
      if (code) return code;
    }
    return undefined;
  }

  /* Add what is so in this release to the label of outputs. `kind`: a key of the words. */
  function say(outputs, kind, named) {
    const label = labelOf(outputs);
    const words = document.querySelector(".release")?.dataset.words;
    if (!label || !words) return;
    const said = document.createElement("span");
    said.className = kind === "unrun" ? kind : "differs";
    said.textContent = ` · ${JSON.parse(words)[kind].replace("{release}", named)}`;
    label.append(said);
    undo.push(() => said.remove());
  }

  function grey(code) {
    code.classList.add("idle");
    undo.push(() => code.classList.remove("idle"));
  }

  function swap(fold) {
    const theirs = [...fold.children].filter((one) => find(one, `[data-torch~="${chosen.value}"]`));
    if (!theirs.length) return;
    if (fold.closest(".once")) {
      say(theirs, "differs", built);
      return;
    }
    const { verbatim: cell, since, until } = find(theirs[0], "[data-verbatim]").dataset;
    const ours = above(fold, `[data-verbatim="${cell}"]`);
    if (!ours.length) return;
    const code = (since || until) && codeOf(ours[0]);
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
    if (since) say(theirs, "since", since);
    else if (until) say(theirs, "until", until);
    else say(theirs, "differs", built);
    if (code) grey(code);
    else swapped.push([theirs, ours]); // that the code does not run there differs in every word
  }

  function see(part) {
    if (!chosen.value) return;
    if (part.matches("details")) swap(part);
    else if (part.dataset.unrun.split(" ").includes(chosen.value)) say([part], "unrun", chosen.value);
  }

  /* What in the outputs differs, once they stand there: that moves nothing. */
  let comparing;
  function compare() {
    if (!self.CSS?.highlights || !(swapped.length || comparing)) return;
    comparing ??= self.verbatim.load(new URL(`differ.js${new URL(here).search}`, here)); // page.js has run: the page is here
    comparing.then(() => self.verbatimDiffer.mark(swapped), () => {}); // the labels say that it differs
  }

  /* An element is whole once the parser has begun another behind it. */
  const whole = (element) => element.tagName !== "ARTICLE" && (element.nextElementSibling || whole(element.parentElement));
  function look(all) {
    for (const part of document.querySelectorAll(OUTPUT_PARTS)) {
      if (arrived.has(part) || (!all && !whole(part))) continue;
      arrived.add(part);
      see(part);
    }
  }

  const arriving = new MutationObserver(() => look(false));
  function finish() {
    arriving.disconnect();
    look(true);
    compare();
  }
  if (document.readyState === "loading") {
    arriving.observe(document.documentElement, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", finish);
  } else {
    finish();
  }
  chosen.addEventListener("change", () => {
    undo.splice(0).forEach((back) => back());
    swapped.length = 0;
    arrived.forEach(see);
    compare();
  });
})();
