/* Reads a pasted traceback: text → errors in their order, each with its frames, and whose code a frame is in. It may be one of Python,
   IPython, a notebook or pytest, of one process or of several, in many lines or joined into one. Pure; `view.js` shows it. */
(() => {
  "use strict";
  const search = self.verbatimSearch;

  const TRACEBACK_HEAD = /Traceback \(most recent call last\)/;
  /* What stands between the tracebacks of errors: of which one came while another was handled, or because of it, or which are a group. */
  const CHAIN_LINKS = { during: /^During handling of the above exception/, cause: /^The above exception was the direct cause/, member: /^\s*\+-[+-]* \d+ -+\s*$/ };
  /* Where a frame begins, in each of the ways: file, line, name. */
  const FRAME_LINES = [
    /^\s*File "(?<file>[^"\n]+)", line (?<line>\d+)(?:, in (?<name>.+))?$/,
    /^(?:Input )?(?<file>(?:Cell )?In ?\[\d+\])(?:, line (?<line>\d+))?(?:, in (?<name>.+))?$/,
    /^\s*File (?<file>[^"\n]+?):(?<line>\d+)(?:,? in (?<name>.+))?$/,
    /^(?<file>[^\s:]\S*\.py|[A-Za-z]:\S+\.py):(?<line>\d+)(?:, in (?<name>.+)|: in (?<name2>\S+)|(?=:))/,
    /^(?<file>\S+\.py|<ipython-input-\S+>) in (?<name>\S.*)$/,
  ];
  /* Code below a frame: indented, numbered by IPython, or marked by pytest. */
  const CODE_LINE = /^(?:\s|-+> ?\d|>\s|$)/;
  const NUMBERED_LINE = /^(?:(?<here>-+>)|\s*) ?(?<line>\d+)(?: (?<text>.*))?$/;
  const MARKS_LINE = /^\s*[~^]+\s*$/;
  /* A message as pytest writes it, and the line below its code that says which error it is. */
  const PYTEST_MESSAGE = /^E(?:\s{2,}|$)/;
  const PYTEST_ERROR = /^\S+\.py:\d+: \w*(?:Error|Exception|Exit|Interrupt)$/;
  /* A warning tells its file and line in front of it. */
  const WARNING_LINE = /^\S+\.py:\d+: (\w*Warning: .*)$/;
  /* The class that IPython writes before the beginning of a traceback. Its frames may show variables, and only a line that begins with
     that class is the message. */
  const CLASS_BEFORE = /^([A-Za-z_][\w.]*)\s{2,}Traceback \(most/;
  /* How far a traceback within another text is indented: so far stands its first frame, beyond the two blanks of each. */
  const INDENTED = /^(\s+) {2}File "/;
  const FLAT = /^File "[^"\n]+", line \d+/;
  const RULE_LINE = /^[-_=*\s]{10,}$/;
  /* The end of a frame in a traceback that was joined into one line. */
  const JOINED_FRAME = /\s+(?=File "[^"]+", line \d+, in )/g;

  /* Whose code a file is: "" for the reader's own, else the library, or "Python". */
  function owner(file) {
    const library = /[\\/](?:site|dist)-packages[\\/]([\w-]+)/.exec(file)?.[1];
    if (library) return library;
    if (/[\\/]pytorch[\\/]torch[\\/]/.test(file)) return "torch";
    const python = /[\\/]python\d[\d.]*[\\/]|[\\/](?:python|\w*conda)[^\\/]*[\\/](?:envs[\\/][^\\/]+[\\/])?lib[\\/]|^<(?!ipython|stdin|string)/i;
    if (python.test(file)) return "Python";
    return /[\\/]s?bin[\\/]([^\\/.]+)$/.exec(file)?.[1] ?? "";
  }

  /* A traceback in one line: each frame gets its own, and so do its code and the message behind the last one. */
  function parted(text) {
    const last = search.message(text);
    const at = text.lastIndexOf(last);
    const whole = at > 0 ? `${text.slice(0, at)}\n${last}` : text;
    return whole.replace(JOINED_FRAME, "\n").replace(/^(File "[^"]+", line \d+, in \S+) (.*)$/gm, "$1\n    $2");
  }

  /* A traceback within another text, as a launcher's summary has it, begins where all do; what stands below it, less far to the right, is of
     that text. */
  function outdented(lines) {
    let indent;
    let ended = false;
    const made = [];
    for (const line of lines) {
      if (TRACEBACK_HEAD.test(line)) [indent, ended] = [undefined, false];
      else indent ??= /^\s*File "/.test(line) ? (INDENTED.exec(line)?.[1] ?? "") : undefined;
      ended ||= Boolean(indent && line.trim() && !line.startsWith(indent));
      if (!ended) made.push(line.slice(indent?.length ?? 0));
    }
    return made;
  }

  /**
   * The errors of a text. One that is no traceback is one error without frames.
   * @param {string} text
   * @returns {TracebackError[]} In their order.
   *
   * @typedef {object} TracebackError
   * @property {"during" | "cause" | "member" | ""} link How it came after the one before it: while that was handled, because of it, or
   *   within the group that it is.
   * @property {{ file: string, line: string, name: string, code: string, owner: string }[]} frames `owner`: the library that the code is
   *   of, or "Python"; "" for the reader's own.
   * @property {string} message
   */
  function traceback(text) {
    let told = search.plain(text).replace(/^(?:[ \t]*\n)+/, "").trimEnd();
    if (!told.includes("\n") && TRACEBACK_HEAD.test(told)) told = parted(told.trim());
    const lines = outdented(told.split("\n"));
    const errors = [{ link: "", frames: [], message: [] }];
    /* Chats may have taken the indentation away: then all is code up to a line that begins with the class of an error. */
    const flat = lines.some((line, i) => FLAT.test(line) && /^\S/.test(lines[i + 1] ?? "")) && !lines.some((line) => /^\s+File "/.test(line));
    /* Lines of code that pytest shows above the frame that they belong to. */
    let above = [];
    const whole = lines.some((line) => TRACEBACK_HEAD.test(line) || FRAME_LINES.some((one) => one.test(line)));
    const next = (link) => {
      const last = errors.at(-1);
      if (last.frames.length || last.message.length) errors.push({ link, frames: [], message: [] });
      else if (link) last.link = link;
    };

    function frame(line) {
      const { file, line: number = "", name, name2 } = FRAME_LINES.map((one) => one.exec(line)).find(Boolean)?.groups ?? {};
      return file && { file, line: number, name: (name ?? name2 ?? "").replace(/^(.*?)\(.*$/, "$1"), code: [], owner: owner(file) };
    }

    function isCode(line, { kind, frames }) {
      if (kind) return !line.startsWith(kind);
      return CODE_LINE.test(line) || (flat && frames.length > 0 && !search.raised(line));
    }

    for (const line of lines) {
      const error = errors.at(-1);
      const here = error.frames.at(-1);
      const link = Object.keys(CHAIN_LINKS).find((one) => CHAIN_LINKS[one].test(line));
      const begun = !error.message.length && frame(line);
      if (link) next(link);
      else if (TRACEBACK_HEAD.test(line)) {
        /* What stands above the first traceback is a log, and IPython names the error in front. */
        if (errors.length === 1 && !error.frames.length) error.message = [];
        else next("");
        errors.at(-1).kind = CLASS_BEFORE.exec(line)?.[1];
      } else if (PYTEST_MESSAGE.test(line)) error.message.push(line.replace(PYTEST_MESSAGE, ""));
      else if (PYTEST_ERROR.test(line)) {
        error.frames.push({ ...frame(line), code: above });
        next("");
      } else if (WARNING_LINE.test(line)) {
        next("");
        errors.at(-1).frames.push(frame(line));
        errors.at(-1).message.push(WARNING_LINE.exec(line)[1]);
      } else if (begun) {
        error.frames.push({ ...begun, code: above });
        above = [];
      } else if (RULE_LINE.test(line)) continue;
      else if (!error.message.length && whole && isCode(line, error)) {
        const { here: marked, line: number, text: code } = NUMBERED_LINE.exec(line)?.groups ?? {};
        if (MARKS_LINE.test(line)) continue;
        if (/^>\s/.test(line)) above = [line.slice(1).trim()];
        else if (number === undefined) here?.code.push(error.kind ? "" : line.trim());
        else if (marked) Object.assign(here ?? {}, { line: number, code: [(code ?? "").trim()] });
      } else if (whole || line.trim()) error.message.push(line);
    }
    const found = errors.filter(({ frames, message }) => frames.length || message.length);
    if (!found.length) return [{ link: "", frames: [], message: told.trim() }]; // cut off behind its first line
    return found.map(({ link, frames, message }) => ({
      link,
      frames: frames.map((one) => ({ ...one, code: one.code.filter(Boolean).join("\n") })),
      message: message.join("\n").trim(),
    }));
  }

  search.traceback = traceback;
})();
