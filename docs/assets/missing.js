/* The page that is missing: suggests those that are nearest to the address that was asked for. The site's own search finds them by
   what the address says; those whose addresses are most alike come first. An address below another language's folder is searched
   in that language. Switches lead to the same address in the other languages where that page exists. */
(() => {
  "use strict";
  const MOST = 5;
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

  /* How much of their pairs of letters two addresses share, from 0 to 1. */
  const pairs = (text) => new Set([...text].map((_, i) => text.slice(i, i + 2)));
  const alike = (one, other) => (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size);

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
    said.filter((one) => one !== heading).forEach((other, i) => {
      /* The first language has no folder of its own. */
      const address = new URL(other === said[0] ? parts.join("/") : [other.lang, ...parts].join("/"), root);
      translated(other, switches[i], address).catch(() => {});
    });
    const words = parts
      .map((part) => part.replace(/\.(?:html?|md|ipynb|py)$|^(?:index|notebook)\b|[^\p{L}\p{N}]+/gu, " ").trim())
      .filter(Boolean);
    if (!words.length) return;
    search.language = heading.lang;
    await search.prepare();
    const titles = new Map();
    for (const query of [words.at(-1), words.join(" ")]) {
      const { results } = await search.find(query, () => true);
      for (const { url, id, title, page } of results) titles.set(url, id ? page : title);
    }
    const asked = pairs(path);
    const order = [...titles].sort(([one], [other]) => alike(asked, pairs(other)) - alike(asked, pairs(one)));
    for (const [url, title] of order.slice(0, MOST)) {
      const link = document.createElement("a");
      const item = document.createElement("li");
      link.href = new URL(url, root);
      link.textContent = title;
      item.append(link);
      nearest.querySelector("ul").append(item);
    }
    if (!titles.size) heading.textContent = heading.dataset.none;
    heading.hidden = false;
    nearest.querySelector("ul").hidden = !titles.size;
  });
})();
