// Connections by state, searched and filtered by the node.

import { byId, el, say, show } from "./dom.js";
import { rowKeys, table } from "./table.js";
import { cause, count, depths, duration, endpoint } from "./words.js";

const PAGE = 100;
const SHOWN_MAX = 1000;
const TYPING_MS = 150;
const STATES = [
  "INITED", "SYN_SENT", "SYN_RCVD", "ESTABLISHED", "MPAREQ_SENT", "MPAREQ_RCVD", "MPAREJ_RCVD", "OFFLOADED",
  "FIN_WAIT1", "FIN_WAIT2", "CLOSING", "CLOSE_WAIT", "LAST_ACK", "TIME_WAIT", "LISTENING", "LISTENER_DESTROYED", "CLOSED",
];
const PORT_MAX = 65535;
const ID = /^\d+\.\d+$/;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*|\[[0-9a-f:.]+\](:\d{1,5})?)$/i;

/** A search as the node's filters. */
export function understood(search) {
  const text = search.trim();
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= PORT_MAX) return { port: text };
  if (ADDRESS.test(text)) return { address: text };
  return text === "" ? {} : { text };
}

function link(id) {
  return { key: id, node: () => el("button", { type: "button", class: "open", "data-connection": id, "aria-haspopup": "dialog" }, id) };
}

function state(connection) {
  const why = cause(connection.cause);
  return {
    key: `${connection.state} ${why}`,
    node: () => el("span", {}, el("span", { class: `state s-${connection.state}` }, connection.state), why === "" ? "" : ` ${why}`),
  };
}

function chips(place, changed) {
  const pressed = new Set();
  const buttons = new Map();
  return {
    pressed,
    update(counts) {
      const names = [...STATES, ...Object.keys(counts).filter((name) => !STATES.includes(name))];
      for (const name of names) {
        const number = counts[name] ?? 0;
        if (!buttons.has(name) && number === 0) continue;
        if (!buttons.has(name)) {
          const button = el("button", { type: "button", class: "chip", "aria-pressed": "false", "data-state": name });
          button.addEventListener("click", () => {
            if (!pressed.delete(name)) pressed.add(name);
            button.setAttribute("aria-pressed", String(pressed.has(name)));
            changed();
          });
          buttons.set(name, button);
          const after = names.slice(names.indexOf(name) + 1).map((later) => buttons.get(later)).find(Boolean);
          place.insertBefore(button, after ?? null);
        }
        say(buttons.get(name), `${name} ${count(number)}`);
      }
    },
  };
}

/** @param changed is called when something else is looked for */
export function connections(changed, open) {
  const made = table({
    caption: "Connections, newest first",
    empty: "There is none.",
    key: ({ id }) => id,
    columns: [
      { head: "Connection", cell: ({ id }) => link(id) },
      { head: "State", cell: state },
      { head: "Role", cell: ({ role }) => role },
      { head: "Here", cell: ({ local }) => endpoint(local) },
      { head: "Peer", cell: ({ remote }) => endpoint(remote) },
      { head: "VLAN", numeric: true, cell: ({ vlan }) => (vlan > 0 ? String(vlan) : "–") },
      { head: "Depths", cell: ({ depths: pair }) => depths(pair) },
      { head: "Age", numeric: true, cell: ({ age }) => duration(age) },
    ],
  });
  byId("connections-table").replaceChildren(made.element);
  rowKeys(made.body);
  made.body.addEventListener("click", (event) => {
    const button = event.target.closest("button.open");
    if (button !== null) open(button.dataset.connection);
  });

  let limit = PAGE;
  const again = () => {
    limit = PAGE;
    changed();
  };
  const states = chips(byId("states"), again);
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  let typing;
  byId("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(again, TYPING_MS);
  });
  byId("role").addEventListener("change", again);
  byId("ended").addEventListener("change", again);
  byId("more").addEventListener("click", () => {
    limit = Math.min(SHOWN_MAX, limit + PAGE);
    changed();
  });

  return {
    counts: (byState) => states.update(byState),
    async update(get) {
      const search = byId("search").value.trim();
      const query = new URLSearchParams({ ...understood(search), ended: byId("ended").value });
      if (byId("role").value !== "") query.set("role", byId("role").value);
      for (const name of states.pressed) query.append("state", name);
      const { all, more } = await pages(get, query, limit);
      const found = all.length === 0 && ID.test(search) ? await one(get, search) : all;
      made.update(found);
      say(byId("found"), summary(found.length, more));
      show(byId("more"), more && limit < SHOWN_MAX);
    },
  };
}

/** As many as are wanted, in pages as large as the node likes them. */
async function pages(get, query, wanted) {
  const all = [];
  let next;
  do {
    if (next !== undefined) query.set("after", next);
    const page = await get(`connections?${query}`);
    all.push(...page.connections);
    next = page.next ?? undefined;
  } while (next !== undefined && all.length < wanted);
  return { all: all.slice(0, wanted), more: next !== undefined || all.length > wanted };
}

/** What the filters hide is found by its whole id all the same. */
async function one(get, id) {
  try {
    return [await get(`connections/${id}`)];
  } catch (trouble) {
    if (trouble.kind === "missing") return [];
    throw trouble;
  }
}

function summary(shown, more) {
  if (more && shown >= SHOWN_MAX) return `The newest ${count(SHOWN_MAX)} are shown; search for the others.`;
  const number = shown === 1 ? "1 connection" : `${count(shown)} connections`;
  return more ? `${number}; there are more.` : `${number}.`;
}
