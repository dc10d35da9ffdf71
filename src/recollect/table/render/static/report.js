// The report needs none of this to be read. With it, the table can be walked through again, turn by turn, and the postcard be sent on.
"use strict";
const $ = (id) => document.getElementById(id);
const said = JSON.parse($("said").textContent), { walk, words } = said;
const make = (tag, name, ...inside) => { const el = document.createElement(tag); el.className = name; el.append(...inside); return el; };
const drawing = (symbol, name, box = "0 0 32 32") => { const el = make("span", name); el.innerHTML = `<svg viewBox="${box}" preserveAspectRatio="none" aria-hidden="true"><use href='#${symbol}'/></svg>`; return el; };

// ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────
let at, from, playing = 0;
const ABOVE = -1;

// What had been shown at each place before a turn, and how many turns ago: to a seat, or to anybody.
function shown(before) {
  const last = new Map();
  const note = (turn, place, face) => { if (!last.has(place) || last.get(place).turn <= turn) last.set(place, { turn, face }); };
  walk.turns.slice(0, before).forEach((turn, n) => turn.up.forEach(([place, face]) => note(n, place, face)));
  walk.looks.filter(([turn, seat]) => turn < before && (from === ABOVE || seat === from)).forEach(([turn, , place, face]) => note(turn, place, face));
  return last;
}
const gone = (before) => new Set(walk.turns.slice(0, before).flatMap((turn) => turn.taken ?? []));

function draw() {
  const turn = walk.turns[at], last = shown(at), taken = gone(at), up = new Map(turn.up);
  for (const place of walk.places) {
    const seen = last.get(place), face = up.get(place) ?? seen?.face;
    const kind = up.has(place) ? "up" : taken.has(place) ? "gone" : seen ? "shown" : "never";
    const left = kind === "shown" && from !== ABOVE ? walk.fresh[from][Math.min(at - seen.turn, walk.fresh[from].length - 1)] : 1;
    card($(`walk-${place}`), place, kind, face, left);
    $(`walk-${place}`).classList.toggle("cell--slipped", turn.slip?.at === place);
  }
  $("walk-say").replaceChildren(...sentence(turn));
  $("walk-turn").value = at;
  $("walk-turn").setAttribute("aria-valuetext", words.turn.replace("{n}", turn.n));
  for (const name of ["first", "back"]) $(`walk-${name}`).setAttribute("aria-disabled", at === 0);   // who goes by keys stays where they are
  for (const name of ["last", "on"]) $(`walk-${name}`).setAttribute("aria-disabled", at === walk.turns.length - 1);
  for (const row of document.querySelectorAll("#walk-ticks, .lead")) [...row.querySelectorAll("i")].forEach((el, n) => { el.classList.toggle("later", n > at); el.classList.toggle("now", n === at); });
  document.querySelectorAll(".band").forEach((el, n) => el.classList.toggle("band--now", n === at));
}
function card(el, place, kind, face, left) {
  const [symbol, colour, name] = walk.faces[face] ?? [];
  const how = kind === "shown" && left < 0.5 ? "fading" : kind;
  el.className = `cell cell--${kind} cell--${colour ?? "none"}`;
  el.style.setProperty("--left", left);
  el.setAttribute("aria-label", `${place.toUpperCase()}: ${kind === "never" ? words.never : `${name}, ${words[how]}`}`);
  el.replaceChildren(kind === "never" ? drawing("card-back", "cell__back", "0 0 80 96") : drawing(symbol, "cell__art"));
}
function sentence(turn) {
  const [[a, x], [b, y] = []] = turn.up, who = turn.seat === walk.seat ? "you" : "they", kind = turn.taken?.length === 2 ? "pair" : turn.taken ? "red" : "none";
  const parts = [make("b", "", words.turn.replace("{n}", turn.n)), " ", ...filled(words[`${who}_${b ? "two" : "one"}`], { name: walk.names[turn.seat], a, b, x, y }), " ", words[kind]];
  const { slip } = turn;
  return slip ? [...parts, " ", ...filled(words[`${slip.kind === "pair" ? "pairs" : slip.kind}${slip.ago === 1 ? "_one" : ""}`], { a: slip.at, x: slip.face, n: `${slip.ago}` })] : parts;
}
// {a} and {b} are places, {x} and {y} faces, the rest is text.
const filled = (text, { a, b, x, y, ...rest }) => text.split(/(\{\w+\})/).filter(Boolean).map((part) => {
  const key = part[0] === "{" ? part.slice(1, -1) : "", place = { a, b }[key], face = { x, y }[key];
  return place ? make("b", "pn", place.toUpperCase()) : face ? walk.faces[face][2] : key ? rest[key] : part;
});

