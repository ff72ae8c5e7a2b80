// A connection's history as a sequence diagram. First where everything goes, by arithmetic alone; then the drawing.

import { svg } from "./dom.js";
import { duration, since } from "./words.js";

const LINE = 16; // One line of text.
const CHARACTER = 7.4; // Widest that a monospaced character of 12 px is in common fonts.
const LINES_MAX = 6; // The table has all of it.
const WIDE = 760; // From here on there is room for a margin beside the diagram.
const GAP_S = 1; // A silence this long is shown as one.
const ARROW = 7;

const isFrame = (kind) => kind === "sent" || kind === "received";

/** Breaks at spaces, and within words that are longer than a line. */
export function wrap(text, width) {
  const room = Math.max(8, Math.floor(width / CHARACTER));
  const lines = [];
  let line = "";
  for (let word of text.split(" ")) {
    while (word.length > room) {
      if (line !== "") lines.push(line);
      line = "";
      lines.push(word.slice(0, room));
      word = word.slice(room);
    }
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX - 1), `${lines[LINES_MAX - 1].slice(0, room - 2)} …`];
}

function manner({ kind, text }) {
  if (!isFrame(kind)) return ["state", "event", "order", "decision"].includes(kind) ? kind : "input";
  if (/^RST\b/.test(text)) return "rst";
  if (text.includes("| MPA") || text.includes("of an MPA")) return "mpa";
  return text.includes("| FPDU") ? "fpdu" : "tcp";
}

/** TCP's own words apart from what it carries, which is what most people look for. */
function words(text) {
  const bar = text.indexOf(" | ");
  return bar < 0 ? { carried: "", tcp: text } : { carried: text.slice(bar + 3), tcp: text.slice(0, bar) };
}

export function columns(width) {
  const wide = width >= WIDE;
  const us = wide ? Math.round(width * 0.4) : 12;
  return { width, wide, us, peer: width - (wide ? 40 : 12) };
}

/** Rows with their places, top down. */
export function layout(entries, width) {
  const place = columns(width);
  const rows = [];
  let y = 8;
  let before;
  for (const entry of entries) {
    const quiet = before === undefined ? 0 : entry.at - before;
    if (quiet >= GAP_S) {
      rows.push({ manner: "gap", y, height: 24, text: `${duration(quiet)} pass` });
      y += 24;
    }
    const when = before === undefined || since(entry.at) !== since(before) ? since(entry.at) : "";
    const row = { entry, manner: manner(entry), y, when, ...body(entry, place, when) };
    rows.push(row);
    y += row.height;
    before = entry.at;
  }
  return { place, rows, height: y + 8 };
}

function body(entry, place, when) {
  const stamp = when !== "" && !place.wide ? LINE : 0; // A narrow diagram has no column for times.
  if (isFrame(entry.kind)) {
    const room = place.peer - place.us - 28;
    const { carried, tcp } = words(entry.text);
    const lines = [
      ...(carried === "" ? [] : wrap(carried, room)).map((text) => ({ text, strong: true })),
      ...wrap(tcp, room).map((text) => ({ text, strong: carried === "" })),
    ];
    return { stamp, lines, height: stamp + lines.length * LINE + 20 };
  }
  const text = entry.kind === "state" && entry.from && entry.to ? `${entry.from} → ${entry.to}` : entry.text;
  const room = place.wide ? place.us - 108 : place.peer - place.us - 40;
  const lines = wrap(text, room).map((line) => ({ text: line }));
  return { stamp, lines, height: stamp + lines.length * LINE + (entry.kind === "state" ? 12 : 8) };
}

function text(x, y, content, attributes = {}) {
  return svg("text", { x, y, ...attributes }, content);
}

function arrow({ entry, y, height, stamp, lines }, { us, peer }) {
  const at = y + height - 10;
  const to = entry.kind === "sent" ? peer : us;
  const back = entry.kind === "sent" ? -ARROW : ARROW;
  return [
    ...lines.map((line, number) =>
      text((us + peer) / 2, y + stamp + 12 + number * LINE, line.text, { "text-anchor": "middle", class: line.strong ? "strong" : "quiet" })),
    svg("line", { class: "shaft", x1: us, y1: at, x2: peer, y2: at }),
    svg("path", { class: "head", d: `M${to} ${at}l${back} ${-ARROW / 1.6}v${ARROW * 1.25}z` }),
  ];
}

function note({ entry, y, height, stamp, lines, manner: how }, { us, wide }) {
  const middle = y + stamp + (height - stamp) / 2;
  const side = wide ? us - 16 : us + 16;
  const drawn = [];
  if (how === "state") {
    const long = Math.max(...lines.map((line) => line.text.length)) * CHARACTER + 12;
    drawn.push(svg("rect", { x: wide ? side - long + 4 : side - 4, y: y + stamp + 2, width: long, height: lines.length * LINE + 6, rx: 5 }));
  }
  lines.forEach((line, number) =>
    drawn.push(text(wide ? side - 2 : side + 2, y + stamp + (how === "state" ? 17 : 14) + number * LINE, line.text, { "text-anchor": wide ? "end" : "start" })));
  drawn.push(mark(how, us, middle));
  return drawn;
}

function mark(how, x, y) {
  if (how === "state") return svg("rect", { class: "mark", x: x - 4, y: y - 4, width: 8, height: 8 });
  if (how === "event") return svg("path", { class: "mark", d: `M${x} ${y - 6}l6 6-6 6-6-6z` });
  return svg("circle", { class: "mark", cx: x, cy: y, r: 4 });
}

function row(one, place) {
  if (one.manner === "gap") {
    return svg("g", { class: "gap" },
      svg("line", { x1: place.us, y1: one.y + 12, x2: place.peer, y2: one.y + 12 }),
      text((place.us + place.peer) / 2, one.y + 16, one.text, { "text-anchor": "middle" }));
  }
  const time = one.when === "" ? [] : [
    place.wide
      ? text(80, one.y + (isFrame(one.entry.kind) ? one.height - 6 : 14), one.when, { class: "time", "text-anchor": "end" })
      : text(place.us + 10, one.y + 12, one.when, { class: "time" }),
  ];
  return svg("g", { class: `k-${one.manner}` }, ...time, ...(isFrame(one.entry.kind) ? arrow(one, place) : note(one, place)));
}

/** The whole diagram for a history of at least one entry. */
export function draw(entries, width, label) {
  const { place, rows, height } = layout(entries, width);
  const title = svg("title", { id: "drawing-title" }, label);
  const lifeline = (x) => svg("line", { class: "life", x1: x, y1: 0, x2: x, y2: height });
  return svg("svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "drawing-title" },
    title, lifeline(place.us), lifeline(place.peer), ...rows.map((one) => row(one, place)));
}

/** The names of both ends, to stand above the diagram. */
export function heads(width, here, there) {
  const { us, peer, wide } = columns(width);
  const left = wide ? us : 0;
  return svg("svg", { width, height: 40, viewBox: `0 0 ${width} 40` },
    text(left, 15, "this node", { "text-anchor": wide ? "middle" : "start", class: "strong" }),
    text(left, 31, here, { "text-anchor": wide ? "middle" : "start" }),
    text(wide ? Math.min(peer, width - (there.length * CHARACTER) / 2) : width, 15, "peer", { "text-anchor": wide ? "middle" : "end", class: "strong" }),
    text(wide ? Math.min(peer, width - (there.length * CHARACTER) / 2) : width, 31, there, { "text-anchor": wide ? "middle" : "end" }));
}
