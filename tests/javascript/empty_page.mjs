/* A page with nothing on it, in which Node can run the site's scripts: they find nothing to work on, and what is left to test are their
   functions and what they listen to. What a reader sees, the tests in a browser tell. */

/** The elements that scripts have put into the page's head, in their order. */
export const head = [];

const listeners = {};
const listening = {
  addEventListener: (type, act) => (listeners[type] ??= []).push(act),
  removeEventListener() {},
};

/**
 * Have something happen on the page.
 * @param {string} type
 * @param {object} event
 */
export const happen = (type, event) => listeners[type]?.forEach((act) => act(event));

class Element {
  constructor(tag) {
    Object.assign(this, { tag, className: "", dataset: {}, attributes: {}, children: [] });
  }
  append(...children) {
    this.children.push(...children);
  }
  remove() {
    head.splice(head.indexOf(this), 1);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }
}

/**
 * Open the page in this process.
 * @param {string} address
 * @param {Object<string, object>} [found] What is on it after all: selector → element.
 */
export function open(address, found = {}) {
  const document = {
    ...listening,
    documentElement: { lang: "en", dataset: {}, ...listening },
    body: new Element("body"),
    currentScript: {},
    head: { append: (...elements) => head.push(...elements) },
    createElement: (tag) => new Element(tag),
    getElementById: () => null,
    querySelector: (selector) => found[selector] ?? null,
    querySelectorAll: () => [],
  };
  const observer = class {
    observe() {}
  };
  Object.assign(globalThis, { self: globalThis, document, location: new URL(address), ...listening });
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }), MutationObserver: observer });
  if (!globalThis.navigator) globalThis.navigator = {};
}

/**
 * Run one of the site's scripts.
 * @param {string} path From `docs/assets`.
 */
export async function run(path) {
  const { document, location } = globalThis;
  document.currentScript.src = new URL(`/assets/${path}?v=1`, location).href;
  await import(new URL(`../../docs/assets/${path}`, import.meta.url));
}
