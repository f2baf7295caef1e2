/* The two choices above the list by chapter of "What versions changed": of the list they leave what changed between two releases of
   torch. A cell that prints the same in both is left out, and so is what only runs better in the newer one. */
(() => {
  "use strict";
  const upgrade = (self.verbatimUpgrade ??= {});

  /**
   * The changes of a cell, as the build writes them.
   * @param {string} text "2.0 0 1 changed;…": a release, what the cell printed before and in it, by number, and what kind of change it is.
   * @returns {Step[]} Oldest first.
   * @typedef {{ release: string, was: string, now: string, kind: string }} Step
   */
  upgrade.steps = (text) =>
    text.split(";").map((one) => {
      const [release, was, now, ...kind] = one.split(" ");
      return { release, was, now, kind: kind.join(" ") };
    });

  /**
   * What of it lies between two releases.
   * @param {Step[]} steps
   * @param {string[]} releases All, oldest first.
   * @param {number} first The place among them of the older one, -1 for what is older than all.
   * @param {number} last That of the newer one.
   * @param {string[]} eased Kinds of change after which code that ran before runs as well.
   * @returns {{ found: Step[], differs: boolean }} `differs`: whether the cell prints something else in the newer one.
   */
  upgrade.within = (steps, releases, first, last, eased) => {
    const found = steps.filter(({ release }) => releases.indexOf(release) > first && releases.indexOf(release) <= last);
    const differs = found.length > 0 && found[0].was !== found.at(-1).now && !found.every(({ kind }) => eased.includes(kind));
    return { found, differs };
  };

  const { element } = self.verbatim;

  for (const line of document.querySelectorAll("p.between")) {
    const releases = line.dataset.torch.split(" ");
    const words = JSON.parse(line.dataset.words);
    const eased = JSON.parse(line.dataset.eased);
    const count = line.querySelector("b");
    const all = count.textContent;
    const groups = [];
    for (let next = line.nextElementSibling; next && !next.matches("h2"); next = next.nextElementSibling) {
      /* A chapter's heading goes with the last of it, and so do the links to it in the contents. */
      if (next.matches("h3")) groups.push({ parts: [next, ...document.querySelectorAll(`li:has(> a[href="#${CSS.escape(next.id)}"])`)], items: [] });
      if (!next.matches("ul")) continue;
      groups.at(-1).parts.push(next);
      for (const item of next.children) {
        const cells = [...item.querySelectorAll("[data-steps]")].map((cell) => ({ cell, text: cell.textContent, steps: upgrade.steps(cell.dataset.steps) }));
        groups.at(-1).items.push({ item, cells });
      }
    }

    const choice = () => element("select", { autocomplete: "off" }, new Option(words.all, ""), ...releases.map((release) => new Option(release)));
    const [from, to] = [choice(), choice()];
    const none = element("span");
    for (const told of [count, none]) told.setAttribute("role", "status");
    line.append(" ", element("label", {}, `${words.from} `, from), element("label", {}, `${words.to} `, to), " ", none);

    function show() {
      const first = releases.indexOf(from.value);
      const last = to.value ? releases.indexOf(to.value) : releases.length - 1;
      const any = !from.value && !to.value;
      /* The older one is chosen first. */
      for (const [i, option] of [...to.options].entries()) option.disabled = i > 0 && i - 1 <= first;
      let left = 0;
      for (const { parts, items } of groups) {
        const before = left;
        for (const { item, cells } of items) {
          for (const { cell, text, steps } of cells) {
            const { found, differs } = upgrade.within(steps, releases, first, last, eased);
            cell.hidden = !differs && !any;
            cell.textContent = any ? text : found.map(({ release, kind }) => `· ${release} ${words.kinds[kind]}`).join(" ");
          }
          item.hidden = cells.every(({ cell }) => cell.hidden);
          left += !item.hidden;
        }
        for (const part of parts) part.hidden = left === before;
      }
      count.textContent = any ? all : `${left} / ${all}`;
      none.textContent = left ? "" : words.none;
    }
    from.addEventListener("change", show);
    to.addEventListener("change", show);
  }
})();
