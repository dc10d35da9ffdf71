// The live table. The server renders what this seat sees; this script asks it to act, swaps the new page in by
// element id, and animates what turned or travelled. No rule and no state of the game lives here. It is loaded before the
// board is drawn, so that no click comes too early.
"use strict";

const words = document.body.dataset;
const live = () => document.getElementById("live");
const whose = () => Number(live().dataset.seat ?? -1);
const notice = document.getElementById("notice");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ── the wire ──────────────────────────────────────────────────────────────────────────────────────────────────
let socket, retry = 0, lastHeard = 0;
let waiting = null;                 // an action sent or to be sent, until the server has answered it
let full = "";                      // why the house has no room for this page: it comes again when somebody looks at it
let again = 0, asked = 0;           // how often it was sent anew, and when last

function connect() {
  const url = new URL(words.socket, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  if (document.hidden) url.searchParams.set("away", "1");
  if (had !== null) url.searchParams.set("had", had);      // what was shown here for its time is not shown again, whoever answers now
  socket = new WebSocket(url);
  lastHeard = performance.now();
  socket.onopen = () => { retry = 0; lastHeard = performance.now(); say(full); resend(); };
  socket.onmessage = (event) => { lastHeard = performance.now(); hear(JSON.parse(event.data)); };
  socket.onclose = lost;
}
function lost(event) {
  stopShowing();
  if (event?.code === 4404) return location.reload();       // the table is gone: its address says so
  if (full) return say(full);
  say(waiting ? words.kept : navigator.onLine ? words.lost : "");            // that one is offline is said already
  setTimeout(connect, Math.min(3000, 250 * 2 ** retry++));
}
function resend() {
  if (waiting && again++ < 3) send(waiting);
  else if (waiting) { waiting = null; say(words.lost); setTimeout(() => say(""), 5000); }
}
const say = (text) => { notice.textContent = text; notice.toggleAttribute("data-kept", text === words.kept); };
const online = () => socket && socket.readyState === WebSocket.OPEN;
function send(message) {
  if (!online()) return false;
  if (message === waiting) asked = performance.now();
  socket.send(JSON.stringify(message));
  return true;
}
// What no page comes of is not kept when the connection is lost; before there was one, it is sent as soon as there is.
function speakTo(message) {
  if (send(message)) return true;
  if (have || !words.socket) { say(words.lost); return false; }
  document.addEventListener("heard", () => send(message), { once: true });
  return true;
}

function hear(message) {
  if (full !== (message.full ?? "")) say(full = message.full ?? "");
  if (message.html !== undefined) show(message);
  else if (message.parts !== undefined && message.after === have) show(message);
  else if (message.parts !== undefined) return socket.close();               // something was missed: all of it comes with a new socket
  if (message.k !== undefined) have = message.k;
  if (message.done !== undefined && waiting && message.done === waiting.id) answered();
  if (message.why !== undefined && !message.beside) { done = null; (message.house ? tellOfHouse : tell)(message.why); }
  if (message.go !== undefined) location.href = message.go;
  document.dispatchEvent(new CustomEvent("heard", { detail: message }));
}

// A click is never lost silently: it waits, visibly, until the server has answered. One action at a time: a second of the
// kind on the same page is a slip, but one on the page that came since (its answer still under way) is kept for its turn.
// What was answered while its page is still on the way is a slip too.
let ids = Date.now(), later = null, done = null;
function ask(message) {
  const n = Number(live().dataset.n);
  if (!waiting && n === done) return;
  if (waiting) { if (n !== waiting.n || message.do !== waiting.do) later = { ...message, n }; return; }
  put({ ...message, n });
}
function put(message) {
  waiting = { ...message, id: ++ids };
  again = 0;
  if (!send(waiting)) say(full || words.kept);
}
function answered() {
  done = waiting.do === "act" ? waiting.n : null;
  setTimeout(() => { done = null; }, 1000);
  waiting = null;
  if (later) { const next = later; later = null; put(next); }
}

// The answer to something that is not allowed now, in the place of the sentence that says what to do.
let whyTimer;
function tell(text) {
  const why = document.getElementById("why");
  if (!why) return say(text);
  answerWith(why, text);
  clearTimeout(whyTimer);
  whyTimer = setTimeout(() => { why.textContent = ""; }, 8000);
}
// What the house cannot do just now, or can again: no rule says why, and it is longer than the place of a sentence.
let houseTimer;
function tellOfHouse(text) {
  say(text);
  clearTimeout(houseTimer);
  houseTimer = setTimeout(() => { if (notice.textContent === text) say(full); }, 10000);
}
// An answer leads to the rules of what is on the table; the rules say the answer, and lead back.
let whyNot = "";
function answerWith(why, text) {
  whyNot = why.textContent = text;
  const rules = Object.assign(document.createElement("button"), { type: "button", className: "why-rules", textContent: words.rules });
  rules.dataset.open = "rules";
  if (text && document.getElementById("rules")) why.append(" ", rules);
}
function openRules(from) {
  const dialog = document.getElementById("rules"), why = document.getElementById("rules-why");
  const there = dialog.querySelector(`#rules-${live().dataset.rules || "none"}`);
  why.hidden = !from.matches(".why-rules");
  why.querySelector("span").textContent = whyNot;
  dialog.querySelectorAll("h3[aria-current]").forEach((title) => title.removeAttribute("aria-current"));
  dialog.showModal();
  fetchInto(dialog);
  there?.setAttribute("aria-current", "true");
  there?.scrollIntoView();
  there?.focus({ preventScroll: true });
}

// ── showing: swap the page in, then animate the difference ───────────────────────────────────────────────────
// All of it, or the parts that changed, each an element by its id.
let have = 0;                       // the number of the page that is here
function swaps(message) {
  if (message.html !== undefined) return [[live(), parsed(live(), message.html)]];
  const elements = Object.entries(message.parts).map(([id, html]) => [document.getElementById(id), html]).filter(([old]) => old);
  return elements.map(([old, html]) => [old, parsed(old, html)]);
}
function parsed(place, html) {
  const range = document.createRange();
  range.selectNode(place);                                                  // what is inside a drawing is read as a drawing
  return range.createContextualFragment(html).firstElementChild;
}
function show(message) {
  const pairs = swaps(message);
  const still = calm.matches || document.hidden;
  const before = still ? null : remember(pairs.map(([, next]) => next));
  if (message.title) document.title = message.title;
  const said = document.getElementById("why")?.firstChild?.textContent, n = live().dataset.n, here = document.activeElement, at = centre(here);
  for (const [old, next] of pairs) Idiomorph.morph(old, next, { morphStyle: "outerHTML", restoreFocus: true });
  if (message.live !== undefined) dress(live(), parsed(live(), message.live));
  const why = document.getElementById("why");
  if (why && said && live().dataset.n === n) answerWith(why, said);       // somebody came or went: an answer stays
  keepFocus(here, at);
  light([...document.querySelectorAll("[data-light]:is(:hover, :focus-visible)")].at(-1));      // what was pointed at may have gone, or speak of other things now
  tell_time(true);
  if (before) animate(before);
  numberSteps();
  waitShown(message);
  goOn(message);
}

// Focus stays on the board: where what had it is gone or can have it no longer, the nearest thing to do has it, else what is said.
function keepFocus(was, at) {
  const here = document.activeElement;
  if (was === document.body || (here !== document.body && focusable(here))) return;
  const there = document.getElementById(was.id) ?? document.querySelector(`.lobby [data-fill="${was.dataset.fill}"]`);   // of the same seat
  const far = (el) => { const to = centre(el); return Math.hypot(to.x - at.x, to.y - at.y); };
  const ways = [...document.querySelectorAll("#live [data-act], #do-sit")].filter(focusable).sort((a, b) => far(a) - far(b));
  (there && focusable(there) ? there : ways[0] ?? document.getElementById("say"))?.focus({ preventScroll: true });
}
const focusable = (el) => el.getClientRects().length > 0 && (el.tabIndex >= 0 || el.hasAttribute("tabindex"));

function dress(el, next) {
  for (const { name } of [...el.attributes]) if (name !== "style" && !next.hasAttribute(name)) el.removeAttribute(name);
  for (const { name, value } of next.attributes) el.setAttribute(name, value);
}

// Before the swap: where the pieces lie that will travel, and the old side of each card that will turn.
function remember(coming) {
  const box = new Map(), turned = new Map();
  const note = (id) => { const el = document.getElementById(id); if (el && !box.has(id)) box.set(id, el.getBoundingClientRect()); };
  const all = (what) => coming.flatMap((next) => [...(next.matches(what) ? [next] : []), ...next.querySelectorAll(what)]);
  document.querySelectorAll("[data-move]").forEach((el) => note(el.id));
  all("[data-from]").forEach((el) => el.dataset.from.split(" ").forEach(note));
  all("[data-face]").forEach((el) => {
    const old = document.getElementById(el.id);
    if (old && !el.dataset.from && old.dataset.face && old.dataset.face !== el.dataset.face) turned.set(el.id, old.cloneNode(true));
  });
  return { box, turned, n: live().dataset.n };
}

function animate({ box, turned, n }) {
  if (live().dataset.n === n) return;
  document.querySelectorAll("[data-from]").forEach((el) => {        // it came from there in the last move
    const from = el.dataset.from.split(" ").find((id) => box.has(id));
    if (from) travel(el, box.get(from), 520);
  });
  document.querySelectorAll("[data-move]").forEach((el) => { if (box.has(el.id) && !el.dataset.from) travel(el, box.get(el.id), 380); });
  for (const [id, old] of turned) turn(document.getElementById(id), old);
}

function travel(el, from, time) {
  const to = el.getBoundingClientRect();
  const dx = from.x + from.width / 2 - to.x - to.width / 2, dy = from.y + from.height / 2 - to.y - to.height / 2;
  if (!from.width || !to.width || Math.abs(dx) + Math.abs(dy) < 2) return;   // what was not drawn comes from nowhere
  const grow = Math.min(3, from.width / to.width || 1);
  el.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${grow})`, zIndex: 9 }, { transform: "none", zIndex: 9 }],
    { duration: time, easing: "cubic-bezier(.3, .7, .2, 1)" });
}

// A card turns: the old side swings away, the new one comes round.
function turn(el, old) {
  if (!el) return;
  const half = 190, depth = "perspective(700px)";
  old.removeAttribute("id");
  old.removeAttribute("data-act");
  old.removeAttribute("data-try");
  old.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  old.setAttribute("aria-hidden", "true");
  old.inert = true;
  Object.assign(old.style, { position: "absolute", inset: "0", width: "100%", height: "100%", margin: "0", pointerEvents: "none" });
  const shell = document.createElement("span");
  Object.assign(shell.style, { position: "absolute", left: el.offsetLeft + "px", top: el.offsetTop + "px", width: el.offsetWidth + "px", height: el.offsetHeight + "px", zIndex: 3, pointerEvents: "none" });
  shell.append(old);
  el.parentElement.append(shell);
  const away = shell.animate([{ transform: `${depth} rotateY(0)` }, { transform: `${depth} rotateY(90deg)` }], { duration: half, easing: "ease-in", fill: "forwards" });
  away.onfinish = away.oncancel = () => shell.remove();
  el.animate([{ transform: `${depth} rotateY(-90deg)`, visibility: "visible" }, { transform: `${depth} rotateY(0)` }], { delay: half, duration: half, easing: "ease-out", fill: "backwards" });
}

// ── exposure: tell the server when this page was visible for as long as it asked ─────────────────────────────
let showing = null, had = null, since = 0, left = 0, timer;
function waitShown(message) {
  if (message.hold !== undefined && message.stamp === showing) return;      // the same thing, drawn again
  stopShowing();
  if (message.hold === undefined) return;
  if (message.stamp === had) { send({ do: "shown", stamp: had }); return; }  // said before, to a process that died since
  showing = message.stamp;
  left = message.hold * 1000;
  run();
}
function run() {
  clearTimeout(timer);
  if (showing === null || document.hidden) return;
  since = performance.now();
  timer = setTimeout(seen, left);
}
function seen() {
  clearTimeout(timer);
  if (showing !== null) send({ do: "shown", stamp: had = showing });
  showing = null;
}
function stopShowing() { clearTimeout(timer); showing = null; }
document.addEventListener("visibilitychange", () => {
  if (full && !document.hidden && socket.readyState === WebSocket.CLOSED) connect();
  send({ do: "here", yes: !document.hidden });
  if (document.hidden && showing !== null) { clearTimeout(timer); left -= performance.now() - since; }
  else run();
});

// ── against the clock: the server says how much time has gone; between two of its words the page counts on ───
// [data-elapsed] seconds so far ([data-running]: and on); [data-clock="20"] shows the time plus 20 s; --elapsed is there for style.
let heard = performance.now();
function tell_time(fresh) {
  const el = document.querySelector("[data-elapsed]");
  if (!el) return;
  if (fresh) heard = performance.now();
  const time = Number(el.dataset.elapsed) + (el.dataset.running !== undefined ? (performance.now() - heard) / 1000 : 0);
  live().style.setProperty("--elapsed", time.toFixed(1));
  document.querySelectorAll("[data-clock]").forEach((face) => {
    const whole = Math.floor(time + Number(face.dataset.clock));
    face.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  });
}
setInterval(tell_time, 200);

// ── hands: clicks and keys ────────────────────────────────────────────────────────────────────────────────────
document.addEventListener("click", (event) => {
  const el = event.target.closest("[data-act], [data-try], [data-undo], [data-hint], [data-sit], [data-rematch], [data-seen], [data-hold], [data-open], [data-close], [data-copy]");
  if (!el) return explain(event.target);
  const d = el.dataset;
  if (d.act !== undefined) ask({ do: "act", action: Number(d.act), then: d.then?.split(" ").map(Number), seat: whose() });
  else if (d.try !== undefined) speakTo({ do: "try", action: Number(d.try) });
  else if (d.undo !== undefined) ask({ do: "undo", seat: whose() });
  else if (d.hint !== undefined) openHint();
  else if (d.seen !== undefined) { after = d.after; ask({ do: "seen" }); saw(); }
  else if (d.hold !== undefined) ask({ do: "hold" });
  else if (d.sit !== undefined) { if (event.detail < 2) ask({ do: "sit", seat: Number(d.sit) }); }   // not by the second half of a double click
  else if (d.rematch !== undefined) ask({ do: "rematch" });
  else if (d.open === "rules") openRules(el);
  else if (d.open !== undefined) document.getElementById(d.open).showModal();
  else if (d.close !== undefined) el.closest("dialog").close();
  else if (d.copy !== undefined) copy(el);
});

// A click that ends a look may also say what comes next: it is done as soon as the table has gone on.
let after;
function goOn(message) {
  if (after === undefined || message.hold !== undefined) return;
  document.querySelector(`#table [data-act="${after}"]`)?.click();
  after = undefined;
}

