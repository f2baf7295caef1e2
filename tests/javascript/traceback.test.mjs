/* `docs/assets/search/traceback.js`: a pasted traceback → errors, frames, and whose code they are in. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.self = globalThis;
await import("../../verbatim/site/search/words.js");
await import("../../docs/assets/search/traceback.js");
const { traceback } = globalThis.verbatimSearch;

/* What a reader sees of each frame. */
const brief = (error) => error.frames.map(({ file, line, name, code, owner }) => [owner || "own", `${file.split(/[\\/]/).at(-1)}:${line}`, name, code]);

const TORCH = "/opt/env/lib/python3.11/site-packages/torch/nn/modules";
const PYTHON = `[ERROR] a line of a log
Traceback (most recent call last):
  File "/home/me/train.py", line 12, in <module>
    loss = step(batch)
           ^^^^^^^^^^^
  File "${TORCH}/module.py", line 1751, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "${TORCH}/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 2048x10)`;

test("Python: frames with their code, whose they are, and the message", () => {
  const [error, ...others] = traceback(PYTHON);
  assert.deepEqual(others, []);
  assert.equal(error.link, "");
  assert.equal(error.message, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 2048x10)");
  assert.deepEqual(brief(error), [
    ["own", "train.py:12", "<module>", "loss = step(batch)"],
    ["torch", "module.py:1751", "_wrapped_call_impl", "return self._call_impl(*args, **kwargs)"],
    ["torch", "linear.py:125", "forward", "return F.linear(input, self.weight, self.bias)"],
  ]);
});

test("whose code a file is in", () => {
  const owner = (file) => traceback(`Traceback (most recent call last):\n  File "${file}", line 1, in f\nE: x`)[0].frames[0].owner;
  for (const [file, whose] of [
    ["/home/me/lib/net.py", ""],
    ["C:\\Users\\me\\train.py", ""],
    ["<stdin>", ""],
    ["/home/me/python/train.py", ""],
    ["/usr/local/lib/python3.12/dist-packages/torchvision/ops/boxes.py", "torchvision"],
    ["C:\\Users\\me\\miniconda3\\envs\\a\\Lib\\site-packages\\torch\\serialization.py", "torch"],
    ["C:\\Users\\me\\miniconda3\\envs\\a\\lib\\threading.py", "Python"],
    ["/home/me/pytorch/torch/_tensor.py", "torch"],
    ["/usr/lib/python3.11/multiprocessing/process.py", "Python"],
    ["<frozen runpy>", "Python"],
    ["/opt/env/bin/torchrun", "torchrun"],
  ]) assert.equal(owner(file), whose, file);
});

test("errors of a chain, and how each came after the one before", () => {
  const first = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x[3]\nIndexError: Target 3 is out of bounds.\n\n';
  const second = 'Traceback (most recent call last):\n  File "a.py", line 4, in g\n    save()\nwandb.errors.CommError: not saved';
  const chained = (link) => traceback(`${first}${link}\n\n${second}`);
  assert.deepEqual(chained("During handling of the above exception, another exception occurred:").map(({ link, message }) => [link, message]), [
    ["", "IndexError: Target 3 is out of bounds."],
    ["during", "wandb.errors.CommError: not saved"],
  ]);
  assert.equal(chained("The above exception was the direct cause of the following exception:")[1].link, "cause");
  assert.deepEqual(brief(chained("During handling of the above exception")[1]), [["own", "a.py:4", "g", "save()"]]);
});

test("the error of a worker process stands within the message of its parent", () => {
  const worker = `Traceback (most recent call last):
  File "train.py", line 9, in <module>
    for batch in loader:
RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/opt/env/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 349, in _worker_loop
    data = fetcher.fetch(index)
RuntimeError: stack expects each tensor to be equal size, but got [3, 4] at entry 0 and [3, 5] at entry 1`;
  const [parent, child] = traceback(worker);
  assert.deepEqual([parent.message, brief(parent)], ["RuntimeError: Caught RuntimeError in DataLoader worker process 0.", [["own", "train.py:9", "<module>", "for batch in loader:"]]]);
  assert.deepEqual([child.link, child.message.slice(0, 27), child.frames[0].owner], ["", "RuntimeError: stack expects", "torch"]);
});

test("a message of several lines stays whole", () => {
  const message = 'RuntimeError: Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "a.weight". \n\tsize mismatch for b.weight';
  const [{ message: found }] = traceback(`Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n${message}`);
  assert.equal(found, message);
});

test("launchers and terminals write into each line", () => {
  const launched = PYTHON.split("\n").map((line) => `[rank1]: ${line}`).join("\n");
  assert.deepEqual(traceback(launched), traceback(PYTHON));
  const coloured = PYTHON.replaceAll('"/home', '\u001b[35m"/home').replaceAll("RuntimeError:", "\u001b[1;35mRuntimeError\u001b[0m:");
  assert.equal(traceback(coloured)[0].message, traceback(PYTHON)[0].message);
});

test("a traceback that was joined into one line", () => {
  assert.deepEqual(traceback(PYTHON.replace(/\n\s+\^+/, "").replace(/^.*\n/, "").replace(/\n\s*/g, " ")), traceback(PYTHON));
});

