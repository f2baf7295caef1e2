/* Finds the sections that answer a query: fetches the parts of the index that hold its words, has MiniSearch score sections by them,
   and puts these in order by what the book knows of them besides. Shows nothing. `verbatim/site/search/index.py` makes the parts;
   README.md, beside this file, tells what comes first and why. Needs `words.js` and `messages.js`, and `load` of `open.js`. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  /* -- The index: its form is that of `verbatim/site/search/index.py`. */

  /* The fields of a section, as MiniSearch numbers them; `page` is the title of its page, which the browser adds. */
  const FIELD_PLACES = { title: 0, prose: 1, code: 2, outputs: 3, messages: 4, asked: 5, other: 6, page: 7 };
  /* So many of them are stored; what a term counts in the centroids of pages stands behind them. */
  const STORED_FIELDS = FIELD_PLACES.page;
  /* Ends an entry that says of which name a section is the main one, and an entry that has phrases of readers. */
  const NAME_MARK = "<";
  const PHRASES_MARK = ">";
  /* The score of a main section that counts once (`IN_ADDRESS` in `verbatim/site/search/sections.py`). */
  const NAME_UNIT = 12;
  /* The highest number that says how general a page is (`verbatim/site/search/general.py`). */
  const MAX_GENERALITY = 99;

  /* -- What counts how much. The numbers were set by the lists of queries in `scripts/benchmarks/search/lists`; README.md, beside this
        file, tells what the larger parts earn. */

  /* Factors of a match, by its field. */
  const FIELD_BOOSTS = { title: 3, prose: 1.5, code: 1, outputs: 1, messages: 1, asked: 2, other: 1, page: 4 };
  /* A query with so many names and words may be a message that a reader got: then errors and warnings have this factor. */
  const MESSAGE_TERMS = 4;
  const MESSAGE_BOOST = 3;
  /* The factor of an overview, a page that only leads to others. */
  const OVERVIEW_FACTOR = 0.1;
  /* The factor of a page about an error, where nothing but a name is asked for; and what titles of such pages begin with. */
  const TRAP_FACTOR = 0.4;
  const TRAP_TITLE = /^(?:Error|Warning|报错|警告)[:：]?/;
  /* Factors grow by so much: where a text quotes the whole query, where the query has the whole title of the page, where readers
     ask just like that, and where a section is the main one of a name. */
  const QUOTE_BONUS = 4;
  const TITLE_BONUS = 2;
  const PHRASE_BONUS = 2;
  const NAME_BONUS = 5;
  /* Exponents of e in the factor of the page whose centroid is nearest, and of the most general page: with half of the query, a page
     counts as a quarter as general. */
  const NEAR_POWER = 1;
  const GENERAL_POWER = 0.75;
  /* How much of a section's score is that of its page, from 0 to 1; and by which factor each further section adds less to that. */
  const PAGE_PART = 0.5;
  const PAGE_DECAY = 0.5;
  /* How far a term is to be trusted, from 0 to 1: two characters that stand together by chance, or a word that only begins like one of
     the query; a part of a known name; a word that only leads to a name, as torch does; a word that pages say for the reader's own. */
  const CHANCE_TRUST = 0.3;
  const PART_TRUST = 0.4;
  const LEADING_TRUST = 0.3;
  const SAID_TRUST = 0.7;

  /* -- When something holds. */

  /* A word that is nowhere may be a slip of another, if it has so many letters: of shorter ones too many are alike. */
  const SLIP_LETTERS = 4;
  /* A page that quotes so much of a message, from 0 to 1, shows it. */
  const MIN_QUOTE = 0.9;
  /* Something fits, if a result has so much of the query, from 0 to 1, or scores so much. A long question fits no text well, but what
     answers it scores more than chance does. A Chinese question has pairs of characters for words, which score less. */
  const MIN_COVER = 0.7;
  const MIN_SCORE = 900;
  const MIN_SCORE_HAN = 700;
  /* Of a message that no page shows, a section with less than so much of it is not near: it has its everyday words alone. */
  const MIN_NEAR = 1 / 3;
  /* It must score so much more for each word in Latin letters that no page has. Among Chinese such a word names another thing. Two
     Chinese characters that no page has together are often no word, and do not count. */
  const STRANGE_SCORE = 120;
  const STRANGE_SCORE_HAN = 450;
  const LATIN_START = /^\w/;
  const HAN_CHARACTER = /[\u3400-\u9fff]/;
  /* A result leads to the top of its page, if title, first sentence and keywords of that say so much of the query, from 0 to 1. */
  const TOP_COVER = 0.5;

  /* -- At most so many. */

  const PAGE_SECTIONS = 2;
  /* Sections whose texts are fetched: each page's is a request. */
  const MAX_CANDIDATES = 14;
  const MAX_RESULTS = 10;
  /* Sections that show a pasted message and stand above all others. */
  const MAX_KNOWN = 3;

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

  /**
   * Read the index, unless it is read already.
   * @param {boolean} [again] Fetch it anew, past what the browser keeps.
   * @returns {Promise<void>}
   */
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
    const totals = Object.values(FIELD_PLACES).fill(0);
    pageOf.forEach((page, i) => {
      lengths[i] = [...data.lengths.slice(i * STORED_FIELDS, (i + 1) * STORED_FIELDS), data.lengths[first[page] * STORED_FIELDS]];
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
        fieldIds: FIELD_PLACES,
        fieldLength: lengths,
        averageFieldLength: totals.map((total) => total / (pageOf.length || 1)),
        storedFields: {},
        serializationVersion: 2,
      },
    };
  }

  /* The numbers of the parts that may hold a term. */
  function places({ term, prefix }) {
    const upTo = term + (prefix ? "\uffff" : PHRASES_MARK);
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
    const fields = packed.slice(0, STORED_FIELDS).map(spreadOut);
    const page = {};
    for (const field of [FIELD_PLACES.title, FIELD_PLACES.asked, FIELD_PLACES.other])
      for (const [document, times] of Object.entries(fields[field])) {
        const number = index.pageOf[document];
        if (+document !== index.first[number]) continue;
        for (let i = 0; i < index.pages[number]; i++) page[+document + i] = (page[+document + i] ?? 0) + times;
        if (field !== FIELD_PLACES.title) delete fields[field][document];
      }
    return Object.fromEntries([...fields, page].map((one, i) => [i, one]).filter(([, one]) => Object.keys(one).length));
  }

  /**
   * Find the sections that match a query best.
   * @param {string} query
   * @param {() => boolean} [wanted] Says whether anybody still waits for it; if not, no texts are fetched.
   * @param {string} [pasted] The text that the query is the message of: a whole traceback, perhaps.
   * @returns {Promise<Found | undefined>} Nothing, if nobody waits any more.
   *
   * @typedef {object} Found
   * @property {Result[]} results Best first.
   * @property {{ term: string, prefix: boolean }[]} terms The words by which they were found, as `search.wanted` has them.
   * @property {boolean} more Whether there are more.
   * @property {boolean} fits Whether the first of them is likely to answer.
   * @property {boolean} unknown Whether the query is a message that no page shows.
   * @property {boolean} ofPython Whether that is a message of Python's own.
   * @property {boolean} strange Whether it has a word in Latin letters that no page has.
   *
   * @typedef {object} Result A section, or the top of a page (`id` is ""), with all of its texts.
   * @property {string} url From the site's root.
   * @property {string} id @property {string} title @property {string} page The title of its page.
   * @property {string} lead The first sentence of its page, if it is another section.
   * @property {string} prose @property {string} code @property {string} outputs @property {string} messages
   * @property {string} [remedy] Of a recognised message: what to do, `printed`: the releases that word it so, `said`: the reader's own.
   */
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
    const says = ([entry]) => entry.endsWith(PHRASES_MARK);
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
    const strange = terms.filter((one) => LATIN_START.test(one.term) && !there(one)).length;
    const least = HAN_CHARACTER.test(query) ? MIN_SCORE_HAN + strange * STRANGE_SCORE_HAN : MIN_SCORE + strange * STRANGE_SCORE;
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
      const trap = alone && TRAP_TITLE.test(one.page) ? TRAP_FACTOR : 1;
      const score = one.score * trap * (1 + QUOTE_BONUS * quote) * (1 + TITLE_BONUS * title) * (1 + PHRASE_BONUS * phrase);
      const shown = pasted && (quote >= MIN_QUOTE || naming(one).some((line) => search.says(text, line)));
      return landed({ ...one, score, shown, fit: Math.max((one.cover + phrase) / 2, quote) }, weights);
    });
    const first = different(await Promise.all(known.slice(0, MAX_CANDIDATES).map(remedied))).slice(0, MAX_KNOWN);
    const results = different([...first, ...best.sort((a, b) => b.score - a.score)]).slice(0, MAX_RESULTS);
    const shown = first.length > 0 || results.some(({ shown }) => shown);
    const unknown = pasted && !shown && text.includes(" ");
    const fits = shown || (!unknown && results.some(({ fit, score }) => fit >= MIN_COVER || score >= least));
    const near = unknown ? results.filter(({ fit }) => fit >= MIN_NEAR) : results;
    const ofPython = unknown && (await search.ofPython(whole));
    return { results: near, terms: terms.filter(({ weak }) => !weak), more: best.length > MAX_RESULTS, unknown, ofPython, strange: strange > 0, fits };
  }

  /* The lines in which a section and its page may name a message. */
  const naming = (one) => [one.title, one.page, one.asked, one.top.asked].flatMap((lines) => lines.split("\n")).map((line) => line.replace(TRAP_TITLE, ""));

  /* Term → the known words that it may be a slip of, of those terms that may be slips. Of a name the words are looked at one by one. */
  async function meant(terms) {
    const found = terms.map(({ term }) => term).filter((term) => /^[a-z]+(?:_[a-z]+)*$/.test(term) && term.length >= SLIP_LETTERS);
    const words = found.length ? (await part("words", 0)).split(" ") : [];
    const known = (word) => word.length < SLIP_LETTERS || words.includes(search.spans(word)[0][0]);
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
  const spread = (packed) => packed.slice(0, STORED_FIELDS).flat().filter((step) => step >= 0).length;

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
    return above >= here && above >= TOP_COVER ? { ...own, ...top, lead: "" } : own;
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
        const word = entry.slice(0, -NAME_MARK.length);
        if (!matches({ term, prefix }, word)) continue;
        for (const [document, surely] of Object.entries(spreadOut(packed)))
          found[document] = (found[document] ?? 0) + (name * share * (surely / NAME_UNIT) * term.length) / word.length;
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
    const trusted = (one) => (one.of ? SAID_TRUST * one.share : 1) * (one.weak || rarer(one) ? CHANCE_TRUST : 1) * (known.has(one.whole) ? PART_TRUST : 1) * (one.leads ? LEADING_TRUST : 1);
    return Object.fromEntries(terms.map((one) => [one.term, trusted(one)]));
  }

  /* The sections that have any of the terms, as MiniSearch scores them. */
  function matching(terms, entries, trust) {
    const known = new Set(entries.map(([entry]) => entry));
    const needed = entries.filter(([entry]) => terms.some((one) => matches(one, entry)));
    const message = terms.filter(({ term }) => /^\w/.test(term)).length >= MESSAGE_TERMS;
    const engine = MiniSearch.loadJS(
      { ...index.empty, index: needed.map(([term, ...packed]) => [term, unpacked(packed)]) },
      { fields: Object.keys(FIELD_PLACES) },
    );
    return engine.search(terms.map(({ term }) => term).join(" "), {
      tokenize: (text) => text.split(" "),
      processTerm: (term) => term,
      /* The last word may still be on its way; another that is known stands for itself alone. */
      prefix: (term, i) => terms[i].prefix && (terms[i].weak || i === terms.length - 1 || !known.has(term)),
      boostTerm: (term) => trust[term],
      boost: message ? { ...FIELD_BOOSTS, messages: MESSAGE_BOOST } : FIELD_BOOSTS,
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
        for (const [page, weight] of Object.entries(spreadOut(packed[STORED_FIELDS]))) near[page] = (near[page] ?? 0) + weight * trust[entry];
    const nearest = Math.max(...Object.values(near));
    return Object.fromEntries(Object.entries(near).map(([page, sum]) => [page, sum / nearest]));
  }

  /* { sections, weights }: the best sections' numbers and scores, and how much of the query each has; what each of the query's
     terms counts. */
  function rank(terms, all, alone) {
    const names = all.filter(([entry]) => entry.endsWith(NAME_MARK));
    const entries = all.filter(([entry]) => !entry.endsWith(NAME_MARK));
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
        return { id, page, said, cover, score: score * cover * (index.overviews.has(page) ? OVERVIEW_FACTOR : 1) };
      })
      .sort(better);
    /* A page that says more of it is likelier to be about it. */
    const pages = {};
    for (const { page, score, said } of scored) {
      const { sum, next, has } = (pages[page] ??= { sum: 0, next: 1, has: new Set() });
      said.forEach((term) => has.add(term));
      pages[page] = { sum: sum + score * next, next: next * PAGE_DECAY, has };
    }
    const ranked = scored
      .map((one) => {
        const company = one.score ** (1 - PAGE_PART) * pages[one.page].sum ** PAGE_PART;
        return { ...one, score: company * (1 + NAME_BONUS * (surely[one.id] ?? 0)) * Math.exp(NEAR_POWER * (near[one.page] ?? 0)) };
      })
      .sort(better);
    /* How general a page is, as far as it has what the page that has most of the query has. */
    const covers = ({ page }) => (pages[page].cover ??= weight(pages[page].has));
    const most = Math.max(...ranked.slice(0, MAX_CANDIDATES).map(covers));
    const general = (one) => (alone ? 0 : (index.general[one.page] / MAX_GENERALITY) * Math.min(1, covers(one) / most) ** 2);
    const taken = {};
    const best = ranked
      .map((one) => ({ ...one, score: one.score * Math.exp(GENERAL_POWER * general(one)) }))
      .sort(better)
      .filter(({ page }) => (taken[page] = (taken[page] ?? 0) + 1) <= PAGE_SECTIONS)
      .slice(0, MAX_CANDIDATES);
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

  Object.assign(search, { find });
})();
