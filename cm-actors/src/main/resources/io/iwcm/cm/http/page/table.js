// Tables that are brought up to date in place, so that focus, selection and a screen reader stay where they are.

import { el } from "./dom.js";

/**
 * A column is { head, cell(row), numeric }; a cell is text, or { key, node() } that is built anew when its key changes.
 * The roles are said aloud since small screens show rows as cards, which takes a table's own roles away.
 */
export function table({ caption, columns, key, empty }) {
  const body = el("tbody", { role: "rowgroup" });
  const heads = columns.map(({ head, numeric }) =>
    el("th", { role: "columnheader", scope: "col", class: numeric && "numeric" }, head));
  const whole = el("table", { role: "table" },
    el("caption", {}, caption),
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads)),
    body);
  const nothing = el("p", { class: "empty" }, empty);
  // Until it is told anything, it says nothing.
  whole.hidden = true;
  nothing.hidden = true;
  const rows = new Map();

  function made() {
    const cells = columns.map(({ head, numeric }, at) =>
      el("td", { role: at === 0 ? "rowheader" : "cell", "data-label": head, class: numeric && "numeric" }));
    return { row: el("tr", { role: "row" }, ...cells), cells, keys: [] };
  }

  function fill(entry, value) {
    columns.forEach(({ cell }, at) => {
      const content = cell(value);
      const now = typeof content === "object" ? content.key : String(content);
      if (entry.keys[at] === now) return;
      entry.keys[at] = now;
      entry.cells[at].toggleAttribute("data-none", now === "–");
      entry.cells[at].replaceChildren(typeof content === "object" ? content.node() : now);
    });
  }

  return {
    element: el("div", {}, whole, nothing),
    body,
    update(values) {
      const wanted = new Set(values.map(key));
      for (const [id, entry] of rows) {
        if (wanted.has(id)) continue;
        entry.row.remove();
        rows.delete(id);
      }
      let before = body.firstElementChild;
      for (const value of values) {
        const id = key(value);
        if (!rows.has(id)) rows.set(id, made());
        const entry = rows.get(id);
        fill(entry, value);
        if (entry.row === before) before = before.nextElementSibling;
        else body.insertBefore(entry.row, before);
      }
      whole.hidden = values.length === 0;
      nothing.hidden = values.length > 0;
    },
  };
}

/** Up, down, Home and End go from row to row; the rows are reached by what can be pressed in them. */
export function rowKeys(body) {
  body.addEventListener("keydown", (event) => {
    const buttons = [...body.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  });
}
