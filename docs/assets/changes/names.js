/* The names of PyTorch that Python code uses: code is cut into tokens (`tokens`), these are read for imports, assignments and paths
   such as `nn.Linear` (`read`), and paths become full names (`names`). Nothing is run. `explain/src/pytorch_verbatim/names.py` does the
   same with Python's own parser, and a test compares both on all scripts of the book. */
(() => {
  "use strict";
  const upgrade = (self.verbatimUpgrade ??= {});
  /* Functions that do not call what they are given. */
  const ASKING_FUNCTIONS = new Set(["isinstance", "issubclass", "signature"]);
  const KEYWORDS = new Set(
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(" "),
  );
  const CODE_TOKEN =
    /(?<space>[ \t\f]+|\\\r?\n)|(?<comment>#[^\n]*)|(?<newline>\r?\n)|(?<string>(?<prefix>[A-Za-z]{0,2})(?<quote>"""|'''|"|'))|(?<name>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|(?<number>\.?\d[\w.]*)|(?<mark>->|:=|==|!=|<=|>=|\*\*=?|\/\/=?|<<=?|>>=?|[-+*/%@&|^]=|.)/suy;
  const OPENING_BRACKETS = new Set("([{");
  const CLOSING_BRACKETS = new Set(")]}");
  /* A line is indented by so much at most, in characters: what is further in is not looked at. */
  const MAX_INDENT = 1000;
  /* What a tab counts in an indent. Python takes it to the next multiple of eight, which differs behind spaces alone. */
  const TAB_SPACES = "        ";

  /* The tokens of a text: { kind, text, line }. Kinds: "name", "mark", "value" (a string, a number), "line" (the end of one that is not
     joined to the next), "indent" and "dedent" around a block. Code in the braces of an f-string follows it, in brackets. */
  function tokens(source) {
    const found = [];
    const indents = [0];
    let [at, line, depth] = [0, 1, 0];
    const add = (kind, text = "", on = line) => found.push({ kind, text, line: on });
    while (at < source.length) {
      if (!depth && (at === 0 || source[at - 1] === "\n") && found.at(-1)?.kind !== "joined") {
        const space = /[^ \t\f]/.exec(source.slice(at, at + MAX_INDENT))?.index ?? 0;
        if (!"#\r\n".includes(source[at + space] ?? "\n")) {
          const width = source.slice(at, at + space).replace(/\t/g, TAB_SPACES).length;
          if (width > indents.at(-1)) indents.push(width) && add("indent");
          for (; width < indents.at(-1); indents.pop()) add("dedent");
        }
      }
      if (found.at(-1)?.kind === "joined") found.pop();
      CODE_TOKEN.lastIndex = at;
      const { groups, 0: text } = CODE_TOKEN.exec(source);
      at += text.length;
      if (groups.space?.endsWith("\n")) add("joined");
      if (groups.string) {
        const end = closed(source, at, groups.quote);
        const inside = source.slice(at, end);
        add("value");
        if (/f|t(?!.)/i.test(groups.prefix)) found.push(...fields(inside).flatMap(([code, above]) => within(code, line + above)));
        line += inside.split("\n").length - 1;
        at = end + groups.quote.length;
      } else if (groups.name) add("name", text);
      else if (groups.number) add("value");
      else if (groups.mark) {
        if (OPENING_BRACKETS.has(text)) depth += 1;
        if (CLOSING_BRACKETS.has(text)) depth = Math.max(0, depth - 1);
        if (text === ";" && !depth) add("line");
        else add("mark", text);
      } else if (groups.newline && !depth) add("line");
      line += groups.newline || groups.space?.endsWith("\n") ? 1 : 0;
    }
    add("line");
    indents.slice(1).forEach(() => add("dedent"));
    return found;
  }

  /* The tokens of code in the braces of an f-string that begins in a line. */
  function within(code, first) {
    const own = tokens(code).filter(({ kind }) => !/dent|line/.test(kind));
    const mark = (text) => ({ kind: "mark", text, line: first });
    return [mark("("), ...own.map((one) => ({ ...one, line: first + one.line - 1 })), mark(")")];
  }

  /* Where a string ends that has begun before a place. */
  function closed(source, at, quote) {
    for (let place = at; place < source.length; place += 1) {
      if (source[place] === "\\") place += 1;
      else if (source.startsWith(quote, place) || (source[place] === "\n" && quote.length === 1)) return place;
    }
    return source.length;
  }

  /* The code in the braces of an f-string, and in those of its formats, with the number of lines above: [[code, lines]]. */
  function fields(text) {
    const found = [];
    const above = (at) => text.slice(0, at).split("\n").length - 1;
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] !== "{") continue;
      if (text[at + 1] === "{") {
        at += 1;
        continue;
      }
      let [depth, end] = [0, -1];
      const start = at + 1;
      for (at = start; at < text.length && (depth || text[at] !== "}"); at += 1) {
        if (/["']/.test(text[at]) && end < 0) at = closed(text, at + 1, text[at]);
        else if (OPENING_BRACKETS.has(text[at])) depth += 1;
        else if (CLOSING_BRACKETS.has(text[at])) depth -= 1;
        else if (!depth && end < 0 && (text[at] === ":" || (text[at] === "!" && text[at + 1] !== "="))) end = at;
      }
      found.push([text.slice(start, end < 0 ? at : end).replace(/(?<![=!<>])=\s*$/, ""), above(start)]);
      if (end >= 0) found.push(...fields(text.slice(end, at)).map(([code, lines]) => [code, lines + above(end)]));
    }
    return found;
  }

  /* What a text imports, where, and every path that it reads: { imported: Map(name → full name), at: [[full name, line]],
     paths: [{ path, line, given }] }. `given`: a Set of the names of the arguments where it is called, of the methods where a class
     derives from it; null where it is only asked about. */
  function read(source) {
    const list = tokens(source);
    const is = (i, text) => list[i]?.text === text && list[i].kind !== "value";
    const isName = (i) => list[i]?.kind === "name" && !KEYWORDS.has(list[i].text);
    const ends = (i) => !list[i] || list[i].kind === "line";
    const skipped = new Set(); // tokens that are no expression
    const skip = (from, to) => list.slice(from, to).forEach((_, i) => skipped.add(from + i));

    /* Of each bracket the other one, and of each token the bracket around it (-1). */
    const partner = new Map();
    const around = [];
    const open = [];
    list.forEach(({ kind, text }, i) => {
      if (kind === "mark" && CLOSING_BRACKETS.has(text) && open.length) {
        partner.set(i, open.at(-1));
        partner.set(open.pop(), i);
      }
      around.push(open.at(-1) ?? -1);
      if (kind === "mark" && OPENING_BRACKETS.has(text)) open.push(i);
    });
    /* The first token from a place on that stands beside it and for which something holds; else the end. */
    const next = (from, holds, level = around[from]) => {
      let i = from;
      while (i < list.length && !(around[i] === level && holds(i))) i += 1;
      return i;
    };
    const afterOperand = (i) => isName(i - 1) || list[i - 1]?.kind === "value" || (list[i - 1]?.kind === "mark" && CLOSING_BRACKETS.has(list[i - 1].text));
    /* Whether a bracket belongs to a call or an index. */
    const applied = (i) => i >= 0 && list[i].text !== "{" && afterOperand(i);

    /* -- Statements: where each begins. A lambda's colon is none that ends a head. */
    const lambdas = [];
    list.forEach((_, i) => is(i, "lambda") && lambdas.push([i, next(i, (j) => j > i && is(j, ":"))]));
    const ofLambda = new Set(lambdas.flatMap(([from, colon]) => list.slice(from, colon).map((_, i) => from + 1 + i)));
    const starts = new Set([0]);
    const compound = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async)$/;
    let first = 0;
    list.forEach(({ kind }, i) => {
      if (starts.has(i)) first = i;
      if (kind === "line" || kind === "indent" || kind === "dedent") starts.add(i + 1);
      else if (is(i, ":") && around[i] < 0 && compound.test(list[first].text) && !ofLambda.has(i)) starts.add(i + 1);
    });
    /* The end of what stands behind the colon of a head. */
    const block = (colon) => {
      if (!ends(colon + 1)) return next(colon + 1, ends, -1);
      let depth = 0;
      let i = colon + 2;
      for (; i < list.length; i += 1) {
        if (list[i].kind === "indent") depth += 1;
        if (list[i].kind === "dedent") depth -= 1;
        if (depth <= 0 && list[i].kind !== "line") break;
      }
      return Math.min(i, list.length); // code that is being typed ends behind a head
    };

    const imported = new Map();
    const at = [];
    const scopes = [];
    const stored = new Set();
    const bases = new Map(); // bracket of a class → its methods
    /* The names of parameters between two tokens; these, and annotations, are no expressions. */
    const parameters = (from, to, level) => {
      const names = new Set();
      for (let i = from; i < to; i += 1) {
        if (around[i] !== level || !isName(i) || !(i === from || is(i - 1, ",") || is(i - 1, "*") || is(i - 1, "**"))) continue;
        names.add(list[i].text);
        skipped.add(i);
        if (is(i + 1, ":") && level >= 0) skip(i + 1, Math.min(to, next(i + 1, (j) => is(j, ",") || is(j, "="), level)));
      }
      return names;
    };
    const lone = (i) => isName(i) && !is(i - 1, ".") && !is(i + 1, ".") && !(list[i + 1] && applied(i + 1) && OPENING_BRACKETS.has(list[i + 1].text));
    /* The names that are assigned to between two tokens. */
    const store = (from, to) => {
      for (let i = from; i < to; i += 1) {
        let outer = around[i];
        while (outer >= from && !applied(outer)) outer = around[outer];
        if (lone(i) && outer < from) stored.add(i);
      }
    };
    /* `a.b as c, d` from a token on: [name, other name]. */
    const aliases = (from) => {
      const found = [];
      for (let i = from; !ends(i); ) {
        let name = "";
        for (; !ends(i) && (isName(i) || is(i, ".") || is(i, "*")); i += 1) name += list[i].text;
        const other = is(i, "as") ? list[(i += 2) - 1].text : "";
        if (name) found.push([name, other]);
        if (!ends(i)) i += 1;
      }
      return found;
    };

    /* The methods of the class whose head ends in a colon. */
    const methodsOf = (colon) => {
      const methods = new Set();
      const stop = block(colon);
      let depth = 0;
      for (let i = colon + 1; i < stop; i += 1) {
        if (list[i].kind === "indent") depth += 1;
        if (list[i].kind === "dedent") depth -= 1;
        if (depth <= 1 && starts.has(i) && (is(i, "def") || (is(i, "async") && is(i + 1, "def")))) methods.add(list[i + (is(i, "def") ? 1 : 2)].text);
      }
      return methods;
    };

    for (const start of starts) {
      const line = list[start]?.line;
      const end = next(start, ends, -1);
      let i = start;
      if (is(i, "async")) i += 1;
      if (is(i, "import")) {
        for (const [name, other] of aliases(i + 1)) {
          const [top] = name.split(".");
          imported.set(other || top, other ? name : top);
          at.push([name, line]);
        }
        skip(i, end);
      } else if (is(i, "from")) {
        let home = "";
        for (i += 1; i < end && !is(i, "import"); i += 1) home += list[i].text;
        home = home.replace(/^\.+/, "");
        if (home) at.push([home, line]);
        for (const [name, other] of aliases(i + 1)) {
          imported.set(other || name, `${home || "None"}.${name}`);
          if (home) at.push([`${home}.${name}`, line]);
        }
        skip(start, end);
      } else if (is(i, "def")) {
        const bracket = next(i, (j) => is(j, "("), -1);
        const close = partner.get(bracket) ?? end;
        const colon = next(close + 1, (j) => is(j, ":"), -1);
        skip(i, bracket);
        skip(close + 1, colon);
        scopes.push({ from: colon + 1, to: block(colon), hidden: parameters(bracket + 1, close, bracket) });
      } else if (is(i, "class")) {
        skipped.add(i + 1);
        const colon = next(i, (j) => is(j, ":"), -1);
        if (is(i + 2, "(")) bases.set(i + 2, methodsOf(colon));
      } else if (is(i, "global") || is(i, "nonlocal")) skip(i, end);
      else if (is(i, "with")) {
        for (let j = i; j < end; j += 1) if (is(j, "as")) store(j + 1, next(j + 1, (k) => is(k, ",") || is(k, ":") || ends(k) || CLOSING_BRACKETS.has(list[k].text)));
      } else if (is(i, "except")) {
        const as = next(i, (j) => is(j, "as") || ends(j), -1);
        if (is(as, "as")) skipped.add(as + 1);
      } else if (/name|mark|value/.test(list[i]?.kind) && !KEYWORDS.has(list[i].text)) {
        let last = -1;
        for (let j = i; j < end; j += 1) if (around[j] < 0 && !ofLambda.has(j) && list[j].kind === "mark" && (is(j, "=") || /^(?:[-+*/%@&|^]|\*\*|\/\/|<<|>>)=$/.test(list[j].text))) last = j;
        const colon = next(i, (j) => ends(j) || is(j, "=") || (is(j, ":") && !ofLambda.has(j)), -1);
        if (is(colon, ":")) store(i, colon);
        else if (last > 0) store(i, last);
      }
    }
    list.forEach((_, i) => {
      if (is(i, "for")) store(i + 1, next(i + 1, (j) => is(j, "in"), around[i]));
      if (isName(i) && is(i + 1, ":=")) stored.add(i);
    });
    for (const [from, colon] of lambdas) {
      const hidden = parameters(from + 1, colon, around[from]);
      const to = next(colon + 1, (j) => is(j, ",") || ends(j) || is(j, "for"), around[from]);
      scopes.push({ from: colon + 1, to: Math.min(to, around[from] < 0 ? to : (partner.get(around[from]) ?? to)), hidden });
    }
    const inside = list.map(() => []); // of each token the local names around it
    for (const { from, to, hidden } of scopes) {
      for (let i = from; i < to; i += 1) {
        if (stored.has(i)) hidden.add(list[i].text);
        inside[i]?.push(hidden);
      }
    }

    /* -- Paths. */
    const keyword = (i) => is(i + 1, "=") && applied(around[i]) && (is(i - 1, "(") || is(i - 1, ","));
    /* What is given to the call that a bracket begins. */
    const arguments_ = (bracket) => {
      const found = new Set();
      for (let i = bracket + 1; i < (partner.get(bracket) ?? 0); i += 1) if (around[i] === bracket && isName(i) && keyword(i) && !skipped.has(i)) found.add(list[i].text);
      return found;
    };
    const asks = (bracket) => is(bracket, "(") && applied(bracket) && ASKING_FUNCTIONS.has(list[bracket - 1].text);
    const paths = [];
    for (let i = 0; i < list.length; i += 1) {
      if (!isName(i) || skipped.has(i) || is(i - 1, ".") || keyword(i)) continue;
      const path = [list[i].text];
      let end = i + 1;
      for (; is(end, ".") && list[end + 1]?.kind === "name"; end += 2) path.push(list[end + 1].text);
      if (inside[i].some((hidden) => hidden.has(path[0]))) continue;
      let given = new Set();
      let bracket = around[i];
      const alone = (is(i - 1, ",") || i - 1 === bracket) && (is(end, ",") || end === partner.get(bracket));
      if (is(end, "(")) given = arguments_(end);
      else if (alone) {
        if (bases.has(bracket)) given = bases.get(bracket);
        while (is(bracket, "(") && !applied(bracket)) bracket = around[bracket];
        if (bracket >= 0 && asks(bracket)) given = null;
      }
      paths.push({ path, line: list[i].line, given });
    }
    return { imported, at, paths };
  }

  /**
   * The names of PyTorch that code uses.
   * @param {string} source Python; what is no Python gives what can be read of it.
   * @param {Set<string>} known The names that count.
   * @param {Object<string, string>} moved Modules that have another name now: old → new.
   * @returns {{ used: Map<string, Map<number, Set<string> | null>>, unknown: Set<string> }} `used`: name → line → the names of the
   *   arguments that it is given there, or of the methods of a class that derives from it; null where it is only asked about.
   *   `unknown`: names of torch that are not known.
   */
  upgrade.names = (source, known, moved) => {
    const { imported, at, paths } = read(source);
    const used = new Map();
    const unknown = new Set();
    const whole = new Set(imported.values());
    /* Of several uses in a line, what all of them give; one that only asks gives nothing away. */
    function add(name, line, given) {
      const lines = used.get(name) ?? new Map();
      const before = lines.get(line);
      lines.set(line, before && given ? new Set([...before].filter((one) => given.has(one))) : (before ?? given));
      used.set(name, lines);
    }
    for (const { path, line, given } of paths) {
      if (!imported.has(path[0])) continue;
      let full = [imported.get(path[0]), ...path.slice(1)].join(".");
      for (const [old, now] of Object.entries(moved)) if (full.startsWith(`${old}.`)) full = now + full.slice(old.length);
      const parts = full.split(".");
      const names = parts.slice(1).map((_, i) => parts.slice(0, i + 2).join("."));
      const there = names.filter((name) => known.has(name));
      for (const name of there) add(name, line, given);
      if (!there.length && parts[0] === "torch" && names.length && !whole.has(full)) unknown.add(full);
    }
    const before = new Set(used.keys());
    for (const [name, line] of at) if (known.has(name) && !before.has(name) && !used.has(name)) add(name, line, new Set());
    for (const [name, lines] of used) used.set(name, new Map([...lines].sort(([one], [other]) => one - other)));
    return { used, unknown };
  };
})();
