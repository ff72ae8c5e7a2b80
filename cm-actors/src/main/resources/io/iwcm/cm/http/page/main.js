// The page: asks the node again and again while somebody looks, and hands each part what is its.

import { get, hasToken, Trouble, useToken } from "./api.js";
import { connections } from "./connections.js";
import { detail } from "./detail.js";
import { byId, say, show } from "./dom.js";
import { events } from "./events.js";
import { rates } from "./rates.js";
import { actors, drops, links, listeners, members } from "./tables.js";
import { duration } from "./words.js";

const AGAIN_S = 3; // After an error.
const DETAIL = /^#connection\/(\d+\.\d+)$/;

const parts = {
  rates: rates(),
  listeners: listeners(),
  links: links(),
  members: members(),
  drops: drops(),
  actors: actors(),
  events: events(),
  detail: detail(),
  connections: connections(() => again(), (id) => { location.hash = `connection/${id}`; }),
};

let timer;
let round; // What is being asked, to be given up when it no longer matters.

function node(facts) {
  const name = facts.name === "iwcm" ? "" : facts.name; // Who gave it no name need not read ours twice.
  document.title = `iwcm ${name}`.trim();
  say(byId("node-name"), name);
  say(byId("node-facts"), `version ${facts.version}, up ${duration(facts.uptime)}, ${facts.ready ? "ready" : "not ready"}`);
  parts.connections.counts(facts.connections ?? {});
}

/** A node that measures nothing has none to show. */
function actorsOf(kinds) {
  show(byId("actors"), kinds.length > 0);
  document.querySelector("nav a[href='#actors']").hidden = kinds.length === 0;
  parts.actors.update(kinds);
}

async function askAll(signal) {
  const ask = (path) => get(path, signal);
  const counted = Promise.all([ask("links"), ask("counters")]).then(([all, counters]) => {
    parts.links.update(all);
    parts.drops.update(counters);
    parts.rates.update(all, counters, performance.now());
  });
  const results = await Promise.allSettled([
    ask("node").then(node),
    counted,
    ask("listeners").then((all) => parts.listeners.update(all)),
    ask("members").then((all) => parts.members.update(all)),
    parts.connections.update(ask),
    parts.detail.update(ask),
    ask("actors").then(actorsOf),
  ]);
  const failures = results.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
  if (failures.length > 0) throw worst(failures);
}

/** A token that is missing explains everything else. */
function worst(failures) {
  return failures.find(({ kind }) => kind === "unauthorized") ?? failures.find(({ kind }) => kind === "unreachable") ?? failures[0];
}

async function again() {
  clearTimeout(timer);
  round?.abort();
  const mine = new AbortController();
  round = mine;
  let wait = Number(byId("interval").value);
  try {
    await askAll(mine.signal);
    if (mine.signal.aborted) return;
    well();
  } catch (failure) {
    if (mine.signal.aborted) return;
    ill(failure);
    // Without a token there is nothing to ask for.
    wait = wait === 0 || failure.kind === "unauthorized" ? 0 : Math.max(wait, AGAIN_S);
  }
  if (wait > 0 && !document.hidden) timer = setTimeout(again, wait * 1000);
}

function well() {
  document.body.classList.remove("stale");
  if (show(byId("problem"), false)) parts.events.begin();
  say(byId("status"), Number(byId("interval").value) === 0 ? "Not refreshed." : "Up to date.");
}

function ill(failure) {
  const trouble = failure instanceof Trouble ? failure : new Trouble("refused", "What the node answered cannot be shown.");
  if (!(failure instanceof Trouble)) console.error(failure);
  const locked = trouble.kind === "unauthorized";
  document.body.classList.add("stale");
  parts.rates.pause();
  say(byId("problem-title"), locked ? "The node wants a token" : trouble.kind === "unreachable" ? "The node cannot be reached" : "The node cannot be shown");
  say(byId("problem-text"), locked && hasToken() ? `The token was not taken. ${trouble.message}` : trouble.message);
  const opened = show(byId("token-form"), locked);
  show(byId("problem"), true);
  if (opened && locked && !byId("detail").open) byId("token").focus();
  say(byId("status"), locked ? "Waiting for a token." : "What is shown is old. Asking again.");
}

function look() {
  if (document.hidden) {
    clearTimeout(timer);
    round?.abort();
    parts.events.end();
    parts.rates.pause();
    say(byId("status"), "Paused while this tab is hidden.");
    return;
  }
  parts.events.begin();
  again();
}

function followHash() {
  const wanted = DETAIL.exec(location.hash);
  if (wanted === null) {
    parts.detail.close();
    return;
  }
  parts.detail.open(wanted[1]);
  again();
}

byId("interval").addEventListener("change", () => {
  parts.rates.pause();
  again();
});
byId("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(byId("token").value.trim());
  byId("token").value = "";
  say(byId("status"), "Asking with the token …");
  again();
});
parts.detail.onClose(() => {
  if (DETAIL.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
});
document.addEventListener("visibilitychange", look);
window.addEventListener("hashchange", followHash);

if (DETAIL.test(location.hash)) followHash();
look();
