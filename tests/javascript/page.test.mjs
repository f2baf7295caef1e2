/* `docs/assets/page.js`: what it hands to other scripts, and which pages are fetched ahead. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happen, head, open, run } from "./empty_page.mjs";

open("https://example.org/en/topic/page/");
await run("page.js");
const { element, keep, load } = globalThis.verbatim;

test("an element has its properties and children", () => {
  const made = element("p", { className: "told" }, "one ", element("b", {}, "two"));
  assert.deepEqual([made.tag, made.className, made.textContent], ["p", "told", "one two"]);
});

test("a script is loaded once, and who asks again waits for it, too", async () => {
  head.length = 0;
  const [first, second] = [load("/a.js"), load("/a.js")];
  assert.deepEqual(head.map(({ tag, src }) => [tag, src]), [["script", "/a.js"]]);
  head[0].onload();
  await Promise.all([first, second]);
  const missing = load("/b.js");
  head[1].onerror(new Error("not there"));
  await assert.rejects(missing);
});

test("a choice is kept or forgotten, and where nothing can be kept nothing fails", () => {
  const kept = {};
  const storage = { setItem: (key, value) => (kept[key] = value), removeItem: (key) => delete kept[key] };
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => storage });
  keep("a", true);
  assert.deepEqual(Object.keys(kept), ["a"]);
  keep("a", false);
  assert.deepEqual(kept, {});
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get() { throw new Error("refused"); } });
  keep("a", true);
});

test("a page of the site is fetched ahead once, when its link was met long enough", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const ahead = () => head.filter(({ rel }) => rel === "prefetch").map(({ href }) => href);
  const meet = (href, event, wait) => {
    happen(event, { target: { closest: () => ({ href }) } });
    mock.timers.tick(wait);
  };
  meet("https://example.org/en/other/", "pointerover", 79);
  assert.deepEqual(ahead(), []);
  mock.timers.tick(1);
  assert.deepEqual(ahead(), ["https://example.org/en/other/"]);
  for (const href of ["https://example.org/en/other/#part", "https://other.example/", "https://example.org/a.zip", "https://example.org/en/topic/page/"]) meet(href, "pointerover", 80);
  assert.deepEqual(ahead(), ["https://example.org/en/other/"]);
  meet("https://example.org/en/third/#part", "focusin", 200);
  assert.deepEqual(ahead().at(-1), "https://example.org/en/third/");
});
