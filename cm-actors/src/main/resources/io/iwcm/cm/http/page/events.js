// What applications are told, as it comes, the newest first.

import { events as read } from "./api.js";
import { byId, el, say } from "./dom.js";
import { cause, clock, count, depths, endpoint, octets } from "./words.js";

const KEPT = 200;
const AGAIN_MS = 3000;

function about(event) {
  if (event.type === "gap") return [`${count(event.missed)} events were missed`];
  const parts = [];
  if (event.connection) parts.push(`${endpoint(event.connection.local)} – ${endpoint(event.connection.remote)}`);
  if (event.listener !== undefined) parts.push(`listener ${event.listener}`);
  if (cause(event.cause) !== "") parts.push(cause(event.cause));
  if (event.depths) parts.push(depths(event.depths));
  if (event.privateData) parts.push(`private data ${octets(event.privateData)}`);
  return parts;
}

function line(event) {
  const id = event.connection?.id;
  return el("li", {},
    el("time", { datetime: event.at }, clock(event.at)), " ",
    el("strong", { class: cause(event.cause) !== "" ? "bad" : "" }, event.type), " ",
    id === undefined ? "" : el("a", { href: `#connection/${encodeURIComponent(id)}` }, id), " ",
    el("span", {}, about(event).join(", ")));
}

export function events() {
  const list = byId("events-list");
  let stream;
  let timer;
  let lastId = "";

  function told(event, id) {
    if (id !== undefined) lastId = id;
    list.prepend(line(event));
    while (list.children.length > KEPT) list.lastElementChild.remove();
  }

  async function follow(mine) {
    try {
      await read(lastId, told, () => say(byId("events-state"), "Shown as they come."), mine.signal);
      say(byId("events-state"), "The stream has ended; asking again.");
    } catch (failure) {
      if (mine.signal.aborted) return;
      say(byId("events-state"), `No events for now. ${failure.kind === undefined ? "The stream broke off." : failure.message}`);
    }
    if (stream === mine) timer = setTimeout(begin, AGAIN_MS);
  }

  function begin() {
    end();
    stream = new AbortController();
    follow(stream);
  }

  function end() {
    clearTimeout(timer);
    stream?.abort();
    stream = undefined;
  }

  return { begin, end };
}
