/* What two releases of torch do differently for the names that code uses. `explain/src/pytorch_verbatim/changes.py` finds the same in
   the same data, and a test compares both. */
(() => {
  "use strict";
  const upgrade = (self.verbatimUpgrade ??= {});

  /* What differs between two releases in a cell that speaks for some names; undefined if nothing is told of it. That a name is
     deprecated, or removed, is told whatever the older release says: code that uses it ran there. */
  function stepOf({ prints, steps }, old, now, about) {
    const [here, there] = [old, now].map((release) => prints.findIndex(({ releases }) => releases.includes(release)));
    if (there < 0) return undefined;
    const step = steps[`${here} ${there}`];
    let kind = step?.kind;
    if (about.some((name) => prints[there].deprecates.includes(name))) kind = "deprecated";
    else if (about.some((name) => prints[there].removes.includes(name)) && here !== there) kind = "gone";
    return kind && { lines: prints[there].messages.map((text) => ` ${text}`), more: 0, cause: [], ...step, kind };
  }

  /* Whether a message can come from a place: it uses the name, and gives nothing that settles it. */
  const mayBeTold = (given, settles) => given !== null && !settles.some((one) => given.has(one));

  /**
   * The changes between two releases.
   * @param {object} data As `verbatim/site/downloads/upgrades.py` writes it.
   * @param {string} old The older release. @param {string} now The newer one.
   * @param {Map<string, Map<number, Set<string> | null>>} used Name → line → what is given there, as `names.js` finds it.
   * @returns {Change[]} In the order of the kinds of the data.
   *
   * @typedef {object} Change
   * @property {string} kind @property {string[]} names
   * @property {number[]} uses The lines of code.
   * @property {string} address The page that shows it, from the site's root; "" where a name is only missing or new.
   * @property {string} titles Those of the page and its section.
   * @property {string[]} lines What differs, as lines of a diff. @property {number} more How many of them the data leaves out.
   * @property {number} places How many pages show it.
   */
  upgrade.between = (data, old, now, used) => {
    const found = new Map();
    const elsewhere = new Map();
    for (const [name, lacking] of Object.entries(data.names)) {
      if (!used.has(name) || lacking.includes(old) === lacking.includes(now)) continue;
      const kind = lacking.includes(now) ? "missing" : "new";
      found.set(`${kind} ${name}`, { kind, names: [name], uses: [...used.get(name).keys()], address: "", titles: "", lines: [], more: 0 });
    }
    for (const cell of data.cells) {
      const about = cell.names.filter((name) => used.has(name));
      const step = about.length ? stepOf(cell, old, now, about) : undefined;
      if (!step) continue;
      const told = data.told.includes(step.kind);
      const places = new Map(about.flatMap((name) => [...used.get(name)]));
      const uses = [...places].filter(([, given]) => !told || mayBeTold(given, cell.settles)).map(([line]) => line);
      if (!uses.length) continue;
      const [address, titles] = cell.place;
      const byMessage = step.cause.length && (told || step.kind === "message gone");
      const key = JSON.stringify([step.kind, about, byMessage ? step.cause : address]);
      elsewhere.set(key, (elsewhere.get(key) ?? new Set()).add(address));
      const before = found.get(key);
      if (before && before.address !== address) continue; // the same message on another page
      const lines = [...(before?.lines ?? []), ...step.lines];
      found.set(key, { kind: step.kind, names: about, uses, address, titles, lines, more: step.more + (before?.more ?? 0) });
    }
    const order = ({ kind }) => data.kinds.indexOf(kind);
    return [...found].map(([key, one]) => ({ ...one, places: elsewhere.get(key)?.size ?? 0 })).sort((one, other) => order(one) - order(other));
  };
})();
