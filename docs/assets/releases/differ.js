/* Marks which words of outputs another release of PyTorch prints otherwise: by a highlight of the browser's own, which leaves the page's
   elements as they are. `outputs.js` loads it where a chosen release prints something else. */
(() => {
  "use strict";
  const differ = (self.verbatimDiffer = {});
  /* By this name the stylesheet knows the highlight. */
  const HIGHLIGHT = "verbatim-differs";
  const DIFFERING_PIECE = /\w+|\s+|[^\w\s]/gu;
  /* So many pairs of words are compared, a screen of numbers beside another one, which takes a phone a moment. Of longer texts the label
     alone says that they differ. */
  const MAX_PAIRS = 4_000_000;

  /**
   * The places of what another text does not have, word for word: of the words that both have in one order, as many as can be are kept.
   * @param {string} text
   * @param {string} other
   * @returns {[number, number][]} [start, end], in UTF-16 units; none where the texts are too long.
   */
  differ.places = (text, other) => {
    const [ours, theirs] = [text, other].map((one) => [...one.matchAll(DIFFERING_PIECE)]);
    if (ours.length * theirs.length > MAX_PAIRS) return [];
    /* Of the words from `i` and `j` on, how many both have at best. */
    const width = theirs.length + 1;
    const common = new Uint16Array((ours.length + 1) * width);
    for (let i = ours.length - 1; i >= 0; i -= 1) {
      for (let j = theirs.length - 1; j >= 0; j -= 1) {
        const at = i * width + j;
        common[at] = ours[i][0] === theirs[j][0] ? common[at + width + 1] + 1 : Math.max(common[at + width], common[at + 1]);
      }
    }
    const found = [];
    for (let i = 0, j = 0; i < ours.length; ) {
      const at = i * width + j;
      if (j < theirs.length && ours[i][0] === theirs[j][0]) {
        i += 1;
        j += 1;
      } else if (j < theirs.length && common[at + 1] >= common[at + width]) {
        j += 1;
      } else {
        const [word] = ours[i];
        const { index } = ours[i];
        if (found.at(-1)?.[1] === index) found.at(-1)[1] = index + word.length;
        else if (word.trim()) found.push([index, index + word.length]);
        i += 1;
      }
    }
    return found;
  };

  /* The texts below an element, as ranges between two places in all of them. */
  function ranges(element, places) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node, from = 0; (node = walker.nextNode()); from += node.length) {
      for (const [start, end] of places) {
        if (end <= from || start >= from + node.length) continue;
        const range = new Range();
        range.setStart(node, Math.max(start - from, 0));
        range.setEnd(node, Math.min(end - from, node.length));
        found.push(range);
      }
    }
    return found;
  }

  const texts = (outputs) => outputs.flatMap((one) => [...one.querySelectorAll("pre > code")]);

  /**
   * Mark what outputs of a release have and those of the built version do not. What was marked before is marked no more.
   * @param {[HTMLElement[], HTMLElement[]][]} pairs [theirs, ours], a pair each cell.
   */
  differ.mark = (pairs) => {
    const found = pairs.flatMap(([theirs, ours]) => {
      const others = texts(ours);
      return texts(theirs).flatMap((one, i) => (others[i] ? ranges(one, differ.places(one.textContent, others[i].textContent)) : []));
    });
    self.CSS.highlights.set(HIGHLIGHT, new Highlight(...found));
  };
})();
