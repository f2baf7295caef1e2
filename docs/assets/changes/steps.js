/* "What versions changed": of the list by chapter only what changed between two releases that a reader chooses. A cell that prints in
   both what it printed before is left out, and so is what only runs better in the newer one. */
(() => {
  "use strict";
  const upgrade = (self.verbatimUpgrade ??= {});

  /* The changes of a cell, as the build writes them: [{ release, was, now, kind }], oldest first. */
  upgrade.steps = (text) =>
    text.split(";").map((one) => {
      const [release, was, now, ...kind] = one.split(" ");
      return { release, was, now, kind: kind.join(" ") };
    });

  /* Of these the ones behind the first and up to the last release (their places among all); and whether the cell prints something
     else in the last one. `eased`: kinds of change after which code that ran before runs as well. */
  upgrade.within = (steps, releases, first, last, eased) => {
    const found = steps.filter(({ release }) => releases.indexOf(release) > first && releases.indexOf(release) <= last);
    const differs = found.length > 0 && found[0].was !== found.at(-1).now && !found.every(({ kind }) => eased.includes(kind));
    return { found, differs };
  };

  for (const line of self.document?.querySelectorAll("p.between") ?? []) {
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

    const choice = (key) => {
      const label = document.createElement("label");
      const select = document.createElement("select");
      select.append(new Option(words.all, ""), ...releases.map((release) => new Option(release)));
      select.autocomplete = "off";
      label.append(`${words[key]} `, select);
      return { label, select };
    };
    const [from, to] = [choice("from"), choice("to")];
    const none = document.createElement("span");
    count.setAttribute("role", "status");
    none.setAttribute("role", "status");
    line.append(" ", from.label, to.label, " ", none);

    function show() {
      const first = releases.indexOf(from.select.value);
      const last = to.select.value ? releases.indexOf(to.select.value) : releases.length - 1;
      const any = !from.select.value && !to.select.value;
      /* The older one is chosen first. */
      for (const [i, option] of [...to.select.options].entries()) option.disabled = i > 0 && i - 1 <= first;
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
    from.select.addEventListener("change", show);
    to.select.addEventListener("change", show);
  }
})();
