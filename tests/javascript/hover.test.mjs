/* `docs/assets/hover.js`: which name of torch a place in code or a link is about, and how a page begins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

open("https://example.org/en/topic/page/");
await run("page.js");
await run("hover.js");
const { documented, firstSentence, imports, nameAt } = globalThis.verbatimHover;

test("addresses that document a name", () => {
  assert.equal(documented("https://docs.pytorch.org/docs/stable/generated/torch.cat.html"), "torch.cat");
  assert.equal(documented("https://docs.pytorch.org/docs/stable/nn.html#torch.nn.Linear"), "torch.nn.Linear");
  assert.equal(documented("https://example.org/en/ways/names/#torch.cat"), "torch.cat");
  assert.equal(documented("https://example.org/en/topic/"), undefined);
});

test("what code calls what it imports", () => {
  const code = "import torch.nn.functional as F\nfrom torch import nn, optim as o\nimport numpy as np\n    from torch.utils.data import DataLoader";
  assert.deepEqual(imports(code), [
    ["F", "torch.nn.functional"],
    ["nn", "torch.nn"],
    ["o", "torch.optim"],
    ["DataLoader", "torch.utils.data.DataLoader"],
  ]);
});

test("the name at a place in code, up to the word that is meant", () => {
  const code = "x = nn.Linear(2, 3).weight";
  const at = (word, used = [], of = code) => nameAt(of, of.indexOf(word) + 1, new Map([["nn", "torch.nn"]]), used);
  assert.equal(at("Linear"), "torch.nn.Linear");
  assert.equal(at("nn"), "torch.nn");
  assert.equal(at("x"), undefined);
});

test("a method is told where the page uses only one of that name", () => {
  const at = (used) => nameAt("x.backward()", 4, new Map(), used);
  assert.equal(at(["torch.Tensor.backward", "torch.cat"]), "torch.Tensor.backward");
  assert.equal(at(["torch.Tensor.backward", "torch.autograd.Function.backward"]), undefined);
  assert.equal(at(["torch.autograd.backward"]), undefined); // a function of a module
});

test("the first sentence, in either language", () => {
  assert.equal(firstSentence("It has 1.5 of them. More."), "It has 1.5 of them.");
  assert.equal(firstSentence("第一句。第二句。"), "第一句。");
  assert.equal(firstSentence("no end"), "no end");
});