test("notebooks and IPython, new and old", () => {
  const rule = "-".repeat(75);
  const now = `${rule}
RuntimeError                              Traceback (most recent call last)
Cell In[3], line 2
      1 model = torch.nn.Linear(3, 1)
----> 2 model(torch.ones(2, 2))

File ${TORCH}/module.py:1751, in Module._wrapped_call_impl(self, *args, **kwargs)
   1750 else:
-> 1751     return self._call_impl(*args, **kwargs)

RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 3x1)`;
  const expected = [
    ["own", "Cell In[3]:2", "", "model(torch.ones(2, 2))"],
    ["torch", "module.py:1751", "Module._wrapped_call_impl", "return self._call_impl(*args, **kwargs)"],
  ];
  const [error, ...others] = traceback(now);
  assert.deepEqual([brief(error), others, error.message], [expected, [], "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 3x1)"]);

  const old = `${rule}
ValueError                                Traceback (most recent call last)
<ipython-input-5-1f2e> in <module>
      3 for batch in loader:
----> 4     step(batch)

/usr/local/lib/python3.7/dist-packages/torch/nn/modules/module.py in _call_impl(self, *input, **kwargs)
    726         else:
--> 727             result = self.forward(*input, **kwargs)

ValueError: Expected input batch_size (64) to match target batch_size (32).`;
  const [before] = traceback(old);
  assert.deepEqual(brief(before), [
    ["own", "<ipython-input-5-1f2e>:4", "<module>", "step(batch)"],
    ["torch", "module.py:727", "_call_impl", "result = self.forward(*input, **kwargs)"],
  ]);
  assert.equal(before.message, "ValueError: Expected input batch_size (64) to match target batch_size (32).");
});

test("pytest, short and long", () => {
  const short = `test_net.py:5: in test_forward
    net(x)
${TORCH}/module.py:1751: in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
E   RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)`;
  const [error] = traceback(short);
  assert.deepEqual(brief(error).map(([whose, place, , code]) => [whose, place, code]), [
    ["own", "test_net.py:5", "net(x)"],
    ["torch", "module.py:1751", "return self._call_impl(*args, **kwargs)"],
  ]);
  assert.equal(error.message, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)");

  const long = `    def test_forward():
>       net(torch.ones(1, 2))
E       RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)

test_net.py:5: RuntimeError`;
  const [other] = traceback(long);
  assert.deepEqual(brief(other), [["own", "test_net.py:5", "", "net(torch.ones(1, 2))"]]);
  assert.equal(other.message, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)");
});

test("a warning, and a message alone", () => {
  const [warning] = traceback("/home/me/train.py:3: UserWarning: Using a target size that differs\n  loss = f(x)");
  assert.deepEqual([warning.frames[0].line, warning.message.split("\n")[0]], ["3", "UserWarning: Using a target size that differs"]);
  const cut = "Traceback (most recent call last):";
  assert.deepEqual(traceback(cut), [{ link: "", frames: [], message: cut }]);
  assert.deepEqual(traceback("RuntimeError: mat1 and mat2"), [{ link: "", frames: [], message: "RuntimeError: mat1 and mat2" }]);
});

/* As Python 3.11 and newer print it, with a group within a group, one member without a traceback, and torch's frames shortened. */
const GROUP = `  + Exception Group Traceback (most recent call last):
  |   File "/home/me/train.py", line 22, in run
  |     raise ExceptionGroup("outer", [ValueError("bad config"), e])
  | ExceptionGroup: outer (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: bad config
    +---------------- 2 ----------------
    | Exception Group Traceback (most recent call last):
    |   File "/home/me/train.py", line 17, in group
    |     raise ExceptionGroup("workers failed", errors)
    | ExceptionGroup: workers failed (2 sub-exceptions)
    +-+---------------- 1 ----------------
      | Traceback (most recent call last):
      |   File "/home/me/train.py", line 10, in step
      |     net(batch)
      |     ~~~^^^^^^^
      |   File "${TORCH}/linear.py", line 134, in forward
      |     return F.linear(input, self.weight, self.bias)
      | RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)
      +---------------- 2 ----------------
      | Traceback (most recent call last):
      |   File "/home/me/train.py", line 11, in measure
      |     loss(scores, targets)
      | IndexError: Target 10 is out of bounds.
      +------------------------------------`;

test("the errors of a group", () => {
  const errors = traceback(GROUP);
  assert.deepEqual(errors.map(({ link, message }) => [link, message]), [
    ["", "ExceptionGroup: outer (2 sub-exceptions)"],
    ["member", "ValueError: bad config"],
    ["member", "ExceptionGroup: workers failed (2 sub-exceptions)"],
    ["member", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)"],
    ["member", "IndexError: Target 10 is out of bounds."],
  ]);
  assert.deepEqual(brief(errors[3]), [
    ["own", "train.py:10", "step", "net(batch)"],
    ["torch", "linear.py:134", "forward", "return F.linear(input, self.weight, self.bias)"],
  ]);
  const { message, chain } = globalThis.verbatimSearch;
  assert.equal(message(GROUP), "IndexError: Target 10 is out of bounds.");
  assert.deepEqual(chain(GROUP).map((one) => one.message), [...errors.map((one) => one.message).reverse().filter((one) => !one.includes("outer"))]);
});

