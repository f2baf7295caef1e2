/* What the search of the site recognises: from standard input the data of the search and texts, to standard output the
   templates of each text, best first, by their numbers. `yours`: what they say in the reader's own numbers. `pasted`: the texts are logs; otherwise each is a message as it is.
   Arguments: the scripts of the search that are run. */
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const { data, texts, pasted, language = "en", yours } = JSON.parse(readFileSync(0, "utf8"));
globalThis.self = globalThis;
for (const path of process.argv.slice(2)) runInThisContext(readFileSync(path, "utf8").replace('"use strict";', '"use strict"; self.verbatimSearch ??= {};'));
Object.assign(self.verbatimSearch, {
  language,
  load: async () => {},
  arrived: { index: { data: { versions: { messages: ["1"] } } }, "messages-0": { data } },
});
if (!pasted) self.verbatimSearch.chain = (message) => [{ message, inTorch: false }];
const found = [];
for (const text of texts) {
  const all = await self.verbatimSearch.recognise(text);
  found.push(yours ? (all[0]?.yours ?? "") : all.map(({ section }) => section));
}
process.stdout.write(JSON.stringify(found));
