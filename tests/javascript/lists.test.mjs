/* `docs/assets/lists.js`: which items of a list have what a reader asks for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

open("https://example.org/en/ways/errors/");
await run("page.js");
await run("lists.js");
const { matches } = globalThis.verbatimLists;

const item = { text: "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", messages: ["RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3"] };

test("all words that were typed stand in the item, in any order and case", () => {
  assert.ok(matches(item, { alone: "Multiplied mat1" }));
  assert.ok(!matches(item, { alone: "multiplied mat3" }));
  assert.ok(matches(item, { alone: "" }));
});

test("of a recognised message the beginning counts, and numbers do not", () => {
  const messages = ["RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 2048x10)"];
  assert.ok(matches(item, { alone: "none of these words", messages }));
  assert.ok(!matches(item, { alone: "mat1", messages: ["IndexError: Target 3 is out of bounds."] }));
});

test("a message that the book does not have is looked for by its words", () => {
  assert.ok(matches(item, { alone: "mat1", messages: [] }));
  assert.ok(!matches(item, { alone: "mat3", messages: [] }));
});
