/* Marks a query's words in one section of the page, until Escape: by a highlight of the browser's own, which leaves the page's elements
   as they are. `open.js` loads it on a page that a result of the search led to. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  /* By this name the stylesheet knows the highlight. */
  const HIGHLIGHT = "verbatim-search";
  const HEADINGS_WITH_ID = "h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]";
  /* What is not read as text. */
  const UNREAD_ELEMENTS = "svg, math, script, style, button, .headerlink, [aria-hidden=true]";

  /* Nodes of text between which lines may end, as within long names, are one text. */
  function* joined(nodes) {
    let pieces = [];
    for (const node of nodes) {
      const { previousSibling } = node;
      const goes = previousSibling?.nodeName === "WBR" && previousSibling.previousSibling === pieces.at(-1);
      if (!goes && pieces.length) yield pieces;
      pieces = goes ? [...pieces, node] : [node];
    }
    if (pieces.length) yield pieces;
  }

  /* Where a character of a text stands: the node, and the place in it. `end`: behind it. */
  function place(pieces, at, end) {
    for (const node of pieces) {
      if (at < node.length || (end && at === node.length)) return [node, at];
      at -= node.length;
    }
    return [pieces.at(-1), pieces.at(-1).length];
  }

  /* The texts from the heading with this id up to the next heading; without an id, those above the second heading. */
  function* texts(id) {
    const article = document.querySelector("article");
    const headings = [...(article?.querySelectorAll(HEADINGS_WITH_ID) ?? [])];
    const at = id ? headings.findIndex((heading) => heading.id === id) : 0;
    if (at < 0) return;
    const after = (node, other) => node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
      const inside = headings[at].contains(node) || after(node, headings[at]);
      if (headings[at + 1] && (headings[at + 1].contains(node) || after(node, headings[at + 1]))) return;
      if (inside && !node.parentElement.closest(UNREAD_ELEMENTS)) yield node;
    }
  }

  /**
   * Mark a query's words in a section, open what hides them, and scroll to the first, if none is seen.
   * @param {string} query
   * @param {string} id That of its heading; "" for what stands above the second heading.
   */
  search.mark = (query, id) => {
    const terms = search.wanted(query);
    const ranges = [];
    for (const pieces of joined(texts(id))) {
      for (const [start, end] of search.marks(pieces.map(({ data }) => data).join(""), terms)) {
        const range = new Range();
        range.setStart(...place(pieces, start, false));
        range.setEnd(...place(pieces, end, true));
        ranges.push(range);
        for (let box = pieces[0].parentElement.closest("details"); box; box = box.parentElement.closest("details")) {
          box.open = true;
        }
      }
    }
    self.CSS?.highlights?.set(HIGHLIGHT, new Highlight(...ranges));
    const clear = (event) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      self.CSS?.highlights?.delete(HIGHLIGHT);
      removeEventListener("keydown", clear);
    };
    addEventListener("keydown", clear);
    const seen = ({ top, bottom }) => bottom > 0 && top < innerHeight;
    if (ranges.length && !ranges.some((range) => seen(range.getBoundingClientRect()))) {
      ranges[0].startContainer.parentElement.scrollIntoView({ block: "center" });
    }
  };
})();
