/* `docs/assets/missing.js`: what an address says, and how alike two are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

open("https://example.org/en/autograd/detatch.html");
await run("page.js");
await run("missing.js");
const { likeness, wordsOf } = globalThis.verbatimMissing;

test("the nearest address is the one that is most alike", () => {
  assert.equal(likeness("en/autograd/detach", "en/autograd/detach"), 1);
  assert.equal(likeness("ab", "xy"), 0);
  assert.ok(likeness("en/autograd/detatch.html", "en/autograd/detach/") > likeness("en/autograd/detatch.html", "en/autograd/leaf/"));
});

test("what an address says, without what only addresses have", () => {
  assert.deepEqual(wordsOf(["autograd", "zero-grad.html"]), ["autograd", "zero grad"]);
  assert.deepEqual(wordsOf(["autograd", "index.html", "notebook", ""]), ["autograd"]);
  assert.deepEqual(wordsOf(["梯度_清零"]), ["梯度 清零"]);
});
