// Numbers, times and octets for people.

const WHOLE = new Intl.NumberFormat("en");

export const count = (number) => (number === undefined ? "–" : WHOLE.format(number));

export function rate(perSecond) {
  if (perSecond === undefined) return "–";
  return perSecond >= 100 || Number.isInteger(perSecond) ? WHOLE.format(Math.round(perSecond)) : perSecond.toFixed(1);
}

/** A duration in its two largest units. */
export function duration(seconds) {
  if (seconds === undefined) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
  const whole = Math.floor(seconds);
  const days = Math.floor(whole / 86400);
  const hours = Math.floor(whole / 3600) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${whole % 60} s`;
}

/** When something happened, from the start of its connection. */
export function since(seconds) {
  if (seconds < 0.0000005) return "0 ms";
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.1 ? 2 : 1)} ms`;
  return `${seconds.toFixed(3)} s`;
}

export function clock(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? String(iso) : time.toLocaleTimeString("en-GB");
}

export function endpoint(end) {
  if (end === undefined || end === null) return "–";
  return end.address.includes(":") ? `[${end.address}]:${end.port}` : `${end.address}:${end.port}`;
}

export const depths = (pair) => (pair === undefined ? "–" : `IRD ${pair.ird}, ORD ${pair.ord}`);

/** Octets as text when all of them are printable ASCII, else in hex. */
export function octets(base64) {
  if (!base64) return "none";
  let bytes;
  try {
    bytes = atob(base64);
  } catch {
    return "unreadable";
  }
  if (/^[ -~]+$/.test(bytes)) return `"${bytes}"`;
  return "0x" + Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** A cause for people; nothing when all went in order. */
export const cause = (name) => (!name || name === "NONE" ? "" : name.toLowerCase().replaceAll("_", " "));
