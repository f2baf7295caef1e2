/* Recognises messages: tells which of those that pages show a reader's message is, in whatever numbers and names. The rules and the
   messages are data, `<language>/messages-0.js`, which the build writes; `verbatim/site/search/messages.py` describes how messages are
   compared, and does the same. The package for readers does, too, and tests compare all three. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  /* A title says the sentence of a message with the first of its names, and none of the others (`Template.about`). */
  const ABOUT_ALL = 2;
  /* How alike two messages are is told in such steps, from 0 to 1: what differs by less is alike. */
  const TENTHS = 10;
  const HUNDREDTHS = 100;
  let matcher;

  /* The beginning of a message, in characters, as Python counts them. */
  const begun = (text, rules) => [...text.slice(0, 2 * rules.READ)].slice(0, rules.READ).join("");

  /* What a message says without its class. */
  function said(text, rules) {
    const alone = begun(text, rules).replace(new RegExp(rules.CLASS), "");
    return alone.match(new RegExp(rules.WITHIN))?.[2] ?? alone;
  }

  /* The words of a message, what was taken out of it, the names in quotes with their first parts, and the words as they are written. */
  function words(text, rules) {
    const taken = [];
    text = said(text, rules);
    for (const rule of rules.RULES) text = text.replace(new RegExp(rule, "g"), (found) => taken.push(found) && " ");
    const quoted = taken.map((one) => one.match(new RegExp(rules.QUOTED_NAME))).filter(Boolean);
    const found = (text.match(new RegExp(rules.WORD, "g")) ?? []).slice(0, rules.LIMIT);
    const named = new RegExp(rules.NAMED);
    const varies = new RegExp(rules.VARIES);
    return {
      names: new Map(found.map((word) => [word.toLowerCase(), named.test(word) || varies.test(word.toLowerCase())])),
      taken: new Set(taken),
      quoted: new Set(quoted.flatMap(([whole, first]) => [whole, first])),
      sequence: found,
    };
  }

  /* The pairs of neighbours in a message, all numbers alike: pair → how often. */
  function pairs(text, rules) {
    const found = (said(text, rules).replace(/[0-9]+(?:[.x][0-9]+)*/g, "0").match(/[A-Za-z0-9_]+|[^A-Za-z0-9_\s]/gu) ?? []).slice(0, rules.LIMIT);
    const counted = new Map();
    found.slice(1).forEach((one, i) => counted.set(`${found[i]} ${one}`, (counted.get(`${found[i]} ${one}`) ?? 0) + 1));
    return counted;
  }

  /* How many pairs two messages share, of those that one of them has: 0 to 1. */
  function near(one, other) {
    const times = (pair) => [one.get(pair) ?? 0, other.get(pair) ?? 0];
    const all = [...new Set([...one.keys(), ...other.keys()])].map(times);
    return sum(all.map((two) => Math.min(...two))) / (sum(all.map((two) => Math.max(...two))) || 1);
  }

  const both = (one, other) => [...one].filter((item) => other.has(item));
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

  /* What a message says in the reader's own numbers and names; empty if it has none that are told. */
  function advised(text, advice) {
    for (const { pattern, names, says } of advice) {
      const match = text.match(new RegExp(pattern));
      if (!match) continue;
      const value = (name) => match[1 + names.indexOf(name)];
      return says[search.language].replace(/\{([a-z]+)([+-][0-9])?\}/g, (_, name, plus) => (plus ? String(Number(value(name)) + Number(plus)) : value(name)));
    }
    return "";
  }

  function made({ rules, templates }) {
    const forms = rules.FORMS.map((one) => new RegExp(one));
    const ofPytorch = new RegExp(rules.WORDS_OF_PYTORCH);
    const sentence = new RegExp(rules.SENTENCE);
    const first = (text) => begun(text, rules).split(sentence)[0];
    const root = (text) => text.match(new RegExp(rules.ROOT))?.[1] ?? "";

    /* The sentence that a message is, and the names in it: { number, names }. */
    function form(text) {
      text = begun(text, rules);
      for (const [number, one] of forms.entries()) {
        const match = text.match(one);
        if (match) return { number, names: match.slice(1).map((name) => name ?? "") };
      }
      return undefined;
    }
    const equal = (one, other) => one.number === other.number && one.names.every((name, i) => name === other.names[i]);

    const called = (text) => said(text, rules).match(new RegExp(rules.CALLED))?.[1] ?? "";
    const varies = new RegExp(rules.VARIES);
    /* Whether two messages differ in one word alone, and that makes another message. */
    function differ(theirs, ours) {
      if (theirs.sequence.length !== ours.sequence.length) return false;
      const apart = theirs.sequence.map((word, i) => [word, ours.sequence[i]]).filter(([one, other]) => one !== other);
      return apart.length === 1 && apart[0].every((word) => /^[a-z]/.test(word) && !varies.test(word));
    }

    const described = (text) => ({ form: form(text), whole: words(text, rules), first: words(first(text), rules), called: called(text), pairs: pairs(text, rules) });
    const texts = new Map(templates.map(([text]) => [text, described(text)]));
    const known = templates.map(([text, page, section, remedy, printed, about]) => ({ text, page, section, remedy, printed, about }));
    const roots = new Set(["", ...[...texts.keys()].map(root)]);
    const spread = new Map();
    for (const { whole } of texts.values()) for (const word of whole.names.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
    /* How much a word tells; one that no message has tells as much as the rarest. */
    const rare = Math.log(1 + texts.size);
    const weights = new Map([...spread].map(([word, count]) => [word, Math.log(1 + texts.size / count)]));
    const weight = (word) => weights.get(word) ?? rare;
    const apart = (one, other) =>
      sum([...one.names].map(([word, named]) => (other.names.has(word) ? 0 : weight(word) * (named ? rules.NAME : 1))));

    function compare(theirs, ours) {
      const shared = sum(both(theirs.names.keys(), ours.names).map(weight));
      return [shared / (shared + rules.EXTRA * apart(theirs, ours) + apart(ours, theirs) || 1), shared];
    }

    /* Whether two messages are one, by how alike they are at best and as a whole, and what both have. */
    function same([alike, shared], whole, theirs, ours) {
      if (shared < rules.ENOUGH * rare) return whole[0] === 1 && theirs.taken.size === ours.taken.size && both(theirs.taken, ours.taken).length === ours.taken.size;
      if (alike < (Math.max(shared, whole[1]) >= rules.PLENTY * rare ? rules.ALIKE : rules.SURE)) return false;
      if (shared >= rules.TELLING * rare || !theirs.quoted.size || !ours.quoted.size) return true;
      return both(theirs.quoted, ours.quoted).length > 0;
    }

    function alike(theirs, ours) {
      if (ours.form) return false;
      const compared = [compare(theirs.whole, ours.whole), compare(theirs.first, ours.first), compare(theirs.whole, ours.first)];
      const best = compared.reduce((best, pair) => (pair[0] > best[0] || (pair[0] === best[0] && pair[1] > best[1]) ? pair : best));
      if (!same(best, compared[0], theirs.whole, ours.whole)) return false;
      if (theirs.called && ours.called && theirs.called !== ours.called) return false;
      return !differ(theirs.whole, ours.whole) && !differ(theirs.first, ours.first);
    }

    /* Whether a message is a sentence of Python's own, without a word of PyTorch. `own`: its form. */
    function isPlain(text, own = form(text)) {
      const path = new RegExp(rules.RULES[1], "g");
      return own !== undefined && own.number < rules.PYTHON && !ofPytorch.test(begun(text, rules).replace(path, " "));
    }

    /* The templates that a message is, best first. `inTorch`: whether a frame of its traceback lies in torch. */
    function match(text, inTorch) {
      const theirs = described(text);
      const own = theirs.form;
      if (!roots.has(root(text))) return [];
      const plain = isPlain(text, own);
      if (plain && !inTorch) return [];
      const found = new Map();
      for (const [one, ours] of texts) {
        const exact = !own || (ours.form && equal(own, ours.form));
        const begins = own && ours.form?.number === own.number && own.names[0] && own.names[0] === ours.form.names[0];
        if (own ? !exact && !begins : !alike(theirs, ours)) continue;
        const quoted = both(theirs.whole.quoted, ours.whole.quoted).length / (ours.whole.quoted.size || 1);
        const close = [own ? 0 : compare(theirs.whole, ours.whole)[0] * TENTHS, near(theirs.pairs, ours.pairs) * HUNDREDTHS];
        found.set(one, { exact, order: [Number(exact ?? 0), ...[quoted * TENTHS, ...close].map(Math.floor)] });
      }
      return known
        .filter((one) => found.has(one.text) && (!plain || one.about > 0) && (found.get(one.text).exact || one.about === ABOUT_ALL))
        .map((one) => {
          const { order } = found.get(one.text);
          return { one, order: [...order.slice(0, -1), Number(one.about >= 0), order.at(-1)] };
        })
        .sort((a, b) => b.order.map((step, i) => step - a.order[i]).find(Boolean) ?? 0)
        .map(({ one }) => one);
    }
    return { match, isPlain };
  }

  /* Loads the messages; whether the site has any. */
  async function ready() {
    const [version] = search.arrived.index.data.versions.messages ?? [];
    if (!version) return false;
    await search.load(`${search.language}/messages-0.js?${version}`);
    const { data } = search.arrived["messages-0"];
    if (matcher?.version !== version) matcher = { version, ...made(data), advice: data.advice ?? [] };
    return true;
  }

  /**
   * Whether all errors of a text are such as Python itself words, and none was raised in torch.
   * @param {string} text What a reader pasted.
   * @returns {Promise<boolean>}
   */
  search.ofPython = async (text) => (await ready()) && search.chain(text).every(({ message, inTorch }) => !inTorch && matcher.isPlain(message));

  /**
   * The messages that pages show and that a text is; of a chain of errors the last one that pages show.
   * @param {string} text What a reader pasted.
   * @returns {Promise<Known[]>} Best first.
   *
   * @typedef {object} Known
   * @property {number} page @property {number} section Where it is shown, by the numbers of the index.
   * @property {string} text The page's message.
   * @property {string} remedy What to do.
   * @property {string} printed The releases that word it so, where not all do.
   * @property {string} yours What it says in the reader's own numbers and names.
   * @property {string} said The reader's message.
   */
  search.recognise = async (text) => {
    if (!(await ready())) return [];
    for (const { message, inTorch } of search.chain(text)) {
      const found = matcher.match(message, inTorch);
      const yours = advised(message, matcher.advice);
      if (found.length) return found.map((one) => ({ ...one, yours, said: message }));
    }
    return [];
  };
})();
