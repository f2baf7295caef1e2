/* Texts → terms, the same way as `verbatim/search.py` does when it makes the index. Pure. */
(() => {
  "use strict";
  const RUN =
    /[0-9A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/g;
  const HAN = /^[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
  const CAMEL = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
  const NUMBER = /^(?:\d+(?:x\d+)*|\d+e\d*|0x[0-9a-f]+)$/;

  /* So many words of a query count: the last ones, because a traceback ends with what went wrong. */
  const LIMIT = 32;

  const narrowed = (text) =>
    text.replace(/[\uff01-\uff5e]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));

  const singular = (word) => {
    if (word.length < 4 || !word.endsWith("s") || /(?:ss|us)$/.test(word)) return word;
    if (word.endsWith("sses")) return word.slice(0, -2);
    return word.endsWith("ies") && word.length > 4 ? word.slice(0, -3) + "y" : word.slice(0, -1);
  };

  /* The terms of a text, each with the place it comes from: [term, start, end]. */
  function spans(text) {
    const found = [];
    for (const { 0: word, index: start } of narrowed(text).matchAll(RUN)) {
      const end = start + word.length;
      const add = (term) => found.push([singular(term.toLowerCase()), start, end]);
      if (HAN.test(word)) {
        if (word.length === 1) found.push([word, start, end]);
        for (let i = start; i < end - 1; i++) found.push([word.slice(i - start, i - start + 2), i, i + 2]);
        continue;
      }
      add(word);
      const parts = word.split("_").filter(Boolean);
      for (const part of parts) {
        if (parts.length > 1) add(part);
        const pieces = part.match(CAMEL) ?? [];
        if (pieces.length > 1) pieces.filter((piece) => piece.length > 1).forEach(add);
      }
    }
    return found;
  }

  /* A query's terms: [{ term, prefix }], `prefix` where longer terms match, too. Numbers, shapes and addresses of a pasted
     message differ from those on the page: they count only where there is nothing else. */
  function wanted(query) {
    const found = [...new Set(spans(query).map(([term]) => term))];
    const words = found.filter((term) => !NUMBER.test(term));
    const terms = (words.length ? words : found).slice(-LIMIT);
    return terms.map((term, i) => ({
      term,
      prefix: HAN.test(term) ? term.length === 1 : term.length > 3 || (term.length > 1 && i === terms.length - 1),
    }));
  }

  /* The places in a text that match a query's terms, in order and without overlaps: [[start, end]]. */
  function marks(text, terms) {
    const merged = [];
    for (const [found, start, end] of spans(text)) {
      if (!terms.some(({ term, prefix }) => found === term || (prefix && found.startsWith(term)))) continue;
      const last = merged.at(-1);
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else merged.push([start, end]);
    }
    return merged;
  }

  Object.assign((self.verbatimSearch ??= {}), { spans, wanted, marks });
})();
