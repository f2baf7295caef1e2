/* Says at the top of a page what came of it in the release of PyTorch that a reader has chosen, leads from one output that differs to
   the next, and keeps the release in the address, so that a link shows what its sender saw. Where one is chosen already, the page waits
   in its header for this script: the line is there when the page is drawn. */
(() => {
  "use strict";
  const chosen = document.querySelector(".torch select");
  const PARAMETER = "torch";
  const built = [...chosen.options].find((option) => !option.value).text;
  /* The release that the address names, without its build: "2.6.0+cu124". What is no release is not said to be one. */
  const [asked = ""] = new URL(location).searchParams.get(PARAMETER)?.match(/^\d[\w.]{0,15}/) ?? [];
  /* Whether the book was run with it: "2.6" is the newest 2.6. */
  const known = !asked || [...chosen.options].some(({ text }) => `${text}.`.startsWith(`${asked}.`));

  /**
   * The sentence for what the build found of a page in a release.
   * @param {Object<string, string>} words Sentences by verdict; `more` is for numbers that have none of their own.
   * @param {string} verdict The number of places that differ, with "~" where only a part of the page was compared; "?" where nothing was.
   * @returns {string}
   */
  function sentence(words, verdict) {
    const [, places, part] = /^(\d*)(.?)$/.exec(verdict);
    return (words[places + part] ?? words[`more${part}`]).replace("{places}", places);
  }

  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };

  function back() {
    chosen.value = "";
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
    chosen.focus();
  }

  /* The next output that differs, from the top again after the last one. What hides it, a question, stays closed. */
  let at = -1;
  function next() {
    const places = [...document.querySelectorAll("article .differs")];
    if (!places.length) return;
    at = (at + 1) % places.length;
    const place = places[at].closest("details:not([open])") ?? places[at].closest("[data-verbatim]");
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
  }

  function tell(line, wanted) {
    const words = JSON.parse(line.dataset.words);
    const verdict = new Map(line.dataset.ran.split(" ").map((one) => one.split("="))).get(chosen.value);
    const said = wanted ? words.unknown : verdict ? sentence(words, verdict) : "";
    line.hidden = !said;
    at = -1;
    line.textContent = said.replaceAll("{release}", wanted || chosen.value).replaceAll("{built}", built);
    if (!wanted && parseInt(verdict, 10) && words.next) line.append(" ", button(words.next, next));
    if (chosen.value) line.append(" ", button(words.back.replace("{built}", built), back));
  }

  /* The address, and that of the same page in the other language, name the release. */
  function keep() {
    const address = new URL(location);
    if (chosen.value) address.searchParams.set(PARAMETER, chosen.value);
    else address.searchParams.delete(PARAMETER);
    for (const link of document.querySelectorAll("a.switch")) link.search = chosen.value && `${PARAMETER}=${chosen.value}`;
    if (address.href === location.href) return;
    try {
      history.replaceState(history.state, "", address);
    } catch { /* In a folder some browsers refuse it. */ }
  }

  const announce = (line) => {
    document.querySelector(".torch output").textContent = line.hidden ? `PyTorch ${built}` : line.firstChild.textContent;
  };

  function begin() {
    const line = document.querySelector(".release");
    if (!line) return false;
    tell(line, known ? "" : asked);
    if (known && chosen.value) keep();
    if (document.readyState !== "loading") announce(line); // the choice brought this script
    chosen.addEventListener("change", () => {
      keep();
      tell(line, "");
      announce(line);
    });
    return true;
  }

  self.verbatimTold = { sentence };

  if (!begin()) {
    const arriving = new MutationObserver(() => {
      if (begin()) arriving.disconnect();
    });
    arriving.observe(document.documentElement, { childList: true, subtree: true });
  }
})();
