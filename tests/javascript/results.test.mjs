/* `docs/assets/search/results.js`: where a result leads, and what it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

open("https://example.org/book/en/topic/page/", { "[data-search-open]": { dataset: { suggest: "https://example.org/suggest?template=topic" }, addEventListener() {} } });
await run("search/open.js");
await import("../../verbatim/site/search/words.js");
await run("search/results.js");
const search = globalThis.verbatimSearch;
search.root = new URL("https://example.org/book/");

const SECTION = { url: "en/topic/mm/", id: "why", title: "Why it fails", page: "Multiply", lead: "First.", prose: "The inner sizes differ.", code: "a @ b", outputs: "", messages: "RuntimeError: mat1 and mat2" };
const lines = (link) => link.children.map((line) => [line.className, line.textContent]);

test("an address has the words to be marked, and in a folder names its file", () => {
  assert.equal(search.address(SECTION, "inner sizes").href, "https://example.org/book/en/topic/mm/?h=inner+sizes#why");
  assert.equal(search.address(SECTION, "").href, "https://example.org/book/en/topic/mm/#why");
  const { location } = globalThis;
  globalThis.location = new URL("file:///book/en/topic/page/index.html");
  assert.equal(search.address(SECTION, "").pathname, "/book/en/topic/mm/index.html");
  globalThis.location = location;
});

test("marked are the query and the words that pages use for its own", () => {
  assert.equal(search.known("clear gradients", [{ term: "clear" }, { term: "zero_grad" }]), "clear gradients zero_grad");
});

test("a result has its title, its page, and where the query stands, with the words marked", () => {
  const link = search.result(SECTION, search.wanted("inner"), "inner", { role: "option" });
  assert.deepEqual(lines(link), [
    ["vs-title", "Why it fails"],
    ["vs-page", "Multiply"],
    ["vs-lead", "First."],
    ["vs-excerpt vs-prose", "The inner sizes differ."],
  ]);
  const [excerpt] = link.children.at(-1).children;
  assert.deepEqual(excerpt.children.filter((child) => child.tag === "mark").map((mark) => mark.textContent), ["inner"]);
  assert.equal(link.attributes.role, "option");
});

test("the top of a page has no page above it", () => {
  assert.ok(!lines(search.result({ ...SECTION, id: "" }, [], "")).some(([name]) => name === "vs-page"));
});

test("a message has its remedy, with code marked as such, and says what it is", () => {
  const remedied = { ...SECTION, remedy: "Call `mm` the other way.", printed: "2.8.0" };
  const link = search.result(remedied, search.wanted("mat1"), "");
  assert.deepEqual(lines(link).slice(3), [
    ["vs-remedy", "Call mm the other way."],
    ["vs-excerpt vs-messages", "Error RuntimeError: mat1 and mat2"],
    ["vs-printed", "This wording: 2.8.0"],
  ]);
  assert.equal(link.children[3].children[1].tag, "code");
  const warning = search.result({ ...SECTION, messages: "UserWarning: mat1" }, search.wanted("mat1"), "");
  assert.equal(lines(warning).at(-1)[1], "Warning UserWarning: mat1");
});

test("a message that no page shows: whose it is, and whether anything comes near it", () => {
  const said = (results, ofPython) => search.missing({ results, ofPython });
  assert.equal(said([SECTION], false), "No page shows this message. These are only the nearest sections.");
  assert.equal(said([], false), "No page shows this message, and none comes near it.");
  assert.equal(said([SECTION], true), "Python itself says this, not PyTorch, and no page shows it. These are only the nearest sections.");
  assert.equal(said([], true), "Python itself says this, not PyTorch, and no page shows it.");
});

test("a topic is suggested with the query, without a reader's paths", () => {
  const [line, suggestion] = search.notes(["Nothing fits.", ""], "cannot open /home/me/secret/a.pt");
  assert.equal(line.textContent, "Nothing fits.");
  assert.equal(suggestion.children[0].attributes.href.searchParams.get("search"), "cannot open …");
  assert.equal(search.notes(["Nothing fits."], "").length, 1);
});
