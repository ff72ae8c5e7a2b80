// Elements made of text and attributes. Nothing here reads HTML, so nothing a peer says can become any.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export const el = (name, attributes = {}, ...children) => build(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS(SVG, name), attributes, children);

/** Says it only when it is news: a live region that is written anew is read anew. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides; tells whether that changed anything. */
export function show(element, shown) {
  const changed = element.hidden === shown;
  element.hidden = !shown;
  return changed;
}
