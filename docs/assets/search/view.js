/* Shows a pasted message or traceback below the field that it was pasted into: what went wrong, large; the reader's own frames, with
   those of libraries folded between them; and the section of the book about it, as the search finds it. `traceback.js` reads the text.
   Nothing of it is kept or sent. */
(() => {
  "use strict";
  const search = self.verbatimSearch;
  const { element } = search;
  const WORDS = {
    zh: {
      label: "你的报错",
      clear: "清除",
      frames: (count, whose) => `${whose}：${count} 层`,
      join: "、",
      during: "处理上面这个异常时，又出现了下面这个：",
      cause: "上面这个异常直接引起了下面这个：",
      member: "这组异常里的：",
      "": "另一个进程或线程：",
      chosen: "书里讲的是这一条",
      section: "书里讲它的一节",
      near: "书里最接近的几节",
      also: "也见",
      looking: "正在书里找……",
      found: (title) => `书里有：${title}`,
    },
    en: {
      label: "Your message",
      clear: "Clear",
      frames: (count, whose) => `${count} ${count === 1 ? "frame" : "frames"} of ${whose}`,
      join: ", ",
      during: "While this one was handled, the next came:",
      cause: "This one caused the next:",
      member: "In this group:",
      "": "Another process or thread:",
      chosen: "The book explains this one",
      section: "The section about it",
      near: "The nearest sections",
      also: "See also",
      looking: "Looking in the book …",
      found: (title) => `In the book: ${title}`,
    },
  };
  const words = WORDS[search.language] ?? WORDS.en;
  /* So many sections at most, where one shows the message, and where none does: the traceback stands beside them. */
  const MAX_KNOWN = 3;
  const MAX_NEAREST = 3;

  /* Frames in a row that are not the reader's: one fold. */
  function grouped(frames) {
    const groups = [];
    for (const frame of frames) {
      const last = groups.at(-1);
      if (frame.owner && last?.[0].owner) last.push(frame);
      else groups.push([frame]);
    }
    return groups;
  }

  function place({ file, line, name }) {
    const [, folder, base] = /^(.*[\\/])?(.*)$/.exec(file);
    const said = element("span", { className: "trace-place" }, element("span", { className: "trace-folder" }, folder ?? ""), element("b", {}, base));
    if (line) said.append(`:${line}`);
    if (name) said.append(" ", element("span", { className: "trace-name" }, name));
    return said;
  }

  function item(frame) {
    const made = element("li", { className: frame.owner ? "" : "trace-own" }, place(frame));
    if (frame.code) made.append(element("code", {}, frame.code));
    return made;
  }

  function folded(frames) {
    const whose = [...new Set(frames.map(({ owner }) => owner))].join(words.join);
    return element("li", {}, element("details", {}, element("summary", {}, words.frames(frames.length, whose)), element("ol", {}, ...frames.map(item))));
  }

  const list = (frames) => element("ol", { className: "trace-frames" }, ...grouped(frames).map((group) => (group[0].owner ? folded(group) : item(group[0]))));

  /* What an error says: its class and its message apart. */
  function split(message) {
    const [, kind = "", text = message] = /^([\w.]+(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Unsupported))(?::\s*([^]*))?$/.exec(message) ?? [];
    return [kind, text];
  }

  /* Whether one text is the other, or its beginning: below a message notes or a launcher's summary may stand. */
  const says = (one, other) => Boolean(one && other) && (one.startsWith(other) || other.startsWith(one));

  /* Processes that fail alike are told of once. */
  function different(errors) {
    const key = ({ frames, message }) => JSON.stringify([message, frames.at(-1)?.file, frames.at(-1)?.line]);
    const seen = new Set();
    return errors.filter((error) => {
      const again = !error.link && seen.has(key(error));
      seen.add(key(error));
      return !again;
    });
  }

  const firstLine = (message) => message.split("\n").find((line) => line.trim()) ?? "";

  /* The error at the top, large. */
  function heading({ message }) {
    const [kind, text] = split(message);
    const made = element("div", { className: "trace-message", tabIndex: 0, role: "group", "aria-label": words.label });
    if (kind) made.append(element("b", {}, kind), " ");
    made.append(element("code", {}, text));
    return made;
  }

  /* All errors, in their order; if there are several, those but the one that counts are folded. `told`: whether the book has that one. */
  function chain(errors, main, told) {
    if (errors.length === 1) return errors[0].frames.length ? [list(errors[0].frames)] : [];
    return errors.flatMap((error, i) => {
      const open = i === main;
      const summary = element("summary", {}, element("code", {}, firstLine(error.message)));
      if (open && told) summary.append(element("span", { className: "trace-chosen" }, words.chosen));
      const fold = element("details", { className: "trace-error", open }, summary, list(error.frames));
      /* Of a group it is said once. */
      const linked = i && !(error.link === "member" && errors[i - 1].link === "member");
      return linked ? [element("p", { className: "trace-link" }, words[error.link]), fold] : [fold];
    });
  }

  /* The sections that were found, and what is to be said of them. */
  function sections({ recognised, ...found }, query) {
    const { results, terms, fits, unknown, ofPython, strange } = found;
    const marks = search.known(results[0]?.said ?? query, terms);
    const made = (one) => search.result(one, terms, marks);
    if (!fits) {
      const near = results.slice(0, MAX_NEAREST).map(made);
      const head = near.length ? [element("h2", {}, words.near)] : [];
      if (!unknown && !strange) return [...head, ...near, ...search.notes([search.said.unsure], query)];
      return [...head, ...search.notes([unknown ? search.missing(found) : search.said.nearest], ofPython ? "" : query), ...near];
    }
    const others = results.slice(1, Math.min(recognised, MAX_KNOWN)).map((one) => {
      const link = element("a", { href: search.address(one, marks) }, one.title);
      return element("li", {}, link, ...(one.id ? [" ", element("span", { className: "trace-page" }, one.page)] : []));
    });
    const also = others.length ? [element("p", { className: "trace-also" }, words.also), element("ul", {}, ...others)] : [];
    return [element("h2", {}, words.section), made(results[0]), ...also];
  }

  let asked = 0;

  /**
   * Show a text below the form that it was pasted into.
   * @param {HTMLElement} form
   * @param {string} text
   */
  search.view = async (form, text) => {
    const errors = different(search.traceback(text));
    const query = search.message(text);
    const number = ++asked;
    form.parentElement.querySelector(":scope > .trace")?.remove();
    const status = element("p", { className: "trace-status", role: "status" }, words.looking);
    const aside = element("div", { className: "trace-section" }, status);
    const box = element("section", { className: "trace", "aria-label": words.label });
    const clear = element("button", { className: "trace-clear", type: "button" }, words.clear);
    clear.addEventListener("click", () => {
      box.remove();
      form.querySelector("input, textarea").focus();
    });

    function draw(main, told) {
      const frames = element("div", { className: "trace-errors" }, ...chain(errors, main, told));
      box.classList.toggle("trace-alone", !frames.childNodes.length);
      box.replaceChildren(clear, heading(errors.at(main)), ...(frames.childNodes.length ? [frames] : []), aside);
    }

    draw(errors.length - 1, false);
    form.after(box);
    try {
      await search.prepare();
      const found = await search.find(query, () => number === asked, text);
      if (!found || number !== asked) return;
      const said = found.results[0]?.said;
      const main = said ? errors.findLastIndex(({ message }) => says(search.message(message), said)) : -1;
      if (main >= 0 && errors.length > 1) draw(main, true); // else it stays, with what a reader has opened in it
      const recognised = found.results.filter((one) => one.said).length;
      const tells = found.fits && found.results.length;
      status.textContent = tells ? words.found(found.results[0].title) : found.unknown ? search.missing(found) : search.said.nearest;
      aside.replaceChildren(status, ...sections({ ...found, fits: tells, recognised }, query));
    } catch (error) {
      console.error(error);
      status.textContent = search.said.broken;
      status.classList.add("trace-broken");
    }
  };
})();
