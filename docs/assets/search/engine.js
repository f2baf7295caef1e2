/* The index in the browser: fetches the parts of it that hold a query's words, has MiniSearch score them, and orders what it
   found. The parts are made by `verbatim/site/search/index.py`. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  /* The fields of a section as `verbatim/site/search/index.py` writes them, and what its page is about. What a match in them counts. */
  const FIELDS = { title: 0, prose: 1, code: 2, outputs: 3, messages: 4, asked: 5, other: 6, page: 7 };
  const BOOST = { title: 3, prose: 1.5, code: 1, outputs: 1, messages: 1, asked: 2, other: 1, page: 4 };
  const STORED = FIELDS.page;
  /* What it counts that a query is near to a page's centroid: so many times e for the nearest
     (`verbatim/site/search/centroids.py`). What a term counts there stands behind the stored fields. */
  const NEAR = 1;
  /* A query of so many names and words may be a message that the reader got, and errors and warnings count so much. */
  const MESSAGE = 4;
  const MESSAGE_BOOST = 3;
  /* What a match in an overview counts, a page that only leads to others. */
  const OVERVIEW = 0.1;
  /* What it counts that a text quotes the query, that a page's title is in it, and that readers ask like that. */
  const QUOTE = 4;
  const TITLE = 2;
  const PHRASE = 2;
  /* What it counts that a section is *the* one of a name in the query; what stands behind such a name in the index; how surely a
     section is the one of the only name in its page's title (`IN_TITLE`). */
  const NAME = 5;
  const NAMED = "<";
  const SURELY = 12;
  /* What two characters count that stand together by chance, and a word that only begins like one of the query. */
  const CHANCE = 0.3;
  /* What the parts of a name count where the name itself is known, and a word that only leads to one, as torch does. */
  const PART = 0.4;
  const LEADS = 0.3;
  /* What the other sections of its page count for a section, from 0 to 1, and each one less than the one before it. */
  const COMPANY = 0.5;
  const DECAY = 0.5;
  /* What a word counts that pages use where the reader says another. */
  const SAID = 0.7;
  /* What stands behind a term in the index with which there are phrases of readers. */
  const SAYS = ">";
  /* What it counts that a page is general: so many times e for the most general one (`verbatim/site/search/general.py`). What is to be
     told apart are pages that answer the same: with half of the query, a page counts as a quarter as general. */
  const GENERAL = 0.75;
  const MOST_GENERAL = 99;
  /* A word that is nowhere and has so many letters may be a slip of another. */
  const LETTERS = 4;
  /* How much of a message a page must quote, from 0 to 1, to be one that shows it. */
  const QUOTED = 0.9;
  /* How well one of the results must fit, from 0 to 1, or how much it must score (a Chinese question has pairs of characters for
     words, which score less), and how much more for each word in Latin letters that no page has, or the dialog says that nothing
     does. Among Chinese such a word names another thing, and counts more; two Chinese characters that no page has together are
     often no word. A long question fits no text well, but what answers it scores more than chance does. Of questions that a page
     answers one in thirty is below both, of those about other things four in five (`python -m scripts.benchmarks.search`). */
  const FITS = 0.7;
  const SCORES = 900;
  const SCORES_HAN = 700;
  const STRANGE = 120;
  const FOREIGN = 450;
  const LATIN = /^\w/;
  const HAN = /[\u3400-\u9fff]/;
  /* From how much of the query on the top of a page is where to land. */
  const LANDS = 0.5;
  /* Titles of pages about errors, and what these count where nothing but a name is asked for. */
  const TRAP = /^(?:Error|Warning|报错|警告)[:：]?/;
  const TRAPPED = 0.4;
  /* At most so many sections of one page; so many whose texts are looked at, and so many in all. */
  const A_PAGE = 2;
  /* At most so many sections that show a pasted message stand above the others. */
  const MESSAGES = 3;
  const CANDIDATES = 14;
  const RESULTS = 10;

  const { arrived } = search;
  let index;

  /* Fetch a part of the index (`terms`) or a page's texts (`page`), in the version that the index was made with. */
  async function part(kind, number) {
    const name = `${kind}-${number}`;
    const version = index.versions[kind][number];
    await search.load(`${search.language}/${name}.js?${version}`);
    if (arrived[name].version !== version) throw new Error(`${name}.js is of another build than the index`);
    return arrived[name].data;
  }

  /* Read the index. `again`: fetch it anew, past what the browser keeps. */
  async function ready(again = false) {
    await search.prepare();
    if (again) await search.load(`${search.language}/index.js?${Date.now()}`);
    if (index?.version === arrived.index.version) return;
    const { data } = arrived.index;
    const first = [];
    const pageOf = [];
    data.pages.forEach((sections, page) => {
      first.push(pageOf.length);
      for (let i = 0; i < sections; i++) pageOf.push(page);
    });
    const lengths = {};
    const totals = Object.values(FIELDS).fill(0);
    pageOf.forEach((page, i) => {
      lengths[i] = [...data.lengths.slice(i * STORED, (i + 1) * STORED), data.lengths[first[page] * STORED]];
      lengths[i].forEach((length, field) => (totals[field] += length));
    });
    index = {
      version: arrived.index.version,
      versions: data.versions,
      parts: data.parts,
      pages: data.pages,
      general: data.general,
      overviews: new Set(data.overviews),
      first,
      pageOf,
      empty: {
        documentCount: pageOf.length,
        nextId: pageOf.length,
        documentIds: Object.fromEntries(pageOf.map((_, i) => [i, i])),
        fieldIds: FIELDS,
        fieldLength: lengths,
        averageFieldLength: totals.map((total) => total / (pageOf.length || 1)),
        storedFields: {},
        serializationVersion: 2,
      },
    };
  }

  /* The numbers of the parts that may hold a term. */
  function places({ term, prefix }) {
    const upTo = term + (prefix ? "\uffff" : SAYS);
    const found = [];
    index.parts.forEach((start, i) => {
      const end = index.parts[i + 1];
      if ((i === 0 || start <= upTo) && (end === undefined || end > term)) found.push(i);
    });
    return found;
  }

  /* The documents of a term's field, and how often each has it. */
  function spreadOut(steps) {
    const documents = {};
    let last = 0;
    for (const step of steps || []) {
      if (step < 0) documents[last] = -step;
      else documents[(last += step)] = 1;
    }
    return documents;
  }

  /* Postings as MiniSearch keeps them. A page's title, and how readers ask for the page, belong to each of its sections. */
  function unpacked(packed) {
    const fields = packed.slice(0, STORED).map(spreadOut);
    const page = {};
    for (const field of [FIELDS.title, FIELDS.asked, FIELDS.other])
      for (const [document, times] of Object.entries(fields[field])) {
        const number = index.pageOf[document];
        if (+document !== index.first[number]) continue;
        for (let i = 0; i < index.pages[number]; i++) page[+document + i] = (page[+document + i] ?? 0) + times;
        if (field !== FIELDS.title) delete fields[field][document];
      }
    return Object.fromEntries([...fields, page].map((one, i) => [i, one]).filter(([, one]) => Object.keys(one).length));
  }

  /* { results, terms, more, fits }: the sections that match best, best first, [{ url, page, id, title, prose, code, outputs, messages }],
     by which words they were found, whether there are more, and whether they are likely to answer. `wanted`: says whether anybody
     still waits for it; if not, no texts are fetched. `pasted`: the text that the query is the message of. */
  async function find(query, wanted = () => true, pasted = query) {
    await ready();
    const { version } = index;
    try {
      return await found(query, wanted, pasted);
    } catch (error) {
      /* Was the site published anew since the index was loaded? */
      await ready(true);
      if (index.version === version) throw error;
      return found(query, wanted, pasted);
    }
  }

  /* { entries, phrases }: the parts of the index that may hold some terms, joined, and what readers say of them. */
  async function fetched(terms) {
    const needed = [...new Set(terms.flatMap(places))];
    const all = (await Promise.all(needed.map((number) => part("terms", number)))).flat();
    const says = ([entry]) => entry.endsWith(SAYS);
    return { entries: all.filter((one) => !says(one)), phrases: all.filter(says).flatMap(([, ...phrases]) => phrases) };
  }

  async function found(query, wanted, whole) {
    const text = search.message(query);
    const pasted = search.telling(query);
    const alone = search.alone(text);
    const known = pasted ? await search.recognise(whole) : [];
    let terms = search.wanted(query);
    let { entries, phrases } = await fetched(terms);
    const there = (one) => entries.some(([entry]) => matches(one, entry));
    const slips = await meant(terms.filter((one) => !there(one) && !phrases.some(([, parts]) => parts.includes(one.term))));
    if (slips.size) {
      ({ entries, phrases } = await fetched([...terms, ...[...slips.values()].flat()]));
      terms = terms.map((one) => ({ ...one, ...commonest(slips.get(one.term) ?? [], entries) }));
    }
    const strange = terms.filter((one) => LATIN.test(one.term) && !there(one)).length;
    const least = HAN.test(query) ? SCORES_HAN + strange * FOREIGN : SCORES + strange * STRANGE;
    const said = search.reworded(query, terms, phrases);
    terms = terms.map((one) => (there(one) || said.some(({ of }) => of.includes(one.term)) ? one : search.broadened(one, terms)));
    terms = [...terms, ...said];
    if (said.length || terms.some(({ weak }) => weak)) ({ entries } = await fetched(terms));
    const { sections, weights } = rank(terms, entries, alone);
    if (!wanted()) return undefined;
    const best = (await Promise.all(sections.map(section))).map((one) => {
      const quote = search.quoted(text, [one.title, one.prose, one.code, one.outputs, one.messages]);
      const phrase = Math.max(...[one.title, one.page, ...one.asked.split("\n")].map((words) => search.alike(weights, words)));
      const title = search.share(one.page, text);
      const trap = alone && TRAP.test(one.page) ? TRAPPED : 1;
      const score = one.score * trap * (1 + QUOTE * quote) * (1 + TITLE * title) * (1 + PHRASE * phrase);
      const shown = pasted && (quote >= QUOTED || naming(one).some((line) => search.says(text, line)));
      return landed({ ...one, score, shown, fit: Math.max((one.cover + phrase) / 2, quote) }, weights);
    });
    const first = different(await Promise.all(known.slice(0, CANDIDATES).map(remedied))).slice(0, MESSAGES);
    const results = different([...first, ...best.sort((a, b) => b.score - a.score)]).slice(0, RESULTS);
    const shown = first.length > 0 || results.some(({ shown }) => shown);
    const unknown = pasted && !shown && text.includes(" ");
    const fits = shown || (!unknown && results.some(({ fit, score }) => fit >= FITS || score >= least));
    return { results, terms: terms.filter(({ weak }) => !weak), more: best.length > RESULTS, unknown, strange: strange > 0, fits };
  }

  /* The lines in which a section and its page may name a message. */
  const naming = (one) => [one.title, one.page, one.asked, one.top.asked].flatMap((lines) => lines.split("\n")).map((line) => line.replace(TRAP, ""));

  /* Term → the known words that it may be a slip of, of those terms that may be slips. Of a name the words are looked at one by one. */
  async function meant(terms) {
    const found = terms.map(({ term }) => term).filter((term) => /^[a-z]+(?:_[a-z]+)*$/.test(term) && term.length >= LETTERS);
    const words = found.length ? (await part("words", 0)).split(" ") : [];
    const known = (word) => word.length < LETTERS || words.includes(search.spans(word)[0][0]);
    const mended = (name) => name.split("_").map((word) => (known(word) ? word : (search.nearest(word, words)[0] ?? word))).join("_");
    const near = found.map((term) => [term, term.includes("_") ? [mended(term)] : search.nearest(term, words)]);
    return new Map(near.filter(([, some]) => some.length).map(([term, some]) => [term, some.map((word) => ({ term: word }))]));
  }

  /* Results without those that lead where one before them leads. */
  const different = (results) => {
    const seen = new Set();
    return results.filter(({ url, id }) => !seen.has(`${url}#${id}`) && seen.add(`${url}#${id}`));
  };

  /* How many documents' fields have a term. */
  const spread = (packed) => packed.slice(0, STORED).flat().filter((step) => step >= 0).length;

  /* Of terms, the one that most sections have. */
  function commonest(terms, entries) {
    const spreads = new Map(entries.map(([entry, ...fields]) => [entry, spread(fields)]));
    return [...terms].sort((a, b) => (spreads.get(b.term) ?? 0) - (spreads.get(a.term) ?? 0))[0];
  }

  /* A section, or the top of its page where title, first sentence and keywords of that say as much of the query. */
  function landed(one, weights) {
    const { top, ...own } = one;
    if (!own.id || own.remedy) return own;
    const above = search.covered(weights, [top.title, own.lead, top.asked].join("\n"));
    const here = search.covered(weights, [own.title, own.asked, search.sentence(own.prose)].join("\n"));
    return above >= here && above >= LANDS ? { ...own, ...top, lead: "" } : own;
  }

  const matches = ({ term, prefix }, entry) => entry === term || (prefix && entry.startsWith(term));

  /* Whether a document has one of the query's terms, or what pages say for it. */
  const has = (found, term, terms) => found.includes(term) || terms.some((one) => one.of?.includes(term) && found.includes(one.term));

  const total = (weights) => [...weights.values()].reduce((sum, one) => sum + one, 0);

  /* How much each document is *the* one of a name in the query, and of as much of the query as the name is. */
  function named(terms, names, weights) {
    const found = {};
    for (const { term, prefix, name } of terms.filter((one) => one.name)) {
      const share = Math.sqrt((weights.get(term) ?? 0) / total(weights) || 0);
      for (const [entry, packed] of names) {
        const word = entry.slice(0, -NAMED.length);
        if (!matches({ term, prefix }, word)) continue;
        for (const [document, surely] of Object.entries(spreadOut(packed)))
          found[document] = (found[document] ?? 0) + (name * share * (surely / SURELY) * term.length) / word.length;
      }
    }
    return found;
  }

  /* Term → how far it is to be trusted, from 0 to 1. */
  function trusts(terms, entries) {
    const known = new Set(entries.map(([entry]) => entry));
    /* A pair of characters that is rarer than those it overlaps is hardly a word: 子节 in 叶子节点. */
    const spreads = new Map(entries.map(([entry, ...fields]) => [entry, spread(fields)]));
    const rarer = ({ term, between }) => between && (!spreads.get(term) || between.every((one) => spreads.get(term) < (spreads.get(one) ?? 0)));
    const trusted = (one) => (one.of ? SAID * one.share : 1) * (one.weak || rarer(one) ? CHANCE : 1) * (known.has(one.whole) ? PART : 1) * (one.leads ? LEADS : 1);
    return Object.fromEntries(terms.map((one) => [one.term, trusted(one)]));
  }

  /* The sections that have any of the terms, as MiniSearch scores them. */
  function matching(terms, entries, trust) {
    const known = new Set(entries.map(([entry]) => entry));
    const needed = entries.filter(([entry]) => terms.some((one) => matches(one, entry)));
    const message = terms.filter(({ term }) => /^\w/.test(term)).length >= MESSAGE;
    const engine = MiniSearch.loadJS(
      { ...index.empty, index: needed.map(([term, ...packed]) => [term, unpacked(packed)]) },
      { fields: Object.keys(FIELDS) },
    );
    return engine.search(terms.map(({ term }) => term).join(" "), {
      tokenize: (text) => text.split(" "),
      processTerm: (term) => term,
      /* The last word may still be on its way; another that is known stands for itself alone. */
      prefix: (term, i) => terms[i].prefix && (terms[i].weak || i === terms.length - 1 || !known.has(term)),
      boostTerm: (term) => trust[term],
      boost: message ? { ...BOOST, messages: MESSAGE_BOOST } : BOOST,
    });
  }

  /* What each of the query's terms counts: rare ones more. Words that are nowhere are as rare as can be; parts of names are
     nowhere because the names are. */
  function weighed(terms, found, trust) {
    const sections = Object.create(null);
    for (const { queryTerms } of found) for (const term of queryTerms) sections[term] = (sections[term] ?? 0) + 1;
    const counted = terms.filter(({ term, whole }) => sections[term] || !whole);
    return new Map(counted.map(({ term }) => [term, trust[term] * Math.log(1 + index.pageOf.length / (sections[term] ?? 1))]));
  }

  /* How near the query is to the centroids of pages, from 0 to 1 for the nearest. */
  function nearness(entries, trust) {
    const near = {};
    for (const [entry, ...packed] of entries)
      if (Object.hasOwn(trust, entry))
        for (const [page, weight] of Object.entries(spreadOut(packed[STORED]))) near[page] = (near[page] ?? 0) + weight * trust[entry];
    const nearest = Math.max(...Object.values(near));
    return Object.fromEntries(Object.entries(near).map(([page, sum]) => [page, sum / nearest]));
  }

  /* { sections, weights }: the best sections' numbers and scores, and how much of the query each has; what each of the query's
     terms counts. */
  function rank(terms, all, alone) {
    const names = all.filter(([entry]) => entry.endsWith(NAMED));
    const entries = all.filter(([entry]) => !entry.endsWith(NAMED));
    const trust = trusts(terms, entries);
    const found = matching(terms, entries, trust);
    const weights = weighed(terms, found, trust);
    const asked = terms.filter(({ term, of }) => !of && weights.has(term)).map(({ term }) => term);
    const weight = (some) => [...some].reduce((sum, term) => sum + weights.get(term), 0);
    const whole = weight(asked);
    const surely = named(terms, names, weights);
    /* A bare name leads to the page that explains it, however many others are about it. */
    const near = alone ? {} : nearness(entries, trust);
    const better = (a, b) => b.score - a.score || a.id - b.id;
    const scored = found
      .map(({ id, score, queryTerms }) => {
        const page = index.pageOf[id];
        const said = asked.filter((term) => has(queryTerms, term, terms));
        const cover = weight(said) / whole;
        return { id, page, said, cover, score: score * cover * (index.overviews.has(page) ? OVERVIEW : 1) };
      })
      .sort(better);
    /* A page that says more of it is likelier to be about it. */
    const pages = {};
    for (const { page, score, said } of scored) {
      const { sum, next, has } = (pages[page] ??= { sum: 0, next: 1, has: new Set() });
      said.forEach((term) => has.add(term));
      pages[page] = { sum: sum + score * next, next: next * DECAY, has };
    }
    const ranked = scored
      .map((one) => {
        const company = one.score ** (1 - COMPANY) * pages[one.page].sum ** COMPANY;
        return { ...one, score: company * (1 + NAME * (surely[one.id] ?? 0)) * Math.exp(NEAR * (near[one.page] ?? 0)) };
      })
      .sort(better);
    /* How general a page is, as far as it has what the page that has most of the query has. */
    const covers = ({ page }) => (pages[page].cover ??= weight(pages[page].has));
    const most = Math.max(...ranked.slice(0, CANDIDATES).map(covers));
    const general = (one) => (alone ? 0 : (index.general[one.page] / MOST_GENERAL) * Math.min(1, covers(one) / most) ** 2);
    const taken = {};
    const best = ranked
      .map((one) => ({ ...one, score: one.score * Math.exp(GENERAL * general(one)) }))
      .sort(better)
      .filter(({ page }) => (taken[page] = (taken[page] ?? 0) + 1) <= A_PAGE)
      .slice(0, CANDIDATES);
    return { sections: best, weights };
  }

  /* The text of a section, with the first sentence of its page. */
  async function texts(page, number) {
    const [url, sections] = await part("page", page);
    const [id, title, prose, code, outputs, messages, asked] = sections[number];
    const lead = number ? search.sentence(sections[0][2]) : "";
    const [, ...above] = sections[0];
    const top = Object.fromEntries(["title", "prose", "code", "outputs", "messages", "asked"].map((name, i) => [name, above[i]]));
    return { url, page: top.title, id, title, prose, code, outputs, messages, asked, lead, top: { ...top, id: "" } };
  }

  async function section({ id, score, cover }) {
    const page = index.pageOf[id];
    return { score, cover, ...(await texts(page, id - index.first[page])) };
  }

  /* A section that shows a message, with what it advises, and the releases that print it where not all do. */
  async function remedied({ page, section: number, text, remedy, printed, yours, said }) {
    const own = await texts(page, number);
    const [first] = text.split("\n");
    const line = own.messages.split("\n").find((line) => line.includes(first)) ?? first;
    /* Said below the message, and not twice. */
    const shown = line.startsWith(`${printed} · `) ? line.slice(printed.length + 3) : line;
    return { ...own, messages: text.replace(first, () => shown), remedy: [yours, remedy].filter(Boolean).join(search.language === "zh" ? "" : " "), printed, said };
  }

  Object.assign(search, { ready, find });
})();
