/* What texts say, for the search: their terms (`spans`), those of a query (`wanted`), what went wrong in a pasted one (`message`), how
   alike a query and a text are, and where a query's words stand in it. All functions are pure. A browser runs this script on queries,
   and `verbatim/site/search/terms.py` runs it on the texts of the index: a term is cut the same in both. */
(() => {
  "use strict";
  /* Names and numbers, an index's `...`, or a run of Chinese characters. 的 (u7684) joins words and is in few: it ends a run. */
  const TERM_RUN =
    /(?<=[[,] ?)\.\.\.|[0-9A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff]+|[\u3400-\u4dbf\u4e00-\u7683\u7685-\u9fff\uf900-\ufaff]+/g;
  /* Operators, which readers ask for as they do for names, where they are no other sign: not 60 %, %d, @decorator, **kwargs,
     ~/.cache, torch==2.13. */
  const OPERATOR = new RegExp(
    [
      String.raw`(?<![:/])//|(?<!\S)/(?!\S)`,
      String.raw`(?<=[\w)\]] ?)\*\*(?![*])|\*\*(?![\w*])`,
      String.raw`(?<=[\w)\]])@(?=[\w(])|@(?!\w)`,
      String.raw`(?<!\d ?)%(?![a-z\d])|%(?= ?[-(]?\d)`,
      String.raw`(?<!&)&(?![&\w])`,
      String.raw`(?<!\|)\|(?!\|)`,
      String.raw`~(?![/\d])|\^`,
      String.raw`!=|(?<![=!<>])==(?!=|\d+\.)`,
      String.raw`(?<![-+*/<>=!])[-+*/]=(?!=)`,
      String.raw`(?<![*\w./-])\*(?![*\w./)=-])`,
      "::-1",
    ].join("|"),
  );
  const TERM = new RegExp(`${TERM_RUN.source}|${OPERATOR.source}`, "g");
  const HAN_START = /^[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
  const NAME_PIECE = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00f6\u00f8-\u00ff]+/g;
  const NUMBER = /^(?:\d+(?:x\d+)*|\d+e\d*|0x[0-9a-f]+)$/;

  /* So many words of a query count, about as many as a long message has: the last ones, because a traceback ends with what went wrong. */
  const MAX_WORDS = 32;

  /* What an apostrophe cuts short in a question: don't, it's. */
  const APOSTROPHE_ENDING = /\b[A-Za-z]+n['\u2019]t\b|(?<=[A-Za-z])['\u2019](?:s|m|d|re|ve|ll)\b/g;

  /* Words that ask or join. A joining character is one only where it stands alone or is glued to a name: 梯度为None. */
  const ASKING_WORD = new RegExp(
    "为什么|什么时候|怎么[样办]?|怎样|如何|为何|为啥|是什么意思|什么意思|什么是|[是有干做]什么|[是有干]啥|什么|啥|咋|是不是|是否|会不会|" +
      "能不能|能否|可不可以|可以|要不要|应该|哪些|哪个|哪里|请问|请教|到底|有何|有什么|不同|区别|[吗呢啊]|" +
      "[JOIN](?=[0-9A-Z_a-z])|(?<=[0-9A-Z_a-z])[JOIN]|(?<![\u4e00-\u9fff])[JOIN](?![\u4e00-\u9fff])".replaceAll(
        "JOIN",
        "和与或跟及为是在用把对",
      ),
    "g",
  );

  /* How surely a plain word in Latin letters is a name, from 0 to 1: among Chinese ones nearly always, in an English sentence hardly. */
  const HAN_NAME = 0.8;
  const ENGLISH_NAME = 0.125;
  /* A word that joins or asks may be all of a bare name, as `where` is, if the query has fewer characters. */
  const BARE_LENGTH = 12;

  const narrowed = (text) =>
    text.replace(/[\uff01-\uff5e]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));

  /* A word in lower case; an English one without its ending (the first step of Porter's stemmer, shortened). */
  const normal = (name) => {
    if (/[A-Z]s$/.test(name)) return name.slice(0, -1).toLowerCase();
    let word = name.toLowerCase();
    if (!/^[a-z]{4,}$/.test(word)) return word;
    word = word.replace(/sses$/, "ss").replace(/ies$/, "y").replace(/(?<![su])s$/, "");
    const stem = word.match(/^([a-z]+)(?:ing|(?<!e)ed)$/)?.[1] ?? "";
    if (stem.length > 2 && /[aeiouy]/.test(stem)) word = stem.replace(/([^aeiouylsz])\1$/, "$1");
    /* An abbreviation such as RMSE, whose only vowel this is, keeps it. */
    return /[aeiouy].*e$/.test(word) ? word.replace(/(?<=[a-z]{3})e$/, "") : word;
  };

  /* English words, without their endings, that are never names: the index does without them, and nothing looks for them. */
  const GRAMMAR = /^(?:an?|are|at|be|been|being|but|by|can|could|did|doe?|had|how|it|its|me|my|of|our|should|so|than|that|the|their|then|ther|thes|they|thi|thos|was|we|wer|what|which|who|why|will|would|you|your)$/;

  /* Others that join or ask, and may be names, as to() is. PyTorch is what all of the book is about. */
  const JOINING_WORDS = new Set(
    "and as between difference for from get getting has have if i in into is on or to versus vs when where with pytorch".split(" ").map(normal),
  );

  /**
   * The terms of a text, each with the place it comes from.
   * @param {string} text
   * @returns {[string, number, number][]} [term, start, end], in UTF-16 units of the text.
   */
  function spans(text) {
    const found = [];
    for (const { 0: word, index: start } of narrowed(text).matchAll(TERM)) {
      const end = start + word.length;
      const add = (term) => found.push([normal(term), start, end]);
      if (HAN_START.test(word)) {
        if (word.length === 1) found.push([word, start, end]);
        for (let i = start; i < end - 1; i++) found.push([word.slice(i - start, i - start + 2), i, i + 2]);
        continue;
      }
      /* One term for what one page explains: += and its kin, == and !=. */
      add(word.replace(/^[-*/]=$/, "+=").replace("!=", "=="));
      const parts = word.split("_").filter(Boolean);
      for (const part of parts) {
        if (parts.length > 1) add(part);
        const pieces = part.match(NAME_PIECE) ?? [];
        if (pieces.length > 1) pieces.filter((piece) => piece.length > 1).forEach(add);
      }
    }
    return found;
  }

  /* The class of an error or a warning, as a line begins with it; and where it stands within a line: there it needs an ending
     that only such classes have, or a module that has nothing else. */
  const CLASS_ENDING = String.raw`(?:Error|Exception|Warning|Interrupt|Iteration|Exit|Exceeded)`;
  const ERROR_CLASS = String.raw`(?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*|[A-Z]\w*${CLASS_ENDING})`;
  const INNER_CLASS = String.raw`(?:(?:[A-Za-z_]\w*\.)*(?:exc\.[A-Z]\w*|[A-Z]?\w*${CLASS_ENDING})|(?:[A-Za-z_]\w*\.)+error)`;
  const MESSAGE_START = new RegExp(String.raw`^(?:\S+:\d+: )?(${ERROR_CLASS}(?::(?=\s|$).*)?)$`);
  const NAMED_CLASS = new RegExp(String.raw`(?<![\w.])${INNER_CLASS}(?=: +\S|:?\s*$)`, "g");
  const TRACEBACK_LINE = /Traceback \(most recent call last\)|\bFile "[^"]*", line \d+|^-+> *\d+|\bline \d+, in\b|^\S+:\d+: \w+:/m;
  const FRAME_LINE = /^\s*File "|^\s*[\^~]+\s*$/;
  /* A path from the root, the home or a drive, which nothing else looks like; and any other, as messages have them. */
  const ROOTED_PATH = /(?<![\w.:/\\])(?:[A-Za-z]:|~)?(?:[\\/][\p{L}\w.@~+-]+(?=[\\/]))+[\\/][\w.@~+\u00c0-\u024f-]*/gu;
  const ANY_PATH = /(?<![\w.:/\\])(?:[A-Za-z]:)?(?:[\\/]?[\w.@~+-]+[\\/]){2,}[\w.@~+-]*/g;

  /* Colours of a terminal; what launchers put in front of each line, and pytest in front of the lines of an error. */
  // eslint-disable-next-line no-control-regex -- orders to a terminal
  const TERMINAL_ORDER = /\u001b\[[\d;?]*[A-Za-z]/g;
  const LAUNCHER_PREFIX = /^(?:\[rank\d+\]: ?|\[\d+\]<std(?:err|out)>: ?|\((?:[\w.]{1,99} )?pid[= ]?\d+[^()\n]{0,60}\) ?)+/gm;
  const PYTEST_PREFIX = /^E(?:\s{2,}(?=\S)|\s*$)/;
  /* The end of a frame, in a traceback that was pasted as one line; and how many frames are looked at, from the last one on. */
  const MAX_FRAMES = 8;
  const FRAME_END = /\bline \d+, in\b/;
  /* An error as it is shown within a call: AssertionError('can only test a child process'). */
  const SHOWN_ERROR = new RegExp(String.raw`(?<![\w.])(${INNER_CLASS})\((['"])(.*)\2,?\)\W*$`);
  /* What loggers put in front of a message. */
  const LOGGER_PREFIX = /^.{0,99}\b(?:ERROR|WARNING|CRITICAL|FATAL)\b.{0,200}? - (?=\S)/;

  /* What begins somewhere in a text: up to the end, or to that of the quotes in which it stands. */
  function quotation(text, start) {
    const mark = text[start - 1];
    const end = mark && "`\"'".includes(mark) ? text.lastIndexOf(mark) : -1;
    return end > start ? text.slice(start, end) : text.slice(start);
  }

  /* The message in one line, of which a logger or a reader may have said the rest. */
  function said(line) {
    const frames = [...line.matchAll(new RegExp(FRAME_END, "g"))].slice(-MAX_FRAMES).map(({ index, 0: frame }) => index + frame.length);
    const named = [...line.matchAll(NAMED_CLASS)];
    for (const after of frames.length ? frames.reverse() : [0]) {
      const inside = named.find(({ index }) => index >= after); // a message may quote frames
      if (inside) return quotation(line, inside.index);
    }
    const shown = line.match(SHOWN_ERROR);
    if (shown) return `${shown[1]}: ${shown[3].replaceAll("\\'", "'").replaceAll('\\"', '"')}`;
    return line.replace(LOGGER_PREFIX, "");
  }

  /* What stands before the beginning of a traceback, or before a frame: a date, a container, a mark of quotation, the bars that Python
     draws around a group of errors. At most so many are told apart. */
  const BEFORE =
    /^(.{1,200}?)(?:(?<![\w.])(?:[A-Za-z_][\w.]*\s{2,})?(?:Original |Exception Group )?Traceback \(most recent call last\)| {2}File "[^"\n]+", line \d)/gm;
  const MAX_PREFIXES = 16;
  const FRAMED = /Traceback \(most recent call last\)|File "[^"\n]+", line \d/;
  /* Of a notebook the class stands before the beginning alone, and what pytest writes is read by itself. */
  const NO_PREFIX = /^(?:\s*|E\s+|[A-Za-z_][\w.]*\s{2,})$/;
  /* Between the errors of a group, and below the last of them. */
  const SEPARATOR = /^[^+\n]{0,200}(\+-[+-]* \d+ -+)[ \t]*$/gm;
  const GROUP_END = /^[^+\n]{0,200}\+-{36}[ \t]*(?:\n|$)/gm;
  /* What torch's launchers log between the lines of the processes. */
  const GLOG = /^\[?[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ .*(?:\n|$)/gm;
  const FENCED = /^```\w*\n([^]*?)(?:^```|$(?![^]))/gm;

  /* A text with a traceback, without what stands before each of its lines. The digits of what stands there change from line to line. */
  function unprefixed(text) {
    const found = [...text.matchAll(BEFORE)].map((match) => match[1]).filter((prefix) => !NO_PREFIX.test(prefix));
    const alike = (prefix) => prefix.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\d+/g, "\\d+");
    const forms = [...new Set(found.map((prefix) => `${alike(prefix)}(?:${/\s$/.test(prefix) ? "[ \\t]|$" : ""})`))].slice(0, MAX_PREFIXES);
    forms.sort((one, other) => other.length - one.length);
    return forms.length ? text.replace(new RegExp(`^(?:${forms.join("|")})`, "gm"), "") : text;
  }

  /* A text without what terminals, launchers, loggers and chats put into it. */
  function plain(text) {
    const told = text.replace(TERMINAL_ORDER, "").replace(/\r\n?/g, "\n").replace(LAUNCHER_PREFIX, "");
    if (!told.includes("\n") || !FRAMED.test(told)) return told;
    const fenced = [...told.matchAll(FENCED)].map((match) => match[1]).findLast((one) => FRAMED.test(one));
    return unprefixed((fenced ?? told).replace(GLOG, "").replace(GROUP_END, "").replace(SEPARATOR, "$1"));
  }

  /**
   * What went wrong, of a text pasted from a terminal or a log, on one line or many: the last error or warning in it, with its class, up
   * to the end. Any other text as it is. Both without a reader's paths.
   * @param {string} text
   * @returns {string} In one line.
   */
  const message = (text) => folded(wrong(text));

  /* In one line, without a reader's paths. */
  function folded({ found, pasted }) {
    let told = found.replace(ROOTED_PATH, "…");
    if (pasted) told = told.replace(ANY_PATH, "…");
    return told.replace(/\s+/g, " ").trim();
  }

  /* What went wrong, in its lines; and whether the text looks pasted. */
  function wrong(text) {
    let told = plain(text).trim();
    const asserted = told.split("\n").map((line) => PYTEST_PREFIX.test(line));
    if (asserted.includes(true)) {
      const end = asserted.lastIndexOf(true);
      const begin = asserted.slice(0, end).lastIndexOf(false) + 1;
      told = told.split("\n").slice(begin, end + 1).map((line) => line.replace(PYTEST_PREFIX, "")).join("\n").trim();
    }
    let found = told;
    const lines = told.split("\n");
    const at = lines.findLastIndex((line) => MESSAGE_START.test(line.trim()) && !FRAME_END.test(line));
    const inside = [...told.matchAll(NAMED_CLASS)].at(-1);
    if (at >= 0) {
      const rest = lines.slice(at + 1).filter((line, i, all) => !FRAME_LINE.test(line) && !(i && /^\s*File "/.test(all[i - 1])));
      found = [lines[at].trim().match(MESSAGE_START)[1], ...rest].join("\n");
    } else if (lines.length === 1) found = telling(told) ? said(told) : told;
    else if (inside) found = quotation(told, inside.index);
    else if (lines.some((line) => LOGGER_PREFIX.test(line))) found = lines.slice(lines.findLastIndex((line) => LOGGER_PREFIX.test(line))).map(said).join("\n");
    else if (telling(told)) found = said(lines.filter((line) => line.trim() && !FRAME_LINE.test(line)).at(-1) ?? "");
    return { found, pasted: found !== told || telling(found) };
  }

  /* A message as a whole; then its first line alone, if it says anything: below it notes may stand, which programs add (PEP 678). */
  function readings(text) {
    const { found, pasted } = wrong(text);
    const [first, ...others] = found.split("\n");
    const alone = others.some((line) => line.trim()) && /: +\S/.test(first);
    return (alone ? [found, first] : [found]).map((one) => folded({ found: one, pasted }));
  }

  const TRACEBACK_HEAD = "Traceback (most recent call last)";
  /* What stands between the tracebacks of errors of which one came while another was handled, or of the errors of a group; of a
     notebook's the class, too. */
  const TRACEBACK_LINK = new RegExp(
    String.raw`(?:(?:During handling of the above exception, another|The above exception was the direct cause of)[^\n]*|${SEPARATOR.source})` +
      String.raw`\s*(?:[A-Za-z_][\w.]*\s{2,})?(?:Exception Group )?$(?![^])`,
    "m",
  );
  /* Errors that only say that another process failed: its own traceback stands further up. */
  const WRAPPING_ERROR = /^(?:[\w.]+\.)?(?:ChildFailedError|CalledProcessError|ProcessExitedException)\b/;
  /* A file of torch, in a frame. */
  const OF_TORCH = /[\\/](?:(?:site|dist)-packages|pytorch)[\\/]torch[\\/]/;
  /* The file of a frame: of Python, of a notebook, of pytest; and how many characters of a line are looked at for it. A line of a log
     may have a million. */
  const FRAME_FILE = /(?<![^\s"'()])[^\s"'()]*\.py(?=[":]| in )/g;
  const MAX_LINE_LENGTH = 1000;
  /* How many tracebacks are looked at, from the last one on. */
  const MAX_TRACEBACKS = 8;

  /* Whether an error was raised in torch: the last frame of its traceback lies there, and not in code that torch calls. */
  function raisedInTorch(traceback) {
    const lines = traceback.split("\n").map((line) => line.slice(0, MAX_LINE_LENGTH).match(FRAME_FILE)?.at(-1));
    return OF_TORCH.test(lines.findLast(Boolean) ?? "");
  }

  /**
   * What went wrong, the last message first, then those before it in its chain of errors; one that only says that another process failed
   * comes after that other one's. As `messages` in `explain/src/pytorch_verbatim/reading.py`.
   * @param {string} text
   * @returns {{ message: string, inTorch: boolean }[]} `inTorch`: whether it was raised in torch.
   */
  function chain(text) {
    const pieces = plain(text).split(TRACEBACK_HEAD);
    const read = (one, frames) => readings(one).map((message) => ({ message, inTorch: raisedInTorch(frames) }));
    const found = read(text, pieces.at(-1));
    for (let i = pieces.length - 1; i > 0 && pieces.length - i <= MAX_TRACEBACKS; i--) {
      /* What stands above the first beginning is a log, unless that was cut off. */
      if (!TRACEBACK_LINK.test(pieces[i - 1]) && (i === 1 || !WRAPPING_ERROR.test(found.at(-1).message))) break;
      const above = pieces[i - 1].replace(TRACEBACK_LINK, "");
      found.push(...read(`${TRACEBACK_HEAD}${above}`, above));
    }
    const wraps = (one) => Number(WRAPPING_ERROR.test(one.message));
    return found.sort((one, other) => wraps(one) - wraps(other));
  }

  /**
   * Whether a line begins as messages do: with the class of an error or a warning.
   * @param {string} line
   * @returns {boolean}
   */
  const raised = (line) => MESSAGE_START.test(line.trim());

  /* A class with what it says, and what compilers, drivers and shells begin messages with. */
  const CLASS_AND_TEXT = new RegExp(String.raw`(?<![\w.])${INNER_CLASS}: +(?=[^\u3400-\u9fff]{6})\S|^${INNER_CLASS}:?$`);
  const MESSAGE_PREFIX = /^(?:OMP: |CUDA error|CUDNN_STATUS|CUBLAS_STATUS|terminate called|Segmentation fault|Bus error|fatal error|(?:fatal|error|warning|ERROR|WARNING): |\[[EW]\d{3}|\[\w+\] (?:error|fatal)|E: |npm ERR)|\b(?:undefined symbol|command not found)\b|\b[Ee]rror #?\d+: /;

  /**
   * Whether a text looks like a message.
   * @param {string} text
   * @returns {boolean}
   */
  const telling = (text) => [TRACEBACK_LINE, CLASS_AND_TEXT, MESSAGE_PREFIX, SHOWN_ERROR, LOGGER_PREFIX].some((one) => one.test(text)) || (text.includes("\n") && text.split("\n").some(raised));

  /* A text that begins as messages do: of a long one the beginning counts, of another its end. */
  const CLASS_START = new RegExp(String.raw`^${INNER_CLASS}\b`);

  /* A name, perhaps called. */
  const BARE_NAME = /^[\s.]*[A-Za-z_]\w*(?:\.\w+)*\s*(?:\([^()]*\))?\s*$/;

  /**
   * Whether a query is nothing but a name.
   * @param {string} text
   * @returns {boolean}
   */
  const alone = (text) => BARE_NAME.test(text);

  /**
   * A query's terms. Numbers, shapes and addresses are left out where there is anything else: those of a pasted message differ from those
   * on the page. So are words that only ask or join, unless they stand as names do: torch.where, to().
   * @param {string} query
   * @returns {Term[]}
   *
   * @typedef {object} Term
   * @property {string} term
   * @property {boolean} prefix Longer terms match, too.
   * @property {[string, string]} [between] Of a pair of Chinese characters, the pairs that it overlaps.
   * @property {string} [whole] The name that it is a part of, as entropy is of CrossEntropyLoss.
   * @property {boolean} leads Whether it only leads to a name, as torch does in torch.cat.
   * @property {number} name How surely it is a name itself, from 0 to 1.
   * @property {string[]} [of] The terms of the query in whose place it stands; `share`: how much of them each of these is.
   * @property {boolean} [weak] Whether it is only the beginning of one.
   */
  function wanted(query) {
    const text = message(query);
    const bare = alone(text);
    const asked = bare ? text : text.replace(APOSTROPHE_ENDING, " ").replace(ASKING_WORD, " ");
    const coded = (start, end) => /[\w)\]]\.$/.test(asked.slice(0, start)) || asked[end] === "(";
    const telling = ([term, start, end]) => !NUMBER.test(term) && !GRAMMAR.test(term) && (!JOINING_WORDS.has(term) || (bare ? asked.length < BARE_LENGTH : false) || coded(start, end));
    const words = spans(asked).filter(telling);
    const all = words.length ? words : spans(text);
    const found = CLASS_START.test(text) ? all.slice(0, MAX_WORDS) : all.slice(-MAX_WORDS);
    const terms = [...new Set(found.map(([term]) => term))];
    /* Words are keys: without a prototype, so that `constructor` is no more than one of them. */
    const whole = Object.create(null);
    const names = new Map(found.map(([term, start, end]) => [`${start} ${end}`, term]).reverse());
    for (const [term, start, end] of found) whole[term] ??= names.get(`${start} ${end}`);
    const leads = Object.create(null);
    const name = Object.create(null);
    for (const [term, start, end] of found) {
      if (HAN_START.test(term) || whole[term] !== term) continue;
      leads[term] = /^\.[A-Za-z_]/.test(asked.slice(end));
      const word = asked.slice(start, end);
      const sure = bare || coded(start, end) || /_|[a-z][A-Z]|[A-Z]{2,}[a-z]/.test(word);
      name[term] = leads[term] ? 0 : sure ? 1 : /[\u3400-\u9fff]/.test(query) ? HAN_NAME : ENGLISH_NAME;
    }
    /* A pair of Chinese characters between two others may be no word. */
    const between = Object.create(null);
    found.forEach(([term, start], i) => {
      const [before, after] = [found[i - 1], found[i + 1]];
      if (HAN_START.test(term) && before?.[1] === start - 1 && after?.[1] === start + 1) between[term] = [before[0], after[0]];
    });
    return terms.map((term, i) => ({
      term,
      prefix: HAN_START.test(term) ? term.length === 1 : term.length > 3 || (term.length > 1 && i === terms.length - 1),
      between: between[term],
      whole: whole[term] !== term && !HAN_START.test(term) ? whole[term] : undefined,
      leads: leads[term] ?? false,
      name: name[term] ?? 0,
    }));
  }

  /**
   * How likely a word is another, mistyped. The first letter is hardly ever wrong.
   * @param {string} one
   * @param {string} other
   * @returns {number} 3 with a letter doubled that is not, or the other way round; 2 with one letter missing or too many, or two in each
   *   other's place; 1 with one that is wrong; 0 with more.
   */
  function mistyped(one, other) {
    const single = (word) => word.replace(/(.)\1/g, "$1");
    if (one === other || Math.abs(one.length - other.length) > 2) return 0;
    if (single(one) === single(other)) return 3;
    let start = 0;
    while (one[start] === other[start]) start++;
    const [rest, right] = [one.slice(start), other.slice(start)];
    const swapped = rest[1] === right[0] && rest[0] === right[1] && rest.slice(2) === right.slice(2);
    if (swapped) return 2;
    if (!start) return 0;
    if (rest.slice(1) === right || rest === right.slice(1)) return 2;
    return rest.slice(1) === right.slice(1) ? 1 : 0;
  }

  /**
   * Of words, those that a word is likeliest to be a slip of.
   * @param {string} one
   * @param {string[]} words
   * @returns {string[]}
   */
  function nearest(one, words) {
    const found = words.map((word) => [mistyped(one, word), word]);
    const most = Math.max(1, ...found.map(([slip]) => slip));
    return found.filter(([slip]) => slip === most).map(([, word]) => word);
  }

  /**
   * How much of a query's weight a text has.
   * @param {Map<string, number>} weights Term → weight.
   * @param {string} text
   * @returns {number} From 0 to 1.
   */
  function covered(weights, text) {
    const there = new Set(spans(text).map(([term]) => term));
    const all = [...weights];
    const sum = (some) => some.reduce((total, [, weight]) => total + weight, 0);
    return sum(all.filter(([term]) => there.has(term))) / (sum(all) || 1);
  }

  /* The phrases of the thesaurus, [[words of pages, parts of what readers say]], that a query has: all of their parts, and not
     within a longer one that it has, as 转置 in 转置卷积. */
  function sayings(query, terms, said) {
    const text = narrowed(query).toLowerCase();
    /* Whole words: a histogram is not what add_histogram asks for. */
    const wholes = new Map(spans(query).reverse().map(([term, start]) => [start, term]));
    const asked = new Set([...wholes.values(), ...terms.filter(({ whole }) => !whole).map(({ term }) => term)]);
    const has = (part) => (HAN_START.test(part) ? text.includes(part) : asked.has(part));
    const there = said.filter(([, parts]) => parts.every(has));
    const within = (one, other) => one.every((part) => other.some((longer) => (HAN_START.test(part) ? longer.includes(part) : longer === part)));
    return there.filter(([, parts]) => !there.some(([, other]) => within(parts, other) && !within(other, parts)));
  }

  /**
   * What pages say for what the reader says.
   * @param {string} query
   * @param {Term[]} terms The query's.
   * @param {[string, string[]][]} said Phrases of the thesaurus: [words of pages, parts of what readers say].
   * @returns {Term[]} With `of` and `share`.
   */
  function reworded(query, terms, said) {
    const found = new Map();
    for (const [words, parts] of sayings(query, terms, said)) {
      const of = parts.flatMap((part) => (HAN_START.test(part) ? spans(part).map(([pair]) => pair) : [part]));
      const targets = wanted(words);
      for (const one of targets) {
        const name = /^[a-z_]/.test(one.term) && !HAN_START.test(one.term) ? HAN_NAME : 0;
        const old = found.get(one.term);
        found.set(one.term, { ...one, prefix: false, name, leads: false, whole: undefined, between: undefined, of: [...(old?.of ?? []), ...of], share: 1 / Math.sqrt(targets.length) });
      }
    }
    return [...found.values()].filter(({ term }) => terms.every((one) => one.term !== term));
  }

  /**
   * How much a text is what is asked for: what both have against what each has.
   * @param {Map<string, number>} weights Term → weight.
   * @param {string} text
   * @returns {number} From 0 to 1.
   */
  function alike(weights, text) {
    const there = new Set(spans(text.replace(ASKING_WORD, " ")).map(([term]) => term).filter((term) => !NUMBER.test(term) && !GRAMMAR.test(term) && !JOINING_WORDS.has(term)));
    let both = 0;
    let all = 0;
    for (const [term, weight] of weights) {
      all += weight;
      if (there.delete(term)) both += weight;
    }
    return (2 * both) / (all + both + (there.size * all) / (weights.size || 1) || 1);
  }

  /**
   * What to look for in the place of two characters that stand together nowhere: words with the same beginning, as 清零 for 清空. Where
   * another of the query's words has that character, nothing.
   * @param {Term} one
   * @param {Term[]} terms The query's.
   * @returns {Term}
   */
  function broadened(one, terms) {
    const [first] = one.term;
    const elsewhere = terms.some(({ term }) => term !== one.term && term.includes(first));
    return one.term.length === 2 && HAN_START.test(first) && !elsewhere ? { term: first, prefix: true, weak: true } : one;
  }

  const matches = ({ term, prefix }, found) => found === term || (prefix && found.startsWith(term));

  /**
   * The places in a text that match a query's terms, in order and without overlaps.
   * @param {string} text
   * @param {Term[]} terms
   * @returns {[number, number][]} [start, end], in UTF-16 units.
   */
  function marks(text, terms) {
    const merged = [];
    for (const [found, start, end] of spans(text)) {
      if (!terms.some((one) => matches(one, found))) continue;
      const last = merged.at(-1);
      if (last && start <= last[1]) last[1] = Math.max(last[1], end);
      else merged.push([start, end]);
    }
    return merged;
  }

  /* The words of a text in their order: names whole, Chinese characters one by one, all numbers alike. */
  const sequence = (text) =>
    (narrowed(text).match(TERM_RUN) ?? []).flatMap((word) => {
      if (HAN_START.test(word)) return [...word];
      const term = normal(word);
      return NUMBER.test(term) ? "0" : term;
    });

  /* So many words in a row are no chance, and so many may be. */
  const SAYING_WORDS = 4;
  const CHANCE_WORDS = 3;
  /* How much of a word a Chinese character is. */
  const HAN_WORD = 0.5;

  /**
   * How much of a query one of some texts quotes, word by word.
   * @param {string} query
   * @param {string[]} texts
   * @returns {number} From 0 to 1.
   */
  function quoted(query, texts) {
    const asked = sequence(query);
    const length = asked.map((word) => (HAN_START.test(word) ? HAN_WORD : 1));
    let longest = 0;
    for (const text of texts) {
      let before = [];
      for (const word of sequence(text)) {
        before = asked.map((one, i) => (one === word ? (before[i - 1] ?? 0) + length[i] : 0));
        longest = Math.max(longest, ...before);
      }
    }
    const whole = length.reduce((sum, one) => sum + one, 0);
    return Math.max(0, longest - CHANCE_WORDS) / Math.max(1, whole - CHANCE_WORDS);
  }

  /**
   * Whether a message says a line of a page, in its order: of that line an ellipsis stands for anything, and what follows the last colon
   * may be advice.
   * @param {string} text
   * @param {string} line
   * @returns {boolean}
   */
  function says(text, line) {
    const words = ` ${sequence(text).join(" ")} `;
    return [line, line.replace(/[:\uff1a][^:\uff1a]*$/, "")].some((saying) => {
      const pieces = saying.split("\u2026").map(sequence).filter(({ length }) => length);
      let rest = words;
      for (const piece of pieces) {
        const at = rest.indexOf(` ${piece.join(" ")} `);
        if (at < 0) return false;
        rest = rest.slice(at + piece.join(" ").length + 1);
      }
      return pieces.flat().length >= SAYING_WORDS;
    });
  }

  /**
   * How much of a title is in a query.
   * @param {string} title
   * @param {string} query
   * @returns {number} From 0 to 1.
   */
  function share(title, query) {
    const asked = sequence(query);
    const words = sequence(title);
    return words.filter((word) => asked.includes(word)).length / (words.length || 1);
  }

  /**
   * The first sentence of a text.
   * @param {string} text
   * @returns {string}
   */
  const sentence = (text) => text.split("\n").find(Boolean)?.match(/^.+?(?:[。！？]|[.!?](?=\s|$)|$)/)?.[0] ?? "";

  /* How wide an excerpt is, in Latin letters, of which a Chinese character has two: two lines of a result. */
  const EXCERPT_WIDTH = 150;
  /* It begins with the sentence of the first mark, if that begins so many characters before it, else a few words before it. */
  const SENTENCE_LENGTH = 40;
  const BEFORE_LENGTH = 20;
  /* It ends at a space, if one is among so many of its last characters: a word is not cut. */
  const WORD_LENGTH = 12;
  /* From here on a character is as wide as a Chinese one. */
  const FIRST_WIDE = "\u2e80";

  /**
   * The field of a section with most of a query, and the stretch of it that has most of that.
   * @param {{ prose: string, messages: string, outputs: string, code: string }} result
   * @param {Term[]} terms
   * @returns {[string, string]} [the field's name, the text]
   */
  function excerpt(result, terms) {
    const kinds = ["prose", "messages", "outputs", "code"].map((kind) => {
      const found = spans(result[kind]).map(([term]) => term);
      const there = terms.filter((wanted) => found.some((term) => matches(wanted, term)));
      return [kind, there.reduce((sum, { term }) => sum + wide(term) * term.length, 0)];
    });
    const [kind] = kinds.reduce((best, one) => (one[1] > best[1] ? one : best));
    return [kind, stretch(result[kind], terms, kind !== "prose")];
  }

  const wide = (character) => (character > FIRST_WIDE ? 2 : 1);

  function stretch(text, terms, byLine) {
    if (byLine) {
      const lines = text.split("\n");
      const marked = lines.map((line) => marks(line, terms).length);
      const at = marked.indexOf(Math.max(...marked));
      return cut(lines.slice(at, marked[at + 1] ? at + 2 : at + 1).join("\n").trim(), 0, EXCERPT_WIDTH);
    }
    text = text.replaceAll("\n", " · ");
    const places = marks(text, terms);
    /* Begin where most marks follow within the length of an excerpt. */
    let best = 0;
    let most = 0;
    for (const [start] of places) {
      const inside = places.filter(([from, to]) => from >= start && to < start + EXCERPT_WIDTH / 2).length;
      if (inside > most) [best, most] = [start, inside];
    }
    if (best < SENTENCE_LENGTH) return cut(text, 0, EXCERPT_WIDTH);
    const sentence = Math.max(...[" · ", ". ", "。", "；", "：", ": ", "，", ", "].map((mark) => text.lastIndexOf(mark, best - 1)));
    const near = sentence >= best - SENTENCE_LENGTH && sentence > 0 ? sentence + 1 : best - BEFORE_LENGTH;
    return `…${cut(text, near, EXCERPT_WIDTH).replace(/^[\s·]+/, "")}`;
  }

  function cut(text, start, size) {
    let end = start;
    for (let room = size; end < text.length && room > 0; end++) room -= wide(text[end]);
    if (end >= text.length) return text.slice(start);
    const space = text.lastIndexOf(" ", end);
    return `${text.slice(start, space > end - WORD_LENGTH && space > start ? space : end)}…`;
  }

  Object.assign((self.verbatimSearch ??= {}), { spans, plain, message, chain, raised, telling, alone, wanted, sayings, reworded, mistyped, nearest, covered, sentence, broadened, marks, quoted, says, share, alike, excerpt });
})();
