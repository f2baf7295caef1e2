/* The page that is missing: suggests those whose names are nearest to the address that was asked for, from the site's own search.
   An address below another language's folder is searched in that language. */
(() => {
  "use strict";
  const MOST = 5;
  const nearest = document.querySelector(".nearest");
  const root = new URL("../", document.currentScript.src);

  addEventListener("load", async () => {
    const search = self.verbatimSearch;
    const parts = decodeURI(location.pathname.replace(root.pathname, "")).split("/");
    const said = [...nearest.querySelectorAll("[lang]")];
    const heading = said.find(({ lang }) => lang === parts[0]) ?? said[0];
    const query = parts
      .slice(heading.lang === parts[0] ? 1 : 0)
      .join(" ")
      .replace(/\.(?:html?|md|ipynb|py)\b|\b(?:index|notebook)\b|[^\p{L}\p{N}_]+/gu, " ")
      .trim();
    if (!query) return;
    search.language = heading.lang;
    await search.prepare();
    const { results } = await search.find(query, () => true);
    const titles = new Map(results.map(({ url, id, title, page }) => [url, id ? page : title]));
    for (const [url, title] of [...titles].slice(0, MOST)) {
      const link = document.createElement("a");
      const item = document.createElement("li");
      link.href = new URL(url, root);
      link.textContent = title;
      item.append(link);
      nearest.querySelector("ul").append(item);
    }
    heading.hidden = nearest.querySelector("ul").hidden = !titles.size;
  });
})();
