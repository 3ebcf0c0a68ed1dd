"use strict";
// Makes elements. Whatever was written by others becomes text, never markup.

const VERDICTS = {
  p: "passed", f: "failed", i: "inconclusive", n: "not-run", a: "inapplicable", "-": "by inspection",
};
const PLAIN = /^[\x20-\x7e]*$/;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Write what cannot be seen as escapes (`\x1b`), as every other report does; line ends stay in a text of several lines. */
function visible(text, lines = false) {
  const given = String(text);
  return PLAIN.test(given) ? given : given.replace(HIDDEN, (one) => {
    if (lines && (one === "\n" || one === "\t")) return one;
    if (one === "\n") return "\\n";
    if (one === "\t") return "\\t";
    if (one === "\r") return "\\r";
    const code = one.codePointAt(0);
    const hex = code.toString(16);
    if (code < 0x100) return "\\x" + hex.padStart(2, "0");
    return code < 0x10000 ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0");
  });
}

/** Make an element; strings among its children become text in which everything can be seen. */
function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : visible(value));
  }
  put(element, children, name === "pre" || name === "mark");
  return element;
}

function put(element, children, lines) {
  for (const child of children.flat(4)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : visible(child, lines));
  }
}

/** Draw the mark of a verdict: its shape says what its colour says, and its name is read aloud. */
function mark(letter, silent) {
  const verdict = VERDICTS[letter] || letter;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  const slug = verdict.replace(" ", "-");
  use.setAttribute("href", "#mark-" + slug);
  svg.setAttribute("class", "mark " + slug);
  svg.setAttribute("viewBox", "0 0 16 16");
  if (silent) svg.setAttribute("aria-hidden", "true");
  else {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", verdict);
  }
  svg.append(use);
  return svg;
}

/** Give a mark with words beside it; the words of a verdict that is bad stand out. */
function marked(letter, words, properties) {
  const slug = (VERDICTS[letter] || letter).replace(" ", "-");
  return h("span", { ...properties, class: "marked " + slug }, mark(letter, true), h("span", null, words));
}

/** Write a sentence of a specification: its keyword in small capitals, what stands in backticks as code. */
function sentence(text) {
  const parts = text.split(/(`[^`]+`|\b(?:MUST|SHALL|SHOULD)(?: NOT)?\b|\bMAY\b|\bREQUIRED\b)/);
  return parts.map((part, number) => {
    if (number % 2 === 0) return part;
    return part.startsWith("`") ? h("code", null, part.slice(1, -1)) : h("b", { class: "keyword" }, part);
  });
}

/** Write a number with its noun. */
function count(number, noun, plural) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural || noun + "s"}`;
}
