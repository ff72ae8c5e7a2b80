// What happens per second, from the differences of counters, with the last minute or so as a line.

import { byId, el, say, svg } from "./dom.js";
import { rate } from "./words.js";

const SAMPLES_MAX = 60;
const INTERVAL_MIN_MS = 700;
const WIDTH = 120;
const HEIGHT = 32;

const sum = (counters, wanted) =>
  counters.filter(wanted).reduce((total, counter) => total + counter.value, 0);

const cm = (...names) => (counter) => counter.group === "cm" && names.includes(counter.name.replaceAll("-", "_"));

const SOURCES = [
  {
    title: "frames", hint: "received and sent, over all links",
    total: ({ links }) => links.reduce((all, link) => all + (link.framesReceived ?? 0) + (link.framesSent ?? 0), 0),
  },
  {
    title: "connects", hint: "connections made",
    total: ({ counters }) => sum(counters, cm("hand_overs")),
  },
  {
    title: "errors", hint: "opens that failed, MPA that was broken or late",
    total: ({ counters }) => sum(counters, cm("connect_errs", "passive_errs", "mpa_malformed", "mpa_timeouts")),
  },
  {
    title: "drops", hint: "frames not used, for any reason",
    total: ({ counters }) => sum(counters, (counter) => counter.group === "drop"),
  },
];

function card({ title, hint }) {
  const number = el("span", { class: "number", id: `rate-${title}` }, "–");
  const area = svg("path", { class: "area" });
  const line = svg("path", { class: "line" });
  const spark = svg("svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "spark", "aria-hidden": "true" }, area, line);
  const most = el("span", { class: "hint" }, "");
  const element = el("div", { class: "card" },
    el("h3", {}, `${title} per second`), el("p", {}, number), spark, el("p", { class: "hint" }, hint, " ", most));
  return { element, number, area, line, most };
}

function draw({ number, area, line, most }, samples) {
  say(number, rate(samples.at(-1)));
  if (samples.length < 2) {
    area.removeAttribute("d");
    line.removeAttribute("d");
    say(most, "");
    return;
  }
  const top = Math.max(...samples);
  say(most, `(at most ${rate(top)})`);
  const points = samples.map((value, at) => {
    const x = WIDTH - ((samples.length - 1 - at) * WIDTH) / (SAMPLES_MAX - 1);
    const y = HEIGHT - 2 - (top === 0 ? 0 : (value / top) * (HEIGHT - 4));
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  line.setAttribute("d", `M${points.join("L")}`);
  area.setAttribute("d", `M${points[0].split(" ")[0]} ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z`);
}

export function rates() {
  const shown = SOURCES.map((source) => ({ ...card(source), source, samples: [] }));
  byId("rates").replaceChildren(...shown.map(({ element }) => element));
  let before;
  return {
    update(links, counters, atMs) {
      // A search asks at once, too soon after the last time to say anything about rates.
      if (before !== undefined && atMs - before.atMs < INTERVAL_MIN_MS) return;
      const totals = SOURCES.map(({ total }) => total({ links, counters }));
      if (before !== undefined) {
        shown.forEach((one, at) => {
          const difference = totals[at] - before.totals[at];
          // A counter that went back belongs to a node that has started anew.
          one.samples = difference < 0 ? [] : [...one.samples, (difference * 1000) / (atMs - before.atMs)];
          one.samples = one.samples.slice(-SAMPLES_MAX);
          draw(one, one.samples);
        });
      }
      before = { totals, atMs };
    },
    /** What passed unseen makes no rate. */
    pause() {
      before = undefined;
    },
  };
}
