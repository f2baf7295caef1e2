/* Marks which words of outputs another release of PyTorch prints otherwise: in place, without touching the page's elements. */
(() => {
  "use strict";
  const differ = (self.verbatimDiffer = {});
  const NAME = "verbatim-differs";
  const WORD = /\w+|\s+|[^\w\s]/gu;
  /* How many pairs of words are compared: a screen of numbers beside another one. Longer texts have their label alone. */
  const MOST = 4_000_000;

  /* The places [start, end] in a text of what another text, word for word, does not have. Words that both have keep their order. */
  differ.places = (text, other) => {
    const [ours, theirs] = [text, other].map((one) => [...one.matchAll(WORD)]);
    if (ours.length * theirs.length > MOST) return [];
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

  /* Mark in each of some outputs, [theirs, ours], what the others do not have; without any, nothing is marked any more. */
  differ.mark = (pairs) => {
    const found = pairs.flatMap(([theirs, ours]) => {
      const others = texts(ours);
      return texts(theirs).flatMap((one, i) => (others[i] ? ranges(one, differ.places(one.textContent, others[i].textContent)) : []));
    });
    self.CSS.highlights.set(NAME, new Highlight(...found));
  };
})();
