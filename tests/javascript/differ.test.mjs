/* `docs/assets/releases/differ.js`: which words of an output another release prints otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.self = globalThis;
await import("../../docs/assets/releases/differ.js");
const { places } = globalThis.verbatimDiffer;

const marked = (text, other) => places(text, other).map(([start, end]) => text.slice(start, end));

test("what both texts have is not marked", () => {
  assert.deepEqual(marked("tensor([1., 2.])", "tensor([1., 2.])"), []);
  assert.deepEqual(marked("", "anything"), []);
});

test("a word is marked as a whole, once", () => {
  assert.deepEqual(marked("element 0 of variables does not", "element 0 of tensors does not"), ["variables"]);
  assert.deepEqual(marked("mm: mat1 and mat2", "mat1 and mat2"), ["mm: "]);
  assert.deepEqual(marked("tensor([1., 2., 3.])", "tensor([1., 4., 3.])"), ["2"]);
});

test("what only the other text has marks nothing", () => {
  assert.deepEqual(marked("mat1 and mat2", "addmm: mat1 and mat2"), []);
});

test("all of a text is marked beside an empty one", () => {
  assert.deepEqual(marked("one two", ""), ["one two"]);
});

test("texts of any length end: too long ones are not compared", () => {
  assert.deepEqual(places("1 ".repeat(3000), "2 ".repeat(3000)), []);
});
