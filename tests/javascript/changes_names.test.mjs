/* `docs/assets/changes/names.js` and `between.js`: the names that code uses, and what changed for them. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.self = globalThis;
await import("../../docs/assets/changes/names.js");
await import("../../docs/assets/changes/between.js");
const { names, between } = globalThis.verbatimUpgrade;

const KNOWN = new Set(["torch.load", "torch.Tensor", "torch.nn.Linear", "torch.nn.functional.relu", "torch.new"]);
const used = (source, moved = {}) =>
  Object.fromEntries([...names(source, KNOWN, moved).used].map(([name, lines]) => [name, [...lines].map(([line, given]) => [line, given && [...given]])]));

test("names are followed from what code imports, with what they are given", () => {
  assert.deepEqual(used("import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\nx = F.relu(nn.Linear(2, 3, bias=False)(torch.load(f='a')))"), {
    "torch.nn.functional.relu": [[5, []]],
    "torch.nn.Linear": [[5, ["bias"]]],
    "torch.load": [[5, ["f"]]],
  });
});

test("comments, strings, parameters and names of the reader's own are none", () => {
  assert.deepEqual(used("import torch\n# torch.load\ns = 'torch.load'\ndef f(torch):\n    return torch.load\nmine.load()"), {});
});

test("code in an f-string is code", () => {
  assert.deepEqual(used("import torch\nprint(f'{torch.load(1)} {{torch.Tensor}}')"), { "torch.load": [[2, []]] });
});

test("a name that is only asked about gives nothing away, and a class gives its methods", () => {
  assert.deepEqual(used("import torch\nisinstance(x, torch.Tensor)"), { "torch.Tensor": [[2, null]] });
  assert.deepEqual(used("import torch\nclass A(torch.Tensor):\n    def add(self): pass"), { "torch.Tensor": [[2, ["add"]]] });
});

test("code that is still being typed is read as far as it goes", () => {
  assert.deepEqual(used("import torch\nclass A(torch.Tensor):"), { "torch.Tensor": [[2, []]] });
  assert.deepEqual(used("import torch\ntorch.load(f"), { "torch.load": [[2, []]] });
});

test("a module that has moved is known by its new name, and one that is not known is told", () => {
  assert.deepEqual(used("import torch.old as o\no.relu", { "torch.old": "torch.nn.functional" }), { "torch.nn.functional.relu": [[2, []]] });
  assert.deepEqual([...names("import torch\ntorch.absent()", KNOWN, {}).unknown], ["torch.absent"]);
});

const DATA = {
  names: { "torch.new": ["1.0"] },
  told: ["message"],
  kinds: ["missing", "changed", "message", "new"],
  cells: [
    {
      names: ["torch.load"],
      settles: ["weights_only"],
      place: ["en/saving/load/#default", "Load\nThe default"],
      prints: [
        { releases: ["1.0"], messages: [], deprecates: [], removes: [] },
        { releases: ["2.0"], messages: ["FutureWarning: torch.load"], deprecates: [], removes: [] },
      ],
      steps: { "0 1": { kind: "message", lines: ["+FutureWarning"], more: 2, cause: ["FutureWarning: torch.load"] } },
    },
  ],
};
const changes = (source, old = "1.0", now = "2.0") => between(DATA, old, now, names(source, new Set([...KNOWN]), {}).used);

test("what changed for a name is told with its place in the code and in the book", () => {
  const [change, ...others] = changes("import torch\ntorch.load(f)");
  assert.deepEqual(others, []);
  assert.deepEqual(change, { kind: "message", names: ["torch.load"], uses: [2], address: "en/saving/load/#default", titles: "Load\nThe default", lines: ["+FutureWarning"], more: 2, places: 1 });
});

test("a message is not told of code that settles it, nor between releases that print the same", () => {
  assert.deepEqual(changes("import torch\ntorch.load(f, weights_only=True)"), []);
  assert.deepEqual(changes("import torch\ntorch.load(f)", "2.0", "2.0"), []);
});

test("a name that only one of the releases has is new or missing", () => {
  assert.deepEqual(changes("import torch\ntorch.new()").map(({ kind }) => kind), ["new"]);
  assert.deepEqual(changes("import torch\ntorch.new()", "2.0", "1.0").map(({ kind }) => kind), ["missing"]);
});
