// The node's tables: listeners, links, members, drops, actors.

import { byId, el } from "./dom.js";
import { table } from "./table.js";
import { count, duration } from "./words.js";

function mounted(place, options) {
  const made = table(options);
  byId(place).replaceChildren(made.element);
  return made;
}

/** How much of a limit is used; without a limit only the number. */
export function bar(label, used, limit) {
  if (used === undefined) return "–";
  if (!limit) return count(used);
  const full = used >= limit;
  return {
    key: `${used}/${limit}`,
    node() {
      const fill = el("span", { class: "fill" });
      fill.style.setProperty("inline-size", `${Math.min(100, (100 * used) / limit)}%`);
      const meter = el("span",
        {
          class: `bar ${full ? "full" : used >= 0.8 * limit ? "high" : ""}`, role: "meter", "aria-label": label,
          "aria-valuemin": 0, "aria-valuemax": limit, "aria-valuenow": used,
          "aria-valuetext": `${used} of ${limit}`,
        }, fill);
      return el("span", { class: "gauge" }, meter, el("span", {}, `${count(used)} of ${count(limit)}${full ? ", full" : ""}`));
    },
  };
}

/** A row for each child; a listener without one has a row all the same. */
function places(listener) {
  const children = listener.children ?? [];
  if (children.length === 0) return [{ listener, place: { address: listener.address, port: listener.port, vlan: listener.vlan } }];
  return children.map((place) => ({ listener, place }));
}

const vlan = (id) => (id > 0 ? String(id) : "–");

export function listeners() {
  const made = mounted("listeners-table", {
    caption: "Listeners, a row for each address they listen on",
    empty: "Nobody listens.",
    key: ({ listener, place }) => `${listener.id} ${place.address} ${place.port} ${place.vlan}`,
    columns: [
      { head: "Listener", cell: ({ listener }) => String(listener.id) },
      { head: "Address", cell: ({ listener, place }) => (place.address === listener.address ? place.address : `${place.address} (by ${listener.address})`) },
      { head: "Port", numeric: true, cell: ({ place }) => String(place.port) },
      { head: "VLAN", numeric: true, cell: ({ place }) => vlan(place.vlan) },
      { head: "Half-open", cell: ({ listener, place }) => bar("Half-open", place.halfOpen, listener.synBacklog) },
      { head: "Waiting", cell: ({ listener, place }) => bar("Waiting", place.waiting, listener.backlog) },
      { head: "Answer", cell: ({ listener }) => listener.answer },
      { head: "Origin", cell: ({ listener }) => listener.origin ?? "–" },
      { head: "Lease left", cell: ({ listener }) => (listener.leaseLeft === undefined ? "none" : duration(listener.leaseLeft)) },
    ],
  });
  return { update: (all) => made.update(all.flatMap(places)) };
}

const dropped = (drops = {}) => Object.values(drops).reduce((total, value) => total + value, 0);

export function links() {
  return mounted("links-table", {
    caption: "Links, their addresses and what passed",
    empty: "There is no link.",
    key: ({ name }) => name,
    columns: [
      { head: "Link", cell: ({ name }) => name },
      { head: "State", cell: ({ up }) => ({ key: String(up), node: () => el("span", { class: up ? "good" : "bad" }, up ? "up" : "down") }) },
      { head: "Kind", cell: ({ kind }) => kind },
      { head: "MAC", cell: ({ mac }) => mac },
      { head: "MTU", numeric: true, cell: ({ mtu }) => count(mtu) },
      { head: "Addresses", cell: ({ addresses = [] }) => addresses.map(({ address, prefixLength, vlan: id }) => `${address}/${prefixLength}${id > 0 ? ` on VLAN ${id}` : ""}`).join(", ") || "none" },
      { head: "Received", numeric: true, cell: ({ framesReceived }) => count(framesReceived) },
      { head: "Sent", numeric: true, cell: ({ framesSent }) => count(framesSent) },
      { head: "Dropped", numeric: true, cell: ({ drops }) => count(dropped(drops)) },
    ],
  });
}

export function members() {
  return mounted("members-table", {
    caption: "Members of the cluster",
    empty: "There are no members.",
    key: ({ address }) => address,
    columns: [
      { head: "Member", cell: ({ address, self }) => (self ? `${address} (this node)` : address) },
      { head: "Status", cell: ({ status }) => status },
      { head: "Roles", cell: ({ roles = [] }) => roles.join(", ") || "none" },
    ],
  });
}

/** Only what was counted, the most frequent first. */
export function drops() {
  const made = mounted("drops-table", {
    caption: "Frames that were not used",
    empty: "No frame was dropped.",
    key: ({ name }) => name,
    columns: [
      { head: "Reason", cell: ({ name }) => name.toLowerCase().replaceAll("_", "-") },
      { head: "Frames", numeric: true, cell: ({ value }) => count(value) },
      { head: "Meaning", cell: ({ sentence }) => sentence },
    ],
  });
  return {
    update: (counters) =>
      made.update(counters
        .filter(({ group, value }) => group === "drop" && value > 0)
        .sort((one, other) => other.value - one.value || (one.name < other.name ? -1 : 1))),
  };
}

const timing = (part) => (part === undefined || !part.samples ? "–" : `${fine(part.p50)} / ${fine(part.p99)} / ${fine(part.max)}`);

function fine(seconds) {
  if (seconds === undefined) return "–";
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

export function actors() {
  return mounted("actors-table", {
    caption: "Actors by kind; times are of half of the messages, of 99 %, and the longest",
    empty: "No actor is counted.",
    key: ({ kind }) => kind,
    columns: [
      { head: "Kind", cell: ({ kind }) => kind },
      { head: "Live", numeric: true, cell: ({ live }) => count(live) },
      { head: "Started", numeric: true, cell: ({ started }) => count(started) },
      { head: "Stopped", numeric: true, cell: ({ stopped }) => count(stopped) },
      { head: "Failed", numeric: true, cell: ({ failed }) => ({ key: String(failed), node: () => el("span", { class: failed > 0 ? "bad" : "" }, count(failed)) }) },
      { head: "Messages", numeric: true, cell: ({ messages }) => count(messages) },
      { head: "Mailbox", numeric: true, cell: ({ mailboxDepth }) => count(mailboxDepth) },
      { head: "Processing", numeric: true, cell: ({ processing }) => timing(processing) },
      { head: "In mailbox", numeric: true, cell: ({ inMailbox }) => timing(inMailbox) },
    ],
  });
}
