/* The page that is missing: suggests those that are nearest to the address that was asked for. The site's own search finds them by the
   words of the address; those whose addresses are most alike come first. An address below another language's folder is searched in
   that language. The switches of languages lead to the same address where that page exists. */
(() => {
  "use strict";
  const { element } = self.verbatim;
  /* So many pages are suggested: they are seen at a glance, and further ones are hardly meant. */
  const MAX_SUGGESTIONS = 5;
  const nearest = document.querySelector(".nearest");
  const root = new URL("../", document.currentScript.src);

  /* An address may hold a "%" that begins no letter. */
  const decoded = (text) => {
    try {
      return decodeURI(text);
    } catch {
      return text;
    }
  };

  /**
   * How much of their pairs of letters two addresses share (Dice's coefficient).
   * @param {string} one
   * @param {string} other
   * @returns {number} From 0 to 1.
   */
  function likeness(one, other) {
    const [ours, theirs] = [one, other].map((text) => new Set([...text].map((_, i) => text.slice(i, i + 2))));
    return (2 * [...ours].filter((pair) => theirs.has(pair)).length) / (ours.size + theirs.size);
  }

  /**
   * What the parts of an address say, without what only addresses have.
   * @param {string[]} parts
   * @returns {string[]}
   */
  const wordsOf = (parts) =>
    parts.map((part) => part.replace(/\.(?:html?|md|ipynb|py)$|^(?:index|notebook)\b|[^\p{L}\p{N}]+/gu, " ").trim()).filter(Boolean);

  /* The search knows pages by their words, not by their addresses: the server is asked. */
  async function translated({ lang, dataset }, link, address) {
    if (address.origin !== location.origin) return; // "/en///other.host/": the path named another host
    const { ok } = await fetch(address, { method: "HEAD" });
    if (!ok) return;
    Object.assign(link, { href: address, lang, hreflang: lang, title: dataset.switchTitle, textContent: dataset.switch });
  }

  addEventListener("load", async () => {
    const search = self.verbatimSearch;
    const path = decoded(location.pathname.replace(root.pathname, ""));
    const parts = path.split("/");
    const said = [...nearest.querySelectorAll("[data-none]")];
    const heading = said.find(({ lang }) => lang === parts[0]) ?? said[0];
    if (heading.lang === parts[0]) parts.shift();
    const switches = [...document.querySelectorAll(".switch")];
    said.filter((line) => line !== heading).forEach((other, i) => {
      /* The first language has no folder of its own. */
      const address = new URL(other === said[0] ? parts.join("/") : [other.lang, ...parts].join("/"), root);
      translated(other, switches[i], address).catch(() => {});
    });
    const words = wordsOf(parts);
    if (!words.length) return;
    search.language = heading.lang;
    await search.prepare();
    const titles = new Map();
    for (const query of [words.at(-1), words.join(" ")]) {
      const { results } = await search.find(query, () => true);
      for (const { url, id, title, page } of results) titles.set(url, id ? page : title);
    }
    const order = [...titles].sort(([one], [other]) => likeness(path, other) - likeness(path, one));
    for (const [url, title] of order.slice(0, MAX_SUGGESTIONS)) {
      nearest.querySelector("ul").append(element("li", {}, element("a", { href: new URL(url, root) }, title)));
    }
    if (!titles.size) heading.textContent = heading.dataset.none;
    heading.hidden = false;
    nearest.querySelector("ul").hidden = !titles.size;
  });

  self.verbatimMissing = { likeness, wordsOf };
})();
