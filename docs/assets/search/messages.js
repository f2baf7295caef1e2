/* Recognises messages, as `verbatim/site/search/messages.py` does and describes it: by the messages that pages show and the rules
   that the build has written into `<language>/messages-0.js`. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  let matcher;

  /* The words of a message, what was taken out of it, and the names in quotes with their first parts. */
  function words(text, rules) {
    const taken = [];
    text = [...text.slice(0, 2 * rules.READ)].slice(0, rules.READ).join(""); // characters, as Python counts them
    for (const rule of rules.RULES) text = text.replace(new RegExp(rule, "g"), (found) => taken.push(found) && " ");
    const quoted = taken.map((one) => one.match(new RegExp(rules.QUOTED_NAME))).filter(Boolean);
    const found = (text.match(new RegExp(rules.WORD, "g")) ?? []).slice(0, rules.LIMIT);
    const named = new RegExp(rules.NAMED);
    return {
      names: new Map(found.map((word) => [word.toLowerCase(), named.test(word)])),
      taken: new Set(taken),
      quoted: new Set(quoted.flatMap(([whole, first]) => [whole, first])),
    };
  }

  const both = (one, other) => [...one].filter((item) => other.has(item));
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

  function made({ rules, templates }) {
    const first = (text) => text.split(new RegExp(rules.SENTENCE))[0];
    const known = templates.map(([text, page, section, remedy, printed]) => ({
      text,
      page,
      section,
      remedy,
      printed,
      whole: words(text, rules),
      first: words(first(text), rules),
    }));
    const texts = new Map(known.map(({ text, whole }) => [text, whole]));
    const spread = Object.create(null);
    for (const { names } of texts.values()) for (const word of names.keys()) spread[word] = (spread[word] ?? 0) + 1;
    const rare = Math.log(1 + texts.size);
    const quotesTell = new RegExp(rules.QUOTES_TELL);
    const weight = (word) => Math.log(1 + texts.size / (spread[word] || 1));
    const apart = (one, other) =>
      sum([...one.names].map(([word, named]) => (other.names.has(word) ? 0 : weight(word) * (named ? rules.NAME : 1))));

    function compare(theirs, ours) {
      const shared = sum(both(theirs.names.keys(), ours.names).map(weight));
      return [shared / (shared + rules.EXTRA * apart(theirs, ours) + apart(ours, theirs) || 1), shared];
    }

    /* The templates that a message is, best first. */
    return (text) => {
      const theirs = words(text, rules);
      const begun = words(first(text), rules);
      const found = [];
      for (const one of known) {
        const whole = compare(theirs, one.whole);
        const pairs = [whole, compare(begun, one.first), compare(theirs, one.first)];
        const [alike, shared] = pairs.reduce((best, pair) => (pair[0] > best[0] || (pair[0] === best[0] && pair[1] > best[1]) ? pair : best));
        const same = both(theirs.quoted, one.whole.quoted).length / (one.whole.quoted.size || 1);
        const said = shared >= rules.TELLING * rare && !quotesTell.test(one.text);
        const own = !said && theirs.quoted.size && one.whole.quoted.size && !same;
        const { names, taken } = one.whole;
        const bare = theirs.names.size === 1 && names.size === 1 && theirs.taken.size === taken.size && both(theirs.taken, taken).length === taken.size;
        if (alike < rules.ALIKE || (shared < rules.ENOUGH * rare && !bare) || own) continue;
        found.push({ one, same: Math.floor(same * 10), alike: Math.floor(whole[0] * 10) });
      }
      return found.sort((a, b) => b.same - a.same || b.alike - a.alike).map(({ one }) => one);
    };
  }

  /* The messages that pages show and that this one is, best first: [{ page, section, text, remedy, printed }]. */
  search.recognise = async (text) => {
    const [version] = search.arrived.index.data.versions.messages ?? [];
    if (!version) return [];
    await search.load(`${search.language}/messages-0.js?${version}`);
    if (matcher?.version !== version) matcher = { version, match: made(search.arrived["messages-0"].data) };
    return matcher.match(text);
  };
})();
