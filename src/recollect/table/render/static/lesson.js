// A lesson: what is clicked on the board is put to the lesson, which answers with the next step or with why not. The page is
// swapped in by table.js like that of a table; here the guide's words are tied to what they speak of.
"use strict";

const guide = () => document.getElementById("guide");

async function tryOut(action) {
  const answer = await (await fetch(guide().dataset.path, { method: "POST", body: new URLSearchParams({ action }) })).json();
  if (answer.why) correct(answer.why);
  else turnTo(answer.html, answer.go);
}
async function goTo(path) {
  const next = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
  turnTo(next.getElementById("live").outerHTML, path);
}
function turnTo(html, path) {
  show({ html });
  history.replaceState(null, "", path);
  reach();
  bring();
  settled().then(point);
}
// A card that is still turning over has no edge to point at.
const settled = () => Promise.allSettled(document.getAnimations().filter((one) => one.constructor === Animation).map((one) => one.finished));
// Who goes by keys stands where the next key is wanted: at "next", else at what is asked for.
function reach() {
  const own = ["lesson-again", "lesson-on", "lesson-play"].map((id) => document.getElementById(id)).find(Boolean), here = document.activeElement;
  const asked = spoken().map((el) => (el.matches("[data-act]") ? el : el.querySelector("[data-act]"))).filter(Boolean);
  if (own ? here === own : here?.matches("#table [data-act]") && (!asked.length || asked.includes(here))) return;
  (own ?? asked[0] ?? document.querySelector("#table [data-act]") ?? guide()).focus({ preventScroll: true });
}
function correct(text) {
  document.getElementById("lesson-no").textContent = text;
  bring();
}

// What neither does anything nor says anything of its own is answered, too, while something is asked for.
function elsewhere(at) {
  const words = guide().dataset.elsewhere;
  if (words && at.closest?.("#table") && !at.closest("#guide, button, a, summary, dialog, [popover], [data-light], [data-zoom], [title]")) correct(words);
}

// Before table.js hears of it: there is no table here.
window.addEventListener("click", (event) => {
  const el = event.target.closest?.("[data-act], [data-try], [data-seen], [data-undo], a[data-go]");
  if (!el) return elsewhere(event.target);
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const { act, go } = el.dataset;
  if (go !== undefined) goTo(el.href);
  else if (el.dataset.seen !== undefined) document.getElementById("lesson-on")?.click();
  else if (el.dataset.undo === undefined) tryOut(act ?? el.dataset.try);
}, true);

// ── the words point ───────────────────────────────────────────────────────────────────────────────────────────
// By its id, or, in brackets, by what it wears: all cards that lie open, whichever they are.
const named = (name) => [...document.querySelectorAll(name.startsWith("[") ? `#table ${name}` : name ? `#${name}` : ":not(*)")];
const spoken = () => guide().dataset.lit.split(" ").flatMap(named).filter((el) => el.getClientRects().length);

// What is asked for and what is spoken of come into sight: above the guide, and what one holds, where those lie at the bottom.
function bring() {
  const g = guide().getBoundingClientRect(), below = g.width > innerWidth * 0.9, said = spoken();
  document.documentElement.style.setProperty("--guide-height", `${g.height}px`);
  const dock = below && document.querySelector("#table :is(.dock, .ask)"), held = dock && dock.getBoundingClientRect();
  const low = (el) => (!below ? innerHeight : held?.height && !dock.contains(el) ? Math.min(g.top, held.top) : g.top);
  const hidden = (el) => { const r = el.getBoundingClientRect(); return r.top < 60 || r.bottom + 12 > low(el); };   // with the label that hangs from a card
  const acts = [...document.querySelectorAll("#table [data-act]")].filter((el) => el.getClientRects().length);
  const asked = acts.find((el) => said.some((one) => one.contains(el))) ?? acts[0];
  const fits = (el) => { const r = el.getBoundingClientRect(); return r.top + scrollY >= 60 && r.bottom + scrollY + 24 <= low(el); };   // with the page at its top
  const el = asked && acts.every(hidden) ? asked : said.slice(0, 1).find(hidden);
  if (scrollY && [asked, ...said.slice(0, 1)].every((one) => !one || fits(one))) scrollTo({ top: 0, behavior: calm.matches ? "auto" : "smooth" });
  else if (el) {
    const r = el.getBoundingClientRect(), up = r.top - 80, down = Math.min(r.bottom + 24 - low(el), up);   // no further than it must: what stands above it stays in sight
    scrollBy({ top: down > 0 ? down : up, behavior: calm.matches ? "auto" : "smooth" });
  }
  point();
}

