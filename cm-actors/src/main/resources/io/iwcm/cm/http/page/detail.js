// One connection: its facts, its history as a diagram, and the same as a table.

import { byId, el, say, show } from "./dom.js";
import { draw, heads } from "./sequence.js";
import { table } from "./table.js";
import { cause, clock, depths, duration, endpoint, octets, since } from "./words.js";

function facts(connection) {
  return [
    ["State", connection.state],
    ["Role", connection.role],
    ["Here", endpoint(connection.local)],
    ["Peer", endpoint(connection.remote)],
    ["VLAN", connection.vlan > 0 ? String(connection.vlan) : "none"],
    ["Listener", connection.listener === undefined ? undefined : String(connection.listener)],
    ["Started", connection.started === undefined ? undefined : clock(connection.started)],
    ["Age", duration(connection.age)],
    ["Ended", connection.ended === undefined ? undefined : clock(connection.ended)],
    ["Cause", connection.cause === undefined ? undefined : cause(connection.cause) || "none: in order"],
    ["MPA revision", connection.revision === undefined ? undefined : String(connection.revision)],
    ["Depths", connection.depths === undefined ? undefined : depths(connection.depths)],
    ["Peer's depths", connection.peerDepths === undefined ? undefined : depths(connection.peerDepths)],
    ["Peer's private data", octets(connection.privateData)],
  ].filter(([, value]) => value !== undefined && value !== null);
}

export function detail() {
  const dialog = byId("detail");
  const lines = table({
    caption: "What happened, line by line",
    empty: "Nothing is kept.",
    key: ({ number }) => String(number),
    columns: [
      { head: "After", numeric: true, cell: ({ at }) => since(at) },
      { head: "Kind", cell: ({ kind }) => kind },
      { head: "What", cell: ({ text }) => text },
    ],
  });
  byId("sequence-table").replaceChildren(lines.element);
  byId("detail-close").addEventListener("click", () => dialog.close());
  // A press beside the dialog reaches the dialog itself.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  let shown = "";
  let drawn = "";
  let latest;

  function picture(connection) {
    const width = byId("sequence").clientWidth;
    const history = connection.history;
    const now = `${connection.id} ${width} ${history.length} ${connection.forgotten ?? 0} ${history.at(-1)?.at}`;
    if (width === 0 || now === drawn) return;
    drawn = now;
    const here = endpoint(connection.local);
    const there = endpoint(connection.remote);
    const label = `Sequence diagram of ${history.length} lines between this node, ${here}, and its peer, ${there}; the table below has the same`;
    byId("sequence-head").replaceChildren(heads(width, here, there));
    const forgotten = connection.forgotten ? [el("p", { class: "hint" }, `${connection.forgotten} earlier lines are no longer kept.`)] : [];
    const diagram = history.length === 0 ? el("p", { class: "empty" }, "Nothing is kept.") : draw(history, width, label);
    byId("sequence").replaceChildren(...forgotten, diagram);
  }

  function tell(connection) {
    latest = connection;
    say(byId("detail-title"), `Connection ${connection.id}`);
    const list = facts(connection);
    const said = JSON.stringify(list.filter(([name]) => name !== "Age"));
    const place = byId("detail-facts");
    if (place.dataset.said !== said) {
      place.dataset.said = said;
      place.replaceChildren(el("dl", {}, ...list.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { "data-fact": name }, value)))));
    } else {
      say(place.querySelector("[data-fact=Age]"), duration(connection.age));
    }
    picture(connection);
    lines.update(connection.history.map((entry, at) => ({ ...entry, number: at + (connection.forgotten ?? 0) })));
  }

  new ResizeObserver(() => {
    if (latest !== undefined) picture(latest);
  }).observe(byId("sequence"));

  return {
    open(id) {
      if (dialog.open && shown === id) return;
      shown = id;
      drawn = "";
      latest = undefined;
      say(byId("detail-title"), `Connection ${id}`);
      for (const place of ["detail-facts", "sequence", "sequence-head"]) byId(place).replaceChildren();
      delete byId("detail-facts").dataset.said;
      lines.update([]);
      show(byId("detail-problem"), false);
      if (!dialog.open) dialog.showModal();
      byId("detail-title").focus();
    },
    close: () => dialog.close(),
    onClose: (told) => dialog.addEventListener("close", () => {
      shown = "";
      latest = undefined;
      told();
    }),
    /** Asks again; one that has ended tells nothing new. */
    async update(get) {
      const id = shown;
      if (id === "" || (latest !== undefined && latest.ended !== undefined && latest.ended !== null)) return;
      try {
        const connection = await get(`connections/${encodeURIComponent(id)}`);
        if (shown !== id) return;
        show(byId("detail-problem"), false);
        tell(connection);
      } catch (trouble) {
        if (trouble.kind === undefined) throw trouble;
        say(byId("detail-problem"), trouble.kind === "missing" ? `There is no connection ${id}, or it is no longer kept.` : trouble.message);
        show(byId("detail-problem"), true);
        if (trouble.kind !== "missing" && trouble.kind !== "refused") throw trouble;
      }
    },
  };
}
