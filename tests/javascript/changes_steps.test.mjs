/* `docs/assets/changes/steps.js`: what changed between two releases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

open("https://example.org/en/ways/changes/");
await run("page.js");
await run("changes/steps.js");
const { steps, within } = globalThis.verbatimUpgrade;

const RELEASES = ["1.0", "2.0", "3.0"];
const EASED = ["new", "message gone"];
const between = (text, from, to) => within(steps(text), RELEASES, RELEASES.indexOf(from), RELEASES.indexOf(to), EASED);

test("the changes of a cell are read as the build writes them", () => {
  assert.deepEqual(steps("2.0 0 1 changed message;3.0 1 0 new"), [
    { release: "2.0", was: "0", now: "1", kind: "changed message" },
    { release: "3.0", was: "1", now: "0", kind: "new" },
  ]);
});

test("what came with the older release is none of it, what came with the newer one is", () => {
  const { found, differs } = between("2.0 0 1 changed;3.0 1 2 changed", "2.0", "3.0");
  assert.deepEqual(found.map(({ release }) => release), ["3.0"]);
  assert.ok(differs);
  assert.ok(!between("2.0 0 1 changed", "2.0", "3.0").differs);
});

test("what is printed again as before does not differ", () => {
  assert.ok(!between("2.0 0 1 changed;3.0 1 0 changed", "1.0", "3.0").differs);
  assert.ok(between("2.0 0 1 changed;3.0 1 0 changed", "1.0", "2.0").differs);
});

test("what only runs better is no difference", () => {
  assert.ok(!between("2.0 0 1 new", "1.0", "3.0").differs);
  assert.ok(!between("2.0 0 1 message gone", "1.0", "3.0").differs);
  assert.ok(between("2.0 0 1 new;3.0 1 2 changed", "1.0", "3.0").differs);
});
