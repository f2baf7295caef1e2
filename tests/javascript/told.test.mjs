/* `docs/assets/releases/told.js`: what is said of a page in a release. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, run } from "./empty_page.mjs";

const options = [{ value: "", text: "2.13.0" }, { value: "2.6.0", text: "2.6.0" }];
open("https://example.org/en/topic/page/", { ".torch select": { options, value: "" } });
await run("releases/told.js");
const { sentence } = globalThis.verbatimTold;

const WORDS = { 0: "the same", "0~": "as far as compared", 1: "one place", more: "{places} places", "more~": "{places} at least", "?": "not run" };

test("each verdict of the build has its sentence", () => {
  for (const [verdict, said] of [
    ["0", "the same"],
    ["0~", "as far as compared"],
    ["1", "one place"],
    ["7", "7 places"],
    ["12~", "12 at least"],
    ["?", "not run"],
  ]) assert.equal(sentence(WORDS, verdict), said, verdict);
});