// At a screen that several share, what only one of them may see is fetched when it is pressed and gone when it is let go.
let held = null;
async function press(el) {
  held = el;
  const told = await (await fetch(el.dataset.press)).text();
  if (held === el) el.parentElement.querySelector("[data-pressed]").innerHTML = told;
}
function letGo() {
  held = null;
  document.querySelectorAll("[data-pressed]").forEach((place) => place.replaceChildren());
}
document.addEventListener("pointerdown", ({ target }) => { const el = target.closest("[data-press]"); if (el) press(el); });
document.addEventListener("keydown", (event) => { if ([" ", "Enter"].includes(event.key) && !event.repeat && event.target.matches?.("[data-press]")) press(event.target); });
for (const kind of ["pointerup", "pointercancel", "keyup", "focusout"]) document.addEventListener(kind, () => { if (held) letGo(); });
window.addEventListener("blur", letGo);

// What a sheet fetches comes when it is opened first.
async function fetchInto(sheet) {
  const place = sheet.querySelector("[data-fetch]:empty");
  if (place) place.innerHTML = await (await fetch(place.dataset.fetch)).text();
}

// A card grows under a finger that rests on it, as it does under a pointer; one that cannot be played grows at a tap.
let resting, grown = false;
document.addEventListener("pointerdown", (event) => {
  const el = event.pointerType === "mouse" ? null : event.target.closest("[data-zoom]");
  grown = false;
  clearTimeout(resting);
  if (el) resting = setTimeout(() => enlarge(el), 450);
});
for (const kind of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(kind, () => clearTimeout(resting), { capture: true, passive: true });
document.addEventListener("contextmenu", (event) => { if (grown) event.preventDefault(); });
window.addEventListener("click", (event) => {
  if (grown && !event.target.closest("#zoom")) { event.preventDefault(); event.stopPropagation(); grown = false; return; }
  const el = event.pointerType && event.pointerType !== "mouse" ? event.target.closest("[data-zoom]:not([data-act])") : null;
  if (el) enlarge(el);
}, true);
function enlarge(el) {
  let sheet = document.getElementById("zoom");
  if (!sheet) {
    sheet = Object.assign(document.createElement("dialog"), { id: "zoom" });
    sheet.addEventListener("click", () => sheet.close());
    document.body.append(sheet);
  }
  const card = el.cloneNode(true);
  for (const part of [card, ...card.querySelectorAll("*")]) for (const name of ["id", "data-act", "data-try", "data-then", "data-zoom", "data-face"]) part.removeAttribute(name);
  card.tabIndex = -1;
  sheet.replaceChildren(card);
  sheet.setAttribute("aria-label", el.getAttribute("aria-label") ?? "");
  sheet.showModal();
  grown = true;
}

// What says what it is when it is pointed at says so when it is touched, too.
function explain(at) {
  const el = at.closest("#table [title], #table :has(> title)");
  if (el) tell(el.getAttribute("title") ?? el.querySelector(":scope > title").textContent);
}

// "I have seen them" answers at once: the others are waited for.
function saw() {
  const button = document.getElementById("do-seen");
  if (!button || button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  button.querySelector("span").textContent = button.dataset.waits ?? words.waits;
}

async function copy(el) {
  const field = document.getElementById(el.dataset.copy);
  try { await navigator.clipboard.writeText(field.value); } catch { field.select(); document.execCommand("copy"); }
  el.querySelector("span").textContent = words.copied;
}

// Pointing at something lights what it speaks of: data-light names the ids.
function light(el) {
  const table = document.getElementById("table");
  document.querySelectorAll(".glow").forEach((part) => part.classList.remove("glow"));
  if (table) table.classList.toggle("pointing", Boolean(el));
  if (el) el.dataset.light.split(" ").forEach((id) => document.getElementById(id)?.classList.add("glow"));
}
for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => light(event.target.closest("[data-light]")));

// The steps of a hint wear their numbers on the board too.
function numberSteps() {
  for (const old of document.querySelectorAll(".hint-no")) old.remove();
  const seen = new Set();
  for (const { dataset } of document.querySelectorAll("#hint[open] [data-no]")) {
    const at = document.getElementById(dataset.at)?.getBoundingClientRect();
    if (!at || seen.has(dataset.at)) continue;
    seen.add(dataset.at);
    const no = Object.assign(document.createElement("span"), { className: "hint-no", textContent: dataset.no, ariaHidden: "true" });
    Object.assign(no.style, { left: `${at.left + at.width / 5}px`, top: `${at.top + at.height / 4}px` });
    document.body.append(no);
  }
}
for (const kind of ["resize", "scroll", "toggle"]) addEventListener(kind, numberSteps, true);

// A hint that was folded is opened again where it was asked for; where it lay across the foot of the page, nothing else is left of it.
function openHint() {
  const folded = document.querySelector("#hint:not([open])");
  if (folded) folded.open = true;
  else ask({ do: "hint", seat: whose() });
}
addEventListener("toggle", ({ target }) => {
  if (target.id === "hint" && !target.open && !target.getClientRects().length) document.getElementById("do-hint")?.focus({ preventScroll: true });
}, true);

// Where a hint lies across the foot of the page, the move that it names comes into sight above it.
addEventListener("toggle", ({ target }) => {
  if (target.id !== "hint" || !target.open || target.offsetWidth < innerWidth * 0.9) return;
  const act = document.querySelector(`#table [data-act="${document.getElementById("hint-do").dataset.act}"]`);
  const step = document.getElementById(target.querySelector("[data-at]")?.dataset.at);
  const move = [act, step].find((el) => el && !el.closest("#dock"))?.getBoundingClientRect();   // what lies in the bar at the foot comes no higher
  const under = move ? move.bottom + 24 - target.getBoundingClientRect().top : 0;
  if (under > 0) scrollBy({ top: under });
}, true);

// Arrow keys go to the nearest thing in that direction, on any kind of board.
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  const way = arrows[event.key], here = document.activeElement, board = here && here.closest("[data-keys]");
  if (!way || !board || event.altKey || event.ctrlKey || event.metaKey || here.matches("input, select, textarea, #log")) return;
  const at = centre(here);
  let best = null, least = Infinity;
  for (const el of [...board.querySelectorAll("[data-act], [data-try], [data-sit], [data-undo]")].filter(focusable)) {
    const to = centre(el), along = (to.x - at.x) * way[0] + (to.y - at.y) * way[1], aside = Math.abs((to.x - at.x) * way[1]) + Math.abs((to.y - at.y) * way[0]);
    if (el !== here && along > 8 && aside <= 1.5 * along && along + aside < least) { best = el; least = along + aside; }
  }
  if (best) { event.preventDefault(); best.focus(); }
});
const centre = (el) => { const r = (el.closest("[data-place]") ?? el).getBoundingClientRect();   // not as it grows when it is pointed at
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; };

