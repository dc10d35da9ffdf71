// The company of a table: who sits here, whose time is up, words. It speaks over the table's own socket, beside the game.
"use strict";
{                                                                // its names are its own
const company = { said: null, words: [], left: null, heard: 0 };   // the last word that came, the latest ones; how long there is time, as told when
const panel = () => document.getElementById("company");
const shutKey = `recollect.shut.${location.pathname}`, once = JSON.parse(localStorage.getItem(shutKey) ?? "[]");
const shut = new Set(once);                                      // what was told and closed again; of some things, for good
const muteKey = `recollect.mute.${location.pathname}`;
const muted = new Set(JSON.parse(localStorage.getItem(muteKey) ?? "[]"));
const heardKey = `recollect.heard.${location.pathname}`;
let heard = Number(localStorage.getItem(heardKey) ?? -1);       // the last word that was looked at here
if (navigator.share) document.body.classList.add("shares");

// How companions are to play is said when the page is connected, and when it is preferred otherwise.
const leisure = () => send({ do: "leisure", companions: prefs.leisure });
document.addEventListener("preferred", ({ detail: name }) => { if (name === "leisure") leisure(); });
document.addEventListener("heard", ({ detail: message }) => {
  const news = message.company;
  if (message.beside) refused(message.why);
  if (message.html !== undefined && prefs.leisure !== "usual") leisure();
  if (!news) return place();
  unsaid = "";
  put("company-body", news.panel);
  document.getElementById("leaving-text")?.replaceChildren(news.leaving);    // a page of an older version has none
  const had = document.activeElement.closest("#tells-cards");
  put("tells-cards", news.tells);
  shut.forEach((id) => { const el = document.getElementById(id); if (el) el.hidden = true; else if (!once.includes(id)) shut.delete(id); });
  if (had) handOn();
  company.left = news.left;
  company.heard = performance.now();
  if (news.soon && !company.soon) document.dispatchEvent(new CustomEvent("reminded"));
  company.soon = news.soon;
  if (news.ask && news.ask !== company.ask) document.dispatchEvent(new CustomEvent("asked", { detail: news.ask }));
  company.ask = news.ask;
  const first = company.said === null;
  rise(news.said);
  company.words = news.said.filter((word) => word.word);
  mark(panel().open || (!first && !document.hidden && !document.body.classList.contains("unheard")));
  hush();
  tick();
  place();
});
// Where what had the focus is told no longer, the next thing told has it, else the sentence that says what to do.
function handOn() {
  if (document.activeElement !== document.body && focusable(document.activeElement)) return;
  const next = document.querySelector("#tells-cards .tell-card:not([hidden]) button");
  (next ?? document.getElementById("say"))?.focus({ preventScroll: true });
}
// Why something beside the game was not done is said where it was asked for; what could not be said is not lost.
let unsaid = "";
function refused(why) {
  const open = panel().open, place = open ? document.getElementById("company-why") : notice, field = document.getElementById("chat-text");
  place.textContent = why;
  setTimeout(() => { if (place.textContent === why) place.textContent = ""; }, 6000);
  if (open && field && !field.value) field.value = unsaid;
  unsaid = "";
}
function put(id, html) {
  const here = document.getElementById(id);
  Idiomorph.morph(here, parsed(here, html), { morphStyle: "outerHTML", restoreFocus: true, ignoreActiveValue: true });
}

// A word rises over the board and goes by itself; what was said before this page was open is in the list alone.
function rise(words) {
  const fresh = company.said === null ? [] : words.filter((word) => word.n > company.said && !(word.word && muted.has(word.seat)));
  company.said = Math.max(company.said ?? -1, ...words.map((word) => word.n));
  for (const word of fresh) {
    const place = document.getElementById("bubbles"), kind = `${word.seat} ${word.word ? "words" : "seat"}`;
    if (!word.word) [...place.children].find((el) => el.dataset.kind === kind)?.remove();   // what became of a seat since
    place.append(parsed(place, word.html));
    const bubble = place.lastElementChild;
    bubble.dataset.kind = kind;
    setTimeout(() => bubble.remove(), 6000);
    while (place.children.length > 3) place.firstElementChild.remove();
  }
}
// What is told keeps off the sentence that says what to do, off what was missed and off a hint that is open, and as far as it can off all that is clicked or looked at: from its corner
// it goes up along the edge, on a narrow screen down, to where it covers least. Words that would hide the sentence go, the oldest first.
const wide = matchMedia("(min-width: 62.01rem)"), looked = "#dock, #minds, .next, .log:has(li) h2, .log li, .seat, .end h1, #table :is([data-act], [data-try], [data-face], [data-zoom], .btn), .lobby :is(h1, .lead, .field, .qr, .pill)";
function place() {
  const tells = document.getElementById("tells"), step = wide.matches ? -8 : 8, gap = 8;
  const boxes = (where, what) => [...where.querySelectorAll(what)].map((el) => el.getBoundingClientRect()).filter((box) => box.height);
  tells.style.translate = "";
  const told = boxes(tells, ".tell-card, .bubble, .notice"), kept = told.length ? boxes(document, looked) : [], say = boxes(document, "#say, #ribbon, #hint[open]");
  const both = (from, to, start, end) => Math.max(0, Math.min(to, end) - Math.max(from, start));
  const area = (a, b, by) => both(a.left, a.right, b.left, b.right) * both(a.top + by, a.bottom + by, b.top - gap, b.bottom + gap);
  const over = (boxes, by) => told.reduce((sum, box) => sum + boxes.reduce((part, other) => part + area(box, other, by), 0), 0);
  const next = told.length ? boxes(document, "#table :is([data-act], [data-face=up])") : [];   // what is clicked next, or to be remembered
  const covered = (by) => 100 * over(say, by) + 20 * over(next, by) + over(kept, by);
  const top = Math.min(...told.map((box) => box.top)), bottom = Math.max(...told.map((box) => box.bottom));
  let best = 0, least = covered(0);
  for (let by = step; least && top + by >= 48 && bottom + by <= innerHeight; by += step) {
    const now = covered(by);
    if (now < least) [best, least] = [by, now];
  }
  tells.style.translate = `0 ${best}px`;
  if (!wide.matches && over(say, best)) document.getElementById("bubbles").firstElementChild?.remove();   // the rest is placed again
}
for (const kind of ["resize", "scroll"]) addEventListener(kind, place, { passive: true });
new ResizeObserver(place).observe(document.getElementById("tells"));
// What was said while nobody looked is marked at the sign of the table, until the panel is opened.
function mark(looked) {
  const latest = Math.max(heard, ...company.words.map((word) => word.n));
  if (looked && latest > heard) localStorage.setItem(heardKey, heard = latest);
  document.body.classList.toggle("unheard", company.words.some((word) => word.n > heard && word.seat !== whose() && !muted.has(word.seat)));
}
function hush() {
  document.querySelectorAll("[data-mute]").forEach((el) => {
    const off = muted.has(Number(el.dataset.mute));
    el.ariaPressed = String(off);
    el.textContent = off ? el.dataset.on : el.dataset.off;
  });
  document.querySelectorAll("#company-lines [data-of]").forEach((el) => { el.hidden = muted.has(Number(el.dataset.of)) && !el.classList.contains("fact"); });
}

// How long there is still time, beside the sign of the table: the server said so, the page counts on.
function tick() {
  const left = company.left === null ? null : Math.max(0, company.left - (performance.now() - company.heard) / 1000);
  document.body.style.setProperty("--clock", left === null ? '""' : `"${spelt(left)}"`);
  document.body.classList.toggle("timed", left !== null);
  document.body.classList.toggle("hurry", left !== null && (left < 15 || company.soon));
}
function spelt(seconds) {
  const whole = Math.ceil(seconds);
  if (whole >= 172800) return `${Math.round(whole / 86400)} ${words.days}`;   // or three days would be two as soon as they have begun
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
setInterval(tick, 500);

// Hands. What cannot be taken back is asked first.
document.addEventListener("click", (event) => {
  const el = event.target.closest("[data-decide], [data-say], [data-fill], [data-mute], [data-shut], [data-decline], [data-share], [data-open=company], a[data-ask]");
  if (!el) return;
  const d = el.dataset;
  if (d.ask !== undefined) { if (!event.ctrlKey && !event.metaKey) { event.preventDefault(); document.getElementById(d.ask).showModal(); } }
  else if (d.decide !== undefined && d.sure) sure(el);
  else if (d.decide !== undefined) decide(d);
  else if (d.say !== undefined) { speak(d.say); panel().close(); }
  else if (d.open !== undefined) mark(true);
  else if (d.share !== undefined) navigator.share({ title: d.title, url: document.getElementById(d.share).value }).catch(() => {});   // they thought better of it
  else if (d.decline !== undefined) speakTo({ do: "decline" });
  else if (d.fill !== undefined) speakTo({ do: "fill", seat: Number(d.fill), mind: d.mind ?? "" });
  else if (d.shut !== undefined) {
    shut.add(d.shut);
    document.getElementById(d.shut).hidden = true;
    handOn();
    if (d.once !== undefined) { once.push(d.shut); localStorage.setItem(shutKey, JSON.stringify(once)); }
    if (d.told) fetch(d.told, { method: "POST", redirect: "manual" });   // it is not told again
  }
  else mute(Number(d.mute));
});
function decide(d) {
  speakTo({ do: "decide", what: d.decide, seat: Number(d.seat) });
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
}
function sure(el) {
  document.getElementById("sure-title").textContent = el.dataset.asks ?? el.textContent;
  document.getElementById("sure-text").textContent = el.dataset.sure;
  Object.assign(document.getElementById("sure-yes"), { textContent: el.textContent, onclick: () => decide(el.dataset) });
  document.getElementById("sure").showModal();
}
function mute(seat) {
  if (!muted.delete(seat)) muted.add(seat);
  localStorage.setItem(muteKey, JSON.stringify([...muted]));
  mark(true);
  hush();
}
const speak = (what) => speakTo({ do: "say", what });

document.addEventListener("submit", (event) => {
  if (event.target.id !== "chat") return;
  event.preventDefault();
  const field = document.getElementById("chat-text");
  document.getElementById("company-why").textContent = "";
  unsaid = field.value;
  if (!field.value.trim() || speak(field.value)) field.value = "";   // what could not be sent is kept
});
}
