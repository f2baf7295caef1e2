/* `verbatim/site/search/words.js`: texts → terms, and how much of a query a text has. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.self = globalThis;
await import("../../verbatim/site/search/words.js");
const { alike, broadened, excerpt, marks, message, mistyped, nearest, quoted, sentence, share, spans, telling, wanted } = globalThis.verbatimSearch;

const terms = (text) => spans(text).map(([term]) => term);
const asked = (query) => wanted(query).map(({ term }) => term);
const one = (query, term) => wanted(query).find((found) => found.term === term);

test("a text is cut into names, their parts, numbers, and pairs of Chinese characters", () => {
  assert.deepEqual(terms("torch.zero_grad()"), ["torch", "zero_grad", "zero", "grad"]);
  assert.deepEqual(terms("CrossEntropyLoss"), ["crossentropyloss", "cross", "entropy", "loss"]);
  assert.deepEqual(terms("x[..., 0]"), ["x", "...", "0"]);
  assert.deepEqual(terms("梯度清零"), ["梯度", "度清", "清零"]);
  assert.deepEqual(terms("为 0"), ["为", "0"]);
  assert.deepEqual(terms("張量的形"), ["張量", "形"]);
});

test("each term says where it stands, full-width letters too", () => {
  for (const [text, term, written] of [["a new_tensor", "tensor", "new_tensor"], ["用ＮＡＮ吗", "nan", "ＮＡＮ"], ["求梯度", "梯度", "梯度"]]) {
    const [, start, end] = spans(text).find(([found]) => found === term);
    assert.equal(text.slice(start, end), written);
  }
});

test("forms of a word are one term, names are not shortened", () => {
  for (const forms of ["copy copies copied", "stack stacks stacked stacking", "class classes", "share shares shared sharing"].map((all) => all.split(" "))) {
    assert.equal(new Set(forms.slice(0, 2).flatMap(terms)).size, 1, forms.join());
  }
  assert.deepEqual(terms("GPUs bus BatchNorm1d_"), ["gpu", "bus", "batchnorm1d_", "batch", "norm"]);
});

test("of what was pasted from a terminal the last message counts, of anything else all", () => {
  const traceback = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nValueError: first\n\nRuntimeError: mat1 and mat2\n  of two lines';
  assert.equal(message(traceback), "RuntimeError: mat1 and mat2 of two lines");
  assert.equal(message('[rank0]: File "a.py", line 3, in f [rank0]: torch.cuda.OutOfMemoryError: CUDA out'), "torch.cuda.OutOfMemoryError: CUDA out");
  assert.equal(message("  why RuntimeError: x  "), "why RuntimeError: x");
  assert.equal(message("a\nb"), "a b");
});

test("a class without a text, or of another ending, is a message, too, and a reader's paths are none of it", () => {
  const trace = (last) => `Traceback (most recent call last):\n  File "/home/u/secret/a.py", line 3, in f\n    g()\n${last}`;
  for (const last of ["StopIteration", "AssertionError", "torch._dynamo.exc.Unsupported: Data-dependent branching", "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard"]) {
    assert.equal(message(trace(last)), last);
    assert.ok(telling(trace(last)));
  }
  assert.equal(message(trace('torch._dynamo.exc.Unsupported: Call\n\nfrom user code:\n   File "/home/u/a.py", line 6, in f\n    x()\n\nSet more')), "torch._dynamo.exc.Unsupported: Call from user code: Set more");
  assert.equal(message("/home/u/secret/a.py:3: UserWarning: Using a target size\n  f()"), "UserWarning: Using a target size f()");
  assert.ok(!message(trace("FileNotFoundError: No such file: '/home/u/secret/b.png'")).includes("secret"));
  assert.equal(message("how to use a/b/c"), "how to use a/b/c");
});

test("what looks like a message", () => {
  for (const text of ["RuntimeError: mat1 and mat2", "why ValueError: too many values to unpack", "OMP: Error #15: Initializing", "cv2.error: OpenCV(4.8.0) error", "StopIteration"]) assert.ok(telling(text), text);
  for (const text of ["why is my loss nan", "RuntimeError 怎么解决", "训练报错", "torch.where", "error rate of a classifier"]) assert.ok(!telling(text), text);
});

test("of words, those that a slip is likeliest to be", () => {
  assert.deepEqual(nearest("frez", ["fre", "freez", "frez", "gradient"]), ["freez"]);
  assert.deepEqual(nearest("feez", ["fre", "freez", "feed"]), ["freez"]);
  assert.deepEqual(nearest("qqqq", ["fre", "freez"]), []);
});

test("one slip of the finger", () => {
  for (const slip of ["tennsor", "tensorr"]) assert.equal(mistyped(slip, "tensor"), 3, slip);
  assert.equal(mistyped("acuracy", "accuracy"), 3);
  for (const slip of ["tensro", "tenso", "etnsor", "tesnor"]) assert.equal(mistyped(slip, "tensor"), 2, slip);
  assert.equal(mistyped("tensqr", "tensor"), 1);
  for (const other of ["tensor", "sensors", "tenrso", "tens", "censor"]) assert.equal(mistyped(other, "tensor"), 0, other);
});

test("the first sentence", () => {
  assert.equal(sentence("\nUse torch.cat here. Not there."), "Use torch.cat here.");
  assert.equal(sentence("第一句。第二句。"), "第一句。");
});

test("words that ask or join are left out, unless they stand as names do", () => {
  assert.deepEqual(asked("how do I clear the gradient"), ["clear", "gradient"]);
  assert.deepEqual(asked("怎么清空梯度？"), ["清空", "空梯", "梯度"]);
  assert.deepEqual(asked("梯度为None"), ["梯度", "non"]);
  assert.deepEqual(asked("to()"), ["to"]);
  assert.ok(asked("when to call torch.where(x)").includes("wher"));
  assert.deepEqual(asked("what is it"), ["what", "is", "it"]); // there is nothing else
  assert.deepEqual(asked("shape 3x4 of 12"), ["shap"]);
  assert.deepEqual(asked("42"), ["42"]);
});

test("of a long query as many words count as a message has, from its end", () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i < 26 ? "x" : "y"}`);
  assert.equal(asked(words.join(" ")).length, 32);
  assert.ok(asked(words.join(" ")).includes(terms(words.at(-1))[0]));
  assert.ok(asked(`ValueError: ${words.join(" ")}`).includes(terms(words[0])[0]));
});

test("a term knows whether it is a name, leads to one, is part of one, or chance", () => {
  assert.deepEqual([one("torch.cat", "torch").leads, one("torch.cat", "cat").leads, one("torch.cat", "cat").name], [true, false, 1]);
  assert.equal(one("CrossEntropyLoss", "entropy").whole, "crossentropyloss");
  assert.equal(one("CrossEntropyLoss", "crossentropyloss").whole, undefined);
  assert.equal(one("use squeeze here", "squeez").name, 0.125);
  assert.equal(one("squeeze 之后", "squeez").name, 0.8);
  assert.deepEqual(one("叶子节点", "子节").between, ["叶子", "节点"]);
  assert.equal(one("叶子节点", "叶子").between, undefined);
  assert.deepEqual(wanted("ab abcd ef").map(({ prefix }) => prefix), [false, true, true]);
});

test("two characters that stand together nowhere become their first, unless another word has it", () => {
  const pair = one("清空", "清空");
  assert.deepEqual(broadened(pair, [pair]), { term: "清", prefix: true, weak: true });
  assert.equal(broadened(pair, [pair, { term: "清零" }]), pair);
  const name = one("detach", "detach");
  assert.equal(broadened(name, [name]), name);
});

test("what matches is marked once, in order", () => {
  const text = "zero_grad 清空梯度, gradient";
  const marked = (query) => marks(text, wanted(query)).map(([start, end]) => text.slice(start, end));
  assert.deepEqual(marked("zero_grad"), ["zero_grad", "gradient"]);
  assert.deepEqual(marked("清空梯度"), ["清空梯度"]);
  assert.deepEqual(marked("grad"), ["zero_grad", "gradient"]);
  assert.deepEqual(marked("loss"), []);
});

test("a text that quotes a message is told from one that has its words", () => {
  const query = "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)";
  assert.equal(quoted(query, ["RuntimeError: mat1 and mat2 shapes cannot be multiplied (7x8 and 9x9)"]), 1);
  assert.ok(quoted(query, ["shapes cannot be multiplied"]) < 0.2);
  assert.equal(quoted(query, ["multiplied shapes"]), 0);
  assert.equal(quoted("怎样清空梯度", ["怎样清空梯度"]), 0); // six characters are three words
});

test("how much of a title a query has, and how alike both are", () => {
  assert.equal(share("torch.where: choose", "where to choose"), 2 / 3);
  assert.equal(share("", "anything"), 0);
  const weights = new Map([["clear", 1], ["gradient", 3]]);
  assert.equal(alike(weights, "clear the gradient"), 1);
  assert.ok(alike(weights, "gradient") > alike(weights, "clear"));
  assert.ok(alike(weights, "clear gradient hooks") < 1);
  assert.equal(alike(new Map(), "x"), 0);
});

test("an excerpt is of the field that has most of the query, and begins where most of it stands", () => {
  const result = { prose: "Gradients add up.", messages: "", outputs: "tensor([1.])", code: "weight = torch.ones(2)\nweight.grad.zero_()\nprint(1)" };
  assert.deepEqual(excerpt(result, wanted("gradients")), ["prose", "Gradients add up."]);
  assert.deepEqual(excerpt(result, wanted("zero_")), ["code", "weight.grad.zero_()"]);
  const far = `${"Nothing of it stands here. ".repeat(12)}Then the hook is called. ${"Nothing more. ".repeat(20)}`;
  const [, text] = excerpt({ ...result, prose: far }, wanted("hook"));
  assert.match(text, /^…Then the hook is called\. Nothing more\..*…$/);
  assert.ok(text.length <= 152);
  const [, chinese] = excerpt({ ...result, prose: "没有。".repeat(100) }, wanted("没有"));
  assert.equal(chinese.length, 76); // a Chinese character counts twice
});

test("a word that every object has is a word like any other", () => {
  for (const word of ["constructor", "valueOf", "__proto__"])
    assert.deepEqual(one(`${word} of a Module`, word.toLowerCase()).between, undefined, word);
});