const go = (to) => { at = Math.max(0, Math.min(walk.turns.length - 1, to)); draw(); };
function pause() {
  clearInterval(playing);
  playing = 0;
  $("walk-play").setAttribute("aria-label", words.play);
  $("walk-play").classList.remove("on");
}
function play() {
  if (playing) return pause();
  if (at === walk.turns.length - 1) go(0);
  playing = setInterval(() => (at < walk.turns.length - 1 ? go(at + 1) : pause()), 1500);
  $("walk-play").setAttribute("aria-label", words.pause);
  $("walk-play").classList.add("on");
}
function open() {
  $("walk-board").append(...walk.places.map((place) => {
    const el = make("div", "cell");
    Object.assign(el, { id: `walk-${place}`, role: "img" });
    el.style.gridArea = `${place.slice(1)} / ${place.charCodeAt(0) - 96}`;
    return el;
  }));
  $("walk-ticks").append(...walk.turns.map((turn) => make("i", turn.seat === walk.seat ? "" : "them")));
  const ways = { first: () => go(0), back: () => go(at - 1), on: () => go(at + 1), last: () => go(walk.turns.length - 1) };
  for (const [name, way] of Object.entries(ways)) $(`walk-${name}`).addEventListener("click", () => { pause(); way(); });
  $("walk-play").addEventListener("click", play);
  $("walk-turn").max = walk.turns.length - 1;
  $("walk-turn").addEventListener("input", (event) => { pause(); go(+event.target.value); });
  document.querySelectorAll("[name=from]").forEach((el) => el.addEventListener("change", () => { from = +el.value; draw(); }));
  document.querySelectorAll("[data-turn]").forEach(lead);
  from = walk.seat;
  $("walk").hidden = false;
  go(walk.at);
}
// A turn that is spoken of leads there.
function lead(el) {
  const to = walk.turns.findIndex((turn) => turn.n === +el.dataset.turn), button = make("button", "there", el.textContent);
  button.type = "button";
  button.addEventListener("click", () => { pause(); go(to); $("walk").scrollIntoView({ block: "nearest" }); });
  el.replaceWith(button);
}
if (walk) open();

// ── the postcard, as a picture ────────────────────────────────────────────────────────────────────────────────
const WIDE = 1200, HIGH = 832, EDGE = 28, SIDE = 690;
const loaded = (source) => new Promise((done, fail) => { const image = new Image(); image.onload = () => done(image); image.onerror = fail; image.src = source; });
// A drawing of this page by itself: with the pictures it uses, and the rules that colour it.
function alone(svg) {
  const copy = svg.cloneNode(true), used = [...svg.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)).filter((id) => $(id));
  const rules = [...document.styleSheets[0].cssRules].map((rule) => rule.cssText).filter((text) => text.startsWith(".window"));
  copy.insertAdjacentHTML("afterbegin", `<style>${rules.join("")}</style>${[...new Set(used)].map((id) => $(id).outerHTML).join("")}`);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", 2 * width);
  copy.setAttribute("height", 2 * height);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}
const pictured = (el) => loaded(alone(el.matches("img") ? new DOMParser().parseFromString(atob(el.src.split(",")[1]), "image/svg+xml").documentElement : el));
function cover(ink, image, x, y, width, height) {
  const scale = Math.max(width / image.width, height / image.height), w = width / scale, h = height / scale;
  ink.drawImage(image, (image.width - w) / 2, (image.height - h) / 2, w, h, x, y, width, height);
}
function lines(ink, text, width) {
  const out = [""];
  for (const word of text.split(" ")) {
    if (out.at(-1) && ink.measureText(`${out.at(-1)} ${word}`).width > width) out.push(word);
    else out.push(`${out.pop()} ${word}`.trim());
  }
  return out;
}
async function postcard() {
  const canvas = make("canvas", ""), ink = canvas.getContext("2d"), title = getComputedStyle(document.querySelector("h1")).fontFamily, text = getComputedStyle(document.body).fontFamily;
  Object.assign(canvas, { width: WIDE, height: HIGH });
  ink.fillStyle = "#fbf6ec";
  ink.fillRect(0, 0, WIDE, HIGH);
  cover(ink, await pictured(document.querySelector(".postcard__picture")), EDGE, EDGE, SIDE - 2 * EDGE, HIGH - 2 * EDGE);
  ink.fillStyle = "#d9cfbd";
  ink.fillRect(SIDE, 2 * EDGE, 2, HIGH - 4 * EDGE);
  ink.fillStyle = "#ffd2aa";
  ink.fillRect(WIDE - 210, 52, 150, 170);
  ink.drawImage(await pictured(document.querySelector(".stamp__art")), WIDE - 195, 77, 120, 120);
  const mark = document.querySelector(".postmark");
  if (mark) {
    ink.globalAlpha = 0.62;
    ink.rotate(-Math.PI / 20);
    ink.drawImage(await pictured(mark), WIDE - 382, 222, 250, 125);
    ink.resetTransform();
    ink.globalAlpha = 1;
  }
  write(ink, title, text);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
function write(ink, title, text) {
  const x = SIDE + 46, width = WIDE - x - 44, rows = [...document.querySelectorAll(".postcard dl div")], top = HIGH - 110 - 62 * rows.length;
  ink.fillStyle = "#3a342b";
  ink.font = `500 46px ${title}`;
  const say = lines(ink, document.querySelector(".postcard__say").textContent, width);
  say.forEach((line, n) => ink.fillText(line, x, top - 30 - 58 * (say.length - 1 - n)));
  rows.forEach((row, n) => {
    const y = top + 46 + 62 * n;
    ink.font = `400 28px ${text}`;
    ink.fillText(lines(ink, row.firstElementChild.textContent, width - 90)[0], x, y);
    ink.font = `600 38px ${title}`;
    const score = row.children[1]?.textContent ?? "";
    ink.fillText(score, WIDE - 44 - ink.measureText(score).width, y);
    ink.fillRect(x, y + 14, width, 1);
  });
  ink.font = `400 24px ${text}`;
  ink.fillStyle = "#6d6352";
  ink.fillText(document.querySelector(".postcard__from").textContent, x, HIGH - 50);
}
const file = async () => new File([await postcard()], "recollect.png", { type: "image/png" });
$("card-save").addEventListener("click", async () => {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await file()), download: "recollect.png" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
$("card-share").addEventListener("click", async () => {
  try { await navigator.share({ files: [await file()] }); } catch (error) { if (error.name !== "AbortError") $("card-save").click(); }
});
$("card-share").hidden = !navigator.canShare?.({ files: [new File([""], "a.png", { type: "image/png" })] });
$("card-save").classList.toggle("btn--main", $("card-share").hidden);
$("card-do").hidden = false;
