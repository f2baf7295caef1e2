/* Formulas, typeset in the browser and only where there are any: Zensical runs no plugin that could do it before. */
{
  const formulas = document.querySelectorAll(".arithmatex");
  const file = (name) => new URL(`katex/${name}`, document.currentScript.src).href;
  if (formulas.length) {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: file("katex.min.css") });
    const script = Object.assign(document.createElement("script"), { src: file("katex.min.js") });
    script.addEventListener("load", () => {
      for (const formula of formulas) {
        const [, open, tex] = /^\s*\\([([])([^]*)\\[)\]]\s*$/.exec(formula.textContent);
        katex.render(tex, formula, { displayMode: open === "[", throwOnError: false });
      }
    });
    document.head.append(style, script);
  }
}