function point() {
  if (!document.getElementById("pointer")) return;             // the page is still coming
  document.querySelectorAll(".spoken").forEach((el) => el.classList.remove("spoken"));
  const g = guide().getBoundingClientRect(), lit = spoken();
  lit.forEach((el) => el.classList.add("spoken"));
  const below = g.width > innerWidth * 0.9;
  document.getElementById("pointer").innerHTML = lit.slice(0, 3).map((el) => line(g, el, below)).join("") + apart();
}

// What was asked for and what was tried do not go together: dots between them, and a cross.
function apart() {
  const [a, b] = (guide().dataset.between ?? "").split(" ").map((id) => id && document.getElementById(id)?.getBoundingClientRect());
  if (!a || !b) return "";
  const middle = (r) => [r.x + r.width / 2, r.y + r.height / 2], at = [0, 1].map((i) => (middle(a)[i] + middle(b)[i]) / 2);
  const edge = (r, [x, y]) => { const [cx, cy] = middle(r), dx = x - cx, dy = y - cy, k = Math.min(1, (r.width / 2 + 14) / (Math.abs(dx) || 1), (r.height / 2 + 14) / (Math.abs(dy) || 1)); return [cx + k * dx, cy + k * dy]; };
  return `<path class="under" d="M${edge(a, at)}L${edge(b, at)}"/><path class="no" d="M${edge(a, at)}L${edge(b, at)}"/><circle class="no" cx="${at[0]}" cy="${at[1]}" r="12"/><path class="cross" d="M${at[0] - 4} ${at[1] - 4}l8 8m0-8l-8 8"/>`;
}

// From the nearest edge of the guide to the nearest edge of what it speaks of.
function line(g, el, below) {
  const r = el.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
  if (r.right > g.left && r.left < g.right && r.bottom > g.top && r.top < g.bottom) return "";
  const aside = x < g.left ? -1 : x > g.right ? 1 : 0;
  if (!below && aside) {
    if (Math.abs(x - g.x - g.width / 2) > 0.62 * innerWidth) return "";        // too far to be followed: it glows, that is enough
    const from = [aside < 0 ? g.left : g.right, Math.min(g.bottom - 30, Math.max(g.top + 30, y))], to = [aside < 0 ? r.right : r.left, y], bend = aside * Math.min(90, Math.abs(to[0] - from[0]) / 2);
    return drawn(el, from, [from[0] + bend, from[1]], [to[0] - bend, to[1]], to);
  }
  const from = [Math.min(g.right - 40, Math.max(g.left + 40, x)), y < g.top ? g.top : g.bottom], to = [x, y < g.top ? r.bottom : r.top];
  const half = (from[1] + to[1]) / 2;
  return drawn(el, from, [from[0], half], [to[0], half], to);
}
function drawn(el, from, bend, turn, to) {
  const d = `M${from} C${bend} ${turn} ${to}`, [x, y] = to;
  return through(el, from, bend, turn, to) ? "" : `<path class="under" d="${d}"/><path d="${d}"/><circle cx="${x}" cy="${y}" r="4.5"/>`;
}
// A line that would run through words, over another piece that glows or lies open, or over more pieces than the game likes (--guide-over, else two), is not drawn: what it leads to glows, that is enough.
const worded = (at) => [...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
function through(el, a, b, c, d) {
  const at = (t) => [0, 1].map((i) => a[i] * (1 - t) ** 3 + 3 * b[i] * t * (1 - t) ** 2 + 3 * c[i] * t * t * (1 - t) + d[i] * t ** 3);
  const met = Array.from({ length: 39 }, (_, n) => document.elementFromPoint(...at((n + 1) / 40))).filter((one) => one && !one.closest("#guide") && !el.contains(one));
  const pieces = new Set(met.map((one) => one.closest('#table :is([role="img"], [role="button"], button, .spoken)')).filter((one) => one && !one.contains(el)));
  const over = getComputedStyle(guide()).getPropertyValue("--guide-over") || 2;
  return met.some(worded) || pieces.size > over || [...pieces].some((one) => one.matches('.spoken, article, [data-face="up"]'));
}

addEventListener("load", () => {
  guide().focus({ preventScroll: true });
  guide().blur();                                              // the first Tab leads to the guide's own buttons
  document.fonts.ready.then(bring);
});
for (const kind of ["resize", "scroll"]) addEventListener(kind, point, { passive: true, capture: true });