test("chats, loggers and containers write something before each line", () => {
  const cause = `${PYTHON}\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/home/me/train.py", line 20, in <module>\n    run()\nValueError: batch 3 failed`;
  const each = (text, before) => text.split("\n").map((line, i) => `${before.replace("#", i % 10)}${line}`.trimEnd()).join("\n");
  for (const before of ["> ", ">", ">> ", "2026-11-26 13:50:0#,123 ERROR [trainer] ", "2026-11-26T13:50:0#.123456789Z ", "trainer-1  | ", "Nov 26 13:50:0# host python[1234]: "]) {
    assert.deepEqual(traceback(each(cause, before)), traceback(cause), before);
    assert.deepEqual(traceback(each(GROUP, before)), traceback(GROUP), before);
    assert.deepEqual(globalThis.verbatimSearch.chain(each(cause, before)).map((one) => one.message.split(":")[0]), ["ValueError", "RuntimeError"], before);
  }
  const cut = each(cause, "> ").split("\n").slice(2).join("\n");
  assert.deepEqual(traceback(cut), traceback(cause), "its beginning was not copied");
  assert.deepEqual(traceback(`why?\n\`\`\`py\n${cause}\n\`\`\`\nthanks`), traceback(cause));
  const flat = cause.split("\n").map((line) => line.trim()).join("\n");
  assert.deepEqual(traceback(flat), traceback(cause), "without indentation");
  assert.deepEqual(traceback(cause.replace(/^/gm, "    ")), traceback(cause), "indented as a whole");
});

test("a quoted notebook; IPython with variables, in plain mode, and with a chain", () => {
  const cells = `RuntimeError                              Traceback (most recent call last)
/tmp/ipython-input-24.py in <cell line: 0>()
----> 2 net(torch.ones(32, 2048))

${TORCH}/linear.py in forward(self, input)
--> 125         return F.linear(input, self.weight, self.bias)

RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)`;
  assert.deepEqual(traceback(cells.replace(/^/gm, "> ")), traceback(cells));

  const verbose = `RuntimeError                              Traceback (most recent call last)
File /home/me/train.py:10
----> 10 net(batch)
        net = Sequential(
  (0): Linear(in_features=512, out_features=10, bias=True)
)
File ${TORCH}/linear.py:125, in Linear.forward(self=Linear(
  in_features=512
))
--> 125     return F.linear(input, self.weight, self.bias)

RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2048 and 512x10)

The above exception was the direct cause of the following exception:

ValueError                                Traceback (most recent call last)
File /home/me/train.py:20
---> 20 run()

ValueError: batch 3 failed`;
  const errors = traceback(verbose);
  assert.deepEqual(brief(errors[0]), [
    ["own", "train.py:10", "", "net(batch)"],
    ["torch", "linear.py:125", "Linear.forward", "return F.linear(input, self.weight, self.bias)"],
  ]);
  assert.deepEqual(errors.map(({ message }) => message.slice(0, 20)), ["RuntimeError: mat1 a", "ValueError: batch 3 "]);
  assert.deepEqual(globalThis.verbatimSearch.chain(verbose).map((one) => one.message.split(":")[0]), ["ValueError", "RuntimeError"]);

  const plain = `Traceback (most recent call last):\n\n  File /home/me/train.py:10 in step\n    net(batch)\n\nRuntimeError: x`;
  assert.deepEqual(brief(traceback(plain)[0]), [["own", "train.py:10", "step", "net(batch)"]]);
});

test("torchrun: what it logs between the processes, and tracebacks within its summary", () => {
  const summary = `E1126 13:49:57.016000 27130 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: 1)
Traceback (most recent call last):
  File "/opt/env/bin/torchrun", line 8, in <module>
    sys.exit(main())
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  rank      : 0 (local_rank: 0)
  traceback : ${PYTHON.split("\n").slice(1).map((line) => `  ${line}`).join("\n").trim()}
  
============================================================`;
  const errors = traceback(`[rank0]: ${PYTHON.split("\n").slice(1).join("\n[rank0]: ")}\n${summary}`);
  const [first, launcher, within] = errors;
  assert.equal(errors.length, 3);
  assert.equal(first.message, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 2048x10)");
  assert.match(launcher.message, /^torch.distributed.elastic.multiprocessing.errors.ChildFailedError/);
  assert.deepEqual([within.message, brief(within)], [first.message, brief(first)]);
});

test("notes below a message: without them it is looked for, too", () => {
  const noted = `${PYTHON}\nbatch: 3, epoch: 1`;
  assert.equal(traceback(noted)[0].message.split("\n").length, 2);
  const said = globalThis.verbatimSearch.chain(noted).map((one) => [one.message, one.inTorch]);
  assert.deepEqual(said, [[`${traceback(PYTHON)[0].message} batch: 3, epoch: 1`, true], [traceback(PYTHON)[0].message, true]]);
});
