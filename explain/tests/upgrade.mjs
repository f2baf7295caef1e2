/* What the site reads in code and finds of it, by its own scripts: from standard input `known`, `moved`, `sources`, and with `data`
   the cases `[old, new, source]` instead; to standard output, a source each, `used` (name → [line, given]) and `unknown`, or the
   changes. Argument: the folder of the scripts. */
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const { known, moved, sources, data, cases = [] } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
for (const name of ["names.js", "between.js"]) runInThisContext(readFileSync(`${process.argv[2]}/${name}`, "utf8"));
const { names, between } = globalThis.verbatimUpgrade;
const plain = ({ used, unknown }) => ({
  used: Object.fromEntries([...used].map(([name, lines]) => [name, [...lines].map(([line, given]) => [line, given && [...given].sort()])])),
  unknown: [...unknown].sort(),
});
const found = data
  ? cases.map(([old, now, source]) => between(data, old, now, names(source, new Set(Object.keys(data.names)), data.moved).used))
  : sources.map((source) => plain(names(source, new Set(known), moved)));
process.stdout.write(JSON.stringify(found));
