/* Shows the signature and a summary of a name of PyTorch that is pointed at, reached with the keyboard, or tapped: a link to its
   documentation or to the list of names, and a name in code that the page says it uses. Of a term it shows the other language's word,
   and which page explains it; of a link to another page of the book its title, or that of the section, and the first sentence below
   it. `page.js` loads this script with the first of them, and hands the event over. */
(() => {
  "use strict";
  const WORDS = {
    zh: { documentation: "PyTorch 文档", list: "用到它的页面" },
    en: { documentation: "PyTorch's documentation", list: "Pages that use it" },
  };
  const { lang } = document.documentElement;
  const words = WORDS[lang] ?? WORDS.en;
  const here = document.currentScript.src;
  /* How long the pointer rests on a name before the card comes, and how long it may take from the name to the card: milliseconds. */
  const WAIT = 300;

  /* -- What is known. "names": name → [signature, summary], and names as addresses spell them → names. A language: term → [the other
        language's word, the title of the page that explains it]. */
  const asked = {};
  const arrived = {};
  const data = (kind) =>
    (asked[kind] ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = new URL(`hover-${kind}.js${new URL(here).search}`, here);
      script.onload = () => resolve(arrived[kind]);
      script.onerror = () => resolve(kind === "names" ? [{}, {}] : {});
      document.head.append(script);
    }));

  /* -- What a page says of itself: of pages that `page.js` has fetched ahead, so that a card costs no request. None is, where a reader
        saves data or reads from a folder. */
  const pages = new Map();
  const ahead = (address) => [...document.querySelectorAll("link[rel=prefetch]")].some(({ href }) => href === address);
  async function page({ href }) {
    const [address] = href.split("#");
    if (!ahead(address)) return undefined;
    if (!pages.has(address)) {
      const asked = fetch(address).then(async (answer) => (answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : undefined));
      pages.set(address, asked.catch(() => undefined));
    }
    return pages.get(address);
  }

  /* A text without the links to its headings, code in backticks. */
  function said(part) {
    const copy = part.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach((link) => link.remove());
    copy.querySelectorAll("code").forEach((code) => code.replaceWith(`\`${code.textContent}\``));
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  const first = (text) => /^.*?[.!?](?=\s|$)|^.*?[。！？]/.exec(text)?.[0] ?? text;
  const coded = (text) => text.split("`").map((piece, i) => (i % 2 ? element("code", piece) : piece));

  /* The first paragraph below a heading, before the next one; none that is a formula in part, or a line of tools. */
  function opening(heading) {
    for (let part = heading.nextElementSibling; part && !/^H[1-6]$/.test(part.tagName); part = part.nextElementSibling)
      if (part.matches("p:not([class])") && !part.querySelector("math, svg, img") && part.textContent.trim()) return said(part);
    return "";
  }

  /* -- Which name is meant. */
  const linked = (link) => /(?:#|\/generated\/)(torch\.[\w.]+?)(?:\.html)?$/.exec(link.href)?.[1];

  /* The names that the page says it uses, at its end: name → link to the list of names. */
  const used = new Map();
  document.querySelectorAll(".verbatim-used a").forEach((link) => used.set(linked(link), link));

  /* Name in the page's code → full name, as it is imported there. */
  const imported = new Map([["torch", "torch"]]);
  for (const { textContent } of document.querySelectorAll("article pre")) {
    for (const [, full, short] of textContent.matchAll(/^\s*import (torch[\w.]*) as (\w+)/gm)) imported.set(short, full);
    for (const [, module, names] of textContent.matchAll(/^\s*from (torch[\w.]*) import ([\w, ]+)/gm)) {
      for (const name of names.split(",")) {
        const [own, short] = name.trim().split(" as ");
        imported.set(short ?? own, `${module}.${own}`);
      }
    }
  }

  /* The name in code at a position of its text: a path such as `nn.Linear`, up to the word that is meant. A method is told from its
     last word, where the page uses only one of that name. */
  function spelled(code, at) {
    const text = code.textContent;
    const before = /[\w.]*$/.exec(text.slice(0, at))[0];
    const [root, ...rest] = (before + /^\w*/.exec(text.slice(at))[0]).split(".");
    if (imported.has(root)) return [imported.get(root), ...rest].join(".");
    const last = rest.pop();
    const found = last ? [...used.keys()].filter((name) => name?.endsWith(`.${last}`) && /\.[A-Z]\w*\.\w+$/.test(name)) : [];
    return found.length === 1 ? found[0] : undefined;
  }

  /* The word at a point of the screen, in code that is no comment and no string: the text node's place, and where it stands. */
  function word(code, x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const old = caret ? undefined : document.caretRangeFromPoint?.(x, y);
    const node = caret?.offsetNode ?? old?.startContainer;
    if (!node || node.nodeType !== Node.TEXT_NODE || !code.contains(node) || node.parentElement.closest(".c1, .s1, .s2, .sd")) return {};
    const offset = caret?.offset ?? old.startOffset;
    const range = new Range();
    range.setStart(code, 0);
    range.setEnd(node, offset);
    const at = range.toString().length;
    const start = offset - /\w*$/.exec(node.data.slice(0, offset))[0].length;
    range.setStart(node, start);
    range.setEnd(node, offset + /^\w*/.exec(node.data.slice(offset))[0].length);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom ? { name: spelled(code, at), place: range } : {};
  }

  /* Whether a link leads to another page of the book; what a card or a line of tools leads to says so itself. */
  const leads = (link) =>
    link.origin === location.origin && link.pathname.endsWith("/") && link.pathname !== location.pathname && !link.closest(".take, .home > ul, .trace");

  /* What an event is about: the name, or the address of another page, where it stands, and the link to more. */
  function about({ target, clientX, clientY }) {
    const link = target.closest?.("article a[href]");
    if (link?.matches(".term")) return { name: link.textContent.toLowerCase(), place: link, link };
    if (link && !linked(link) && leads(link)) return { name: link.href, place: link, link, page: true };
    if (link) return { name: linked(link), place: link, link };
    const code = target.closest?.("article pre > code");
    const { name, place } = code ? word(code, clientX, clientY) : {};
    return { name, place, link: used.get(name) };
  }

  /* -- The card. */
  const card = document.createElement("div");
  card.className = "hover";
  card.id = "__hover";
  card.setAttribute("role", "tooltip");
  card.hidden = true;
  const styled = new Promise((resolve) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL(`hover.css${new URL(here).search}`, here);
    style.onload = style.onerror = resolve;
    document.head.append(style);
  });
  (document.querySelector("main") ?? document.body).append(card);

  let shown;
  let timer;
  /* How often something was shown or hidden: what comes for an earlier one is too late. */
  let turn = 0;
  const hide = () => {
    turn++;
    clearTimeout(timer);
    card.hidden = true;
    if (shown?.link) shown.link.removeAttribute("aria-describedby");
    shown = undefined;
  };

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };

  const more = (link, label) => element("a", label, { href: link.href, tabindex: "-1" });

  /* What the card says of a name, and of a term; nothing where neither is known. */
  async function api({ name: written, link }) {
    const [names, called] = await data("names");
    const name = written in names ? written : called[written];
    if (!names[name]) return undefined;
    const [signature, summary] = names[name];
    const lines = [element("code", name + signature)];
    if (summary) lines.push(element("p", summary, { lang: "en" }));
    if (link) lines.push(more(link, link.hostname === location.hostname ? words.list : words.documentation));
    return lines;
  }

  async function term({ name, link }) {
    const known = await data(lang);
    const [other, title] = known[name] ?? known[name.replace(/s$/, "")] ?? known[name.replace(/es$/, "")] ?? [];
    return other && [element("b", other, { lang: lang === "zh" ? "en" : "zh" }), element("br", ""), more(link, title)];
  }

  /* The title of a page, or of its section, and how it begins. */
  async function section({ link }) {
    const found = await page(link);
    const title = found?.querySelector("article h1");
    if (!title) return undefined;
    const id = link.hash && decodeURIComponent(link.hash.slice(1));
    const heading = (id && [...found.querySelectorAll("article :is(h2, h3, h4)[id]")].find((one) => one.id === id)) || title;
    const description = found.querySelector("meta[name=description]")?.content ?? "";
    const text = first(opening(heading)) || (heading === title ? description : "");
    const lines = [element("b", "")];
    lines[0].append(...coded(said(heading)));
    if (heading !== title) lines.push(element("small", said(title).replaceAll("`", "")));
    if (text) {
      lines.push(element("p", ""));
      lines.at(-1).append(...coded(text));
    }
    return lines;
  }

  /* Shows the card; returns whether there is anything to show. */
  async function show(met) {
    const mine = ++turn;
    const lines = met.page ? await section(met) : met.link?.matches(".term") ? await term(met) : await api(met);
    if (!lines) return false;
    await styled;
    if (mine !== turn) return true;
    hide();
    shown = met;
    card.replaceChildren(...lines);
    card.hidden = false;
    place(met.place);
    if (met.place === met.link) met.link.setAttribute("aria-describedby", card.id);
    return true;
  }

  /* Right below the name; above it where there is no room. */
  function place(at) {
    const { left, top, bottom } = at.getClientRects()[0] ?? at.getBoundingClientRect();
    const room = document.documentElement.clientWidth - card.offsetWidth - 8;
    const below = bottom + card.offsetHeight + 8 < innerHeight || top < card.offsetHeight + 8;
    const around = card.offsetParent.getBoundingClientRect();
    card.style.left = `${Math.max(8, Math.min(left, room)) - around.left}px`;
    card.style.top = `${(below ? bottom + 4 : top - card.offsetHeight - 4) - around.top}px`;
  }

  /* -- By mouse: after a moment; it stays while the pointer is on the name or on the card. By keyboard: at once. By touch: the first
        tap shows the card, which has the link, the second one follows it. */
  function point(event) {
    if (event.pointerType === "touch") return;
    clearTimeout(timer);
    if (card.contains(event.target)) return;
    timer = setTimeout(() => {
      const met = about(event);
      if (!met.name) hide();
      else if (met.name !== shown?.name) show(met);
    }, WAIT);
  }

  function reach({ target }) {
    if (target.matches(":focus-visible") && !card.contains(target)) {
      hide();
      const met = about({ target });
      if (met.page) timer = setTimeout(show, WAIT, met); // it is being fetched
      else if (met.name && met.link) show(met);
    }
  }

  async function tap(event) {
    if (event.pointerType !== "touch" || card.contains(event.target)) return;
    const met = about(event);
    if (met.page) return hide();
    const again = met.name && met.name === shown?.name && met.place === shown?.place;
    hide();
    if (!met.name || again) return;
    const follow = met.place === met.link && met.link;
    if (follow) event.preventDefault();
    if (!(await show(met)) && follow) location.href = follow.href;
  }

  self.verbatimHover = (kind, found) => { arrived[kind] = found; };
  self.verbatimHover.meet = (event) => ({ pointerover: point, focusin: reach, click: tap })[event.type](event);
  document.addEventListener("pointerover", point);
  document.addEventListener("pointermove", (event) => { if (event.target.closest?.("pre")) point(event); }, { passive: true });
  document.addEventListener("focusin", reach);
  document.addEventListener("focusout", ({ target }) => { if (!shown || shown.link === target) hide(); });
  document.addEventListener("click", tap);
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  document.documentElement.addEventListener("pointerleave", hide);
})();