// SVG shapes with data-act are focusable like buttons; Enter and Space press them.
document.addEventListener("keydown", (event) => {
  const el = document.activeElement;
  if ((event.key === "Enter" || event.key === " ") && el instanceof SVGElement && el.matches("[data-act], [data-try], [data-undo]")) {
    event.preventDefault();
    el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});

// A replay: the next page is fetched and swapped in like a live one.
document.addEventListener("click", async (event) => {
  const step = event.target.closest("a[data-step]");
  if (!step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = new DOMParser().parseFromString(await (await fetch(step.href)).text(), "text/html");
  show({ html: next.getElementById("live").outerHTML });
  history.replaceState(null, "", step.href);
});

// A connection that died without a word is noticed too, and its end, which nobody would answer, is not waited for: a door opens
// soon, a click is answered soon (thinking of a hint takes longer), and the server speaks every five seconds.
function silent() {
  const now = performance.now(), heard = now - lastHeard;
  if (!online()) return socket.readyState === WebSocket.CONNECTING && heard > 10000;
  return heard > 10000 || (waiting && waiting.do !== "hint" && Math.min(heard, now - asked) > 3000 * 2 ** again);
}
function leave() {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
  lost();
}
setInterval(() => { if (socket && silent()) leave(); }, 500);
if (words.socket) document.addEventListener("DOMContentLoaded", connect);
