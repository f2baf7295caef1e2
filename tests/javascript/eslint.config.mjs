/* How `make lint` looks at JavaScript: the site's scripts, those in its templates, and their tests. */
import js from "@eslint/js";
import globals from "globals";

/* A template's scripts. What Jinja fills in is data for others, not code. */
const templates = {
  preprocess: (text) =>
    [...text.matchAll(/(?<=<script>).*?(?=<\/script>)/gs)]
      .filter(([script]) => !script.includes("{{"))
      .map(({ 0: script, index }, i) => ({ text: "\n".repeat(text.slice(0, index).split("\n").length - 1) + script, filename: `${i}.js` })),
  postprocess: (messages) => messages.flat(),
};

export default [
  { ignores: ["**/minisearch.js"] },
  { ...js.configs.recommended, files: ["**/*.js", "**/*.mjs"] },
  {
    files: ["**/*.js", "**/*.mjs"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-empty": ["error", { allowEmptyCatch: true }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["**/*.js"],
    languageOptions: { sourceType: "script", globals: { ...globals.browser, MiniSearch: "readonly", katex: "readonly" } },
  },
  {
    /* Scripts in templates: Material's own function is there, and what they call may be all that they do. */
    files: ["**/*.html/*.js"],
    languageOptions: { globals: { __md_get: "readonly" } },
  },
  { files: ["**/*.html"], plugins: { templates: { processors: { scripts: templates } } }, processor: "templates/scripts" },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
];
