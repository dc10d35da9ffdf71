// Notice: it is your turn somewhere, or you are offline. A badge on the tab's icon always; a soft sound and notifications when asked for.
"use strict";
{
const body = document.body.dataset;
const icon = document.querySelector("link[rel=icon]"), plain = icon.getAttribute("href");

// The tab's icon tells of this page. The app's tells of all tables that wait: a table's page knows its own, and of the others what was kept.
// Each table is kept by itself: of two pages that write at the same moment neither knows yet what the other has written.
const WAITS = "recollect.wait.", lit = () => Object.keys(localStorage).filter((key) => key.startsWith(WAITS));
const keep = (id, waits) => (waits ? localStorage.setItem(WAITS + id, "1") : localStorage.removeItem(WAITS + id));
function count() {
  const many = lit().length;
  if (navigator.setAppBadge) (many ? navigator.setAppBadge(many) : navigator.clearAppBadge()).catch(() => {});
}
function badge(here) {
  const href = here ? "/static/icon-turn.svg" : plain;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
  count();
}
addEventListener("storage", ({ key }) => { if (key === null || key.startsWith(WAITS)) count(); });

// Two soft notes. A browser plays nothing before somebody has touched the page: then it is silent, and so are we.
let audio;
async function ring() {
  if (prefs.sound !== "on") return;
  audio ??= new AudioContext();
  await Promise.race([audio.resume(), new Promise((late) => { setTimeout(late, 500); })]);
  if (audio.state !== "running") return;                         // and it is not made up for at the first touch, when the turn may be over
  [[523, 0], [784, 0.16]].forEach(([pitch, at]) => {
    const tone = audio.createOscillator(), gain = audio.createGain(), from = audio.currentTime + at;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(0.07, from + 0.03);
    gain.gain.exponentialRampToValueAtTime(0.0005, from + 0.9);
    tone.connect(gain).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 1);
  });
}
async function notify(title, url, renotify) {
  if (prefs.notify !== "on" || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const about = { body: "Recollect", icon: "/static/icon-192.png", tag: url, data: url, renotify };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(title, about);
  const note = new Notification(title, about);
  note.onclick = () => { window.focus(); location.href = url; };
}
// A reminder calls again though the first call still lies there; what has been answered lies there no longer, or the next turn would come unheard.
function turn(title, url, again = false) { ring(); notify(title, url, again); }
async function answered(...urls) {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const note of (await worker?.getNotifications()) ?? []) if (urls.includes(note.tag)) note.close();
}

document.addEventListener("preferred", async ({ detail: name }) => {
  if (name === "sound") ring();
  if (name !== "notify" || prefs.notify !== "on") return;
  const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (allowed) return;
  prefer("notify", "off");
  document.querySelectorAll("[data-pref=notify]").forEach((input) => { input.checked = input.value === "off"; });
  document.getElementById("notify-no").hidden = false;
});

// At a table the title says whose turn it is.
const title = document.querySelector("title");
let mine = false;
function look() {
  const now = document.title.startsWith(body.yours);
  if (now && !mine) turn(document.title.replace(/ · Recollect$/, ""), location.pathname);
  if (mine && !now) answered(location.pathname);
  mine = now;
  keep(location.pathname.split("/")[2], now);
  badge(now);
}
document.addEventListener("asked", ({ detail: what }) => turn(what, location.pathname));
document.addEventListener("reminded", () => turn(document.title.replace(/ · Recollect$/, ""), location.pathname, true));
// Who waits for players behind other pages is told that the game has begun.
const waits = () => Boolean(document.querySelector("#live.lobby"));
let lobby = waits();
document.addEventListener("heard", () => {
  if (lobby && !waits() && !document.title.startsWith(body.yours)) turn(`${body.begins} · ${document.title.replace(/ · Recollect$/, "")}`, location.pathname);
  lobby = waits();
});
if (body.yours && body.socket) new MutationObserver(look).observe(title, { childList: true });

// The start page: its lists come whenever something changes. It knows all tables that wait.
function all(ids) {
  const over = lit().map((key) => key.slice(WAITS.length)).filter((id) => !ids.includes(id));
  for (const id of over) keep(id, false);
  answered(...over.map((id) => `/t/${id}`));
  for (const id of ids) keep(id, true);
  badge(ids.length);
}
let before = null, retry = 0, away = false, full = "", socket, heard = 0;
function hall() {
  const url = new URL(body.hall, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  socket = new WebSocket(url);
  heard = performance.now();
  socket.onopen = () => { retry = 0; away = false; say(); };
  socket.onmessage = ({ data }) => { heard = performance.now(); hear(JSON.parse(data)); };
  socket.onclose = ({ code }) => {
    if (code >= 4000) return say();
    away = retry > 0;                                            // once is nothing: it was there a moment ago
    say();
    setTimeout(hall, Math.min(30000, 500 * 2 ** retry++));
  };
}
// What stays is the same element: a finger that is on it, the focus, and what was unfolded are kept.
function list(id, html) {
  Idiomorph.morph(document.getElementById(id), html, { morphStyle: "outerHTML", restoreFocus: true, callbacks: { beforeAttributeUpdated: (name) => name !== "open" } });
}
function hear(message) {
  if (full !== (message.full ?? "")) { full = message.full ?? ""; say(); }
  if (message.open !== undefined) list("open", message.open);
  if (message.mine === undefined) return;
  list("mine", message.mine);
  hours();
  const calls = { ...message.decide };                           // what waits for somebody here, by its table
  for (const id in message.turns) calls[id] = `${body.yours} · ${message.turns[id]}`;
  const ids = Object.keys(calls), due = new Set([...ids.map((id) => id + calls[id]), ...message.soon.map((id) => `soon ${id}`)]);
  const fresh = before === null ? [] : ids.filter((id) => !before.has(id + calls[id]) || (message.soon.includes(id) && !before.has(`soon ${id}`)));
  const known = before;
  before = due;
  all(ids);
  document.title = ids.length ? `(${ids.length}) Recollect` : "Recollect";
  for (const id of fresh) turn(calls[id], `/t/${id}`, known.has(id + calls[id]));
}
// A page too many says so, and tries again when somebody looks at it.
document.addEventListener("visibilitychange", () => { if (full && body.hall && !document.hidden && socket.readyState === WebSocket.CLOSED) hall(); });
// Somebody speaks there every 20 seconds: a connection that died without a word is left for another.
function again() {
  if (performance.now() - heard < 45000 || socket.readyState > WebSocket.OPEN) return;
  socket.onmessage = socket.onclose = null;
  socket.close();
  hall();
}

// Offline: said at once, and when it is over the page goes on. So it is when the house is not there, whose lists are then old.
const told = document.getElementById("offline"), offline = told.textContent;
function say() {
  told.textContent = navigator.onLine ? full || body.lost : offline;
  told.hidden = navigator.onLine && !away && !full;
}
for (const kind of ["online", "offline"]) addEventListener(kind, say);
say();
if (body.hall) { all([...document.querySelectorAll("#mine [data-turn]")].map((el) => el.dataset.turn)); hall(); setInterval(again, 5000); }
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service.js").catch(() => {});
}
