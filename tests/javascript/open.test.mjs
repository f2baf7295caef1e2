/* `docs/assets/search/open.js`: how the search's files are loaded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { head, open, run } from "./empty_page.mjs";

open("https://example.org/en/topic/page/");
await run("search/open.js");
const search = globalThis.verbatimSearch;

test("a script is loaded once, with the version of its folder, in the order of what was asked for", async () => {
  head.length = 0;
  const loaded = [search.load("words.js"), search.load("words.js"), search.load("en/index.js?abc")];
  assert.deepEqual(head.map(({ src }) => src.href), ["https://example.org/assets/search/words.js?v=1", "https://example.org/assets/search/en/index.js?abc"]);
  assert.ok(head.every(({ async }) => async === false));
  head.forEach((script) => script.onload());
  await Promise.all(loaded);
});

test("a script that did not come is told, and asked for again", async () => {
  head.length = 0;
  const failed = search.load("engine.js");
  head[0].onerror();
  await assert.rejects(failed, /engine\.js.* cannot be loaded/);
  assert.equal(head.length, 0);
  search.load("engine.js");
  assert.equal(head.length, 1);
});

test("without its stylesheet the dialog is there all the same", async () => {
  head.length = 0;
  const styled = search.load("dialog.css");
  assert.deepEqual([head[0].rel, head[0].href.pathname], ["stylesheet", "/assets/search/dialog.css"]);
  head[0].onerror();
  await styled;
});

test("the start is the head of the index", async () => {
  const started = search.start();
  search.part("7", "index", { popular: [] });
  head.at(-1).onload();
  assert.deepEqual(await started, { popular: [] });
  assert.deepEqual(search.arrived.index, { version: "7", data: { popular: [] } });
});
