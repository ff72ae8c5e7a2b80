// Talks with the node: JSON by GET, and its events. What fails is told in words.

const BASE = "api/v1";
const TOKEN = "iwcm.token";
const EVENT_SIZE_MAX = 1 << 20;

/** Why there is no answer. */
export class Trouble extends Error {
  constructor(kind, words) {
    super(words);
    this.kind = kind; // "unreachable", "unauthorized", "missing" or "refused"
  }
}

export const useToken = (token) => sessionStorage.setItem(TOKEN, token);

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

function headers(accept) {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? { Accept: accept } : { Accept: accept, Authorization: `Bearer ${token}` };
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`${BASE}/${path}`, { cache: "no-store", credentials: "omit", ...options });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Trouble("unreachable", `No answer from ${location.host}.`);
  }
  if (response.ok) return response;
  const kind = { 401: "unauthorized", 403: "unauthorized", 404: "missing" }[response.status] ?? "refused";
  throw new Trouble(kind, await complaint(response));
}

async function complaint(response) {
  try {
    const problem = await response.json();
    const words = [problem.title, problem.detail].filter((part) => typeof part === "string" && part !== "");
    if (words.length > 0) return words.join(": ");
  } catch {
    // Not a problem detail: the status has to do.
  }
  return `The node answered ${response.status} ${response.statusText}`.trim() + ".";
}

export async function get(path, signal) {
  const response = await ask(path, { headers: headers("application/json"), signal });
  try {
    return await response.json();
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Trouble("refused", `What the node answered to ${path} cannot be read.`);
  }
}

/**
 * Reads events until the stream ends or is given up. EventSource cannot send a token, so this reads the stream itself.
 * Calls {@code told} with each event and its id.
 */
export async function events(lastId, told, opened, signal) {
  const extra = lastId === "" ? {} : { "Last-Event-ID": lastId };
  const response = await ask("events", { headers: { ...headers("text/event-stream"), ...extra }, signal });
  opened();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending = (pending + value).replaceAll("\r\n", "\n");
    let end;
    while ((end = pending.indexOf("\n\n")) >= 0) {
      deliver(pending.slice(0, end), told);
      pending = pending.slice(end + 2);
    }
    if (pending.length > EVENT_SIZE_MAX) throw new Trouble("refused", "An event of the node does not end.");
  }
}

function deliver(block, told) {
  let id;
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue; // A comment, sent to keep the stream alive.
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.slice(0, colon) === "id") id = value;
    if (line.slice(0, colon) === "data") data.push(value);
  }
  if (data.length > 0) told(JSON.parse(data.join("\n")), id);
}
