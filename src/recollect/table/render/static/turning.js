// The turning points of a finished game: marks on the timeline, and a card that says what was better and shows it on the board.
"use strict";

const card = () => document.getElementById("turning");
let points = [], shownBetter = false;

async function lookForTurnings() {
  const answer = await fetch(card().dataset.from).catch(() => null);
  if (!answer) return setTimeout(lookForTurnings, 5000);     // the house is away: it may be back
  const said = answer.ok ? await answer.json() : {};
  if (answer.status === 202) {
    document.getElementById("turning-said").textContent = said.looking;
    return setTimeout(lookForTurnings, 1500);
  }
  points = said.turnings || [];
  document.getElementById("turning-said").textContent = said.said || "";
  const marks = document.getElementById("turning-marks");
  points.forEach((point, n) => {
    const mark = document.createElement("button");
    Object.assign(mark, { type: "button", className: "turning-mark", id: `turning-${n}`, textContent: point.left });
    mark.style.setProperty("--hue", `var(--seat-${point.seat})`);
    mark.style.setProperty("--high", high(point));
    mark.setAttribute("aria-label", point.says);
    mark.addEventListener("click", (event) => { event.stopPropagation(); openTurning(n); });
    marks.append(mark);
  });
  spread();
  document.getElementById("turning-go").hidden = !points.length;
  if (location.hash === "#turning" && points.length) openTurning(0);     // from the end of the game
}

// A mark stands on the line of its seat, as high as its points were.
function high({ step, seat }) {
  const rows = JSON.parse(line().dataset.scores), [low, top] = JSON.parse(line().dataset.ticks);
  return (rows[step][seat] - low) / (top - low);
}

// Each mark stands where its move lies on the line; of marks that are close, none covers another.
function spread() {
  const marks = [...document.getElementById("turning-marks").children];
  if (!marks.length) return;
  const wide = marks[0].offsetWidth / (marks[0].parentElement.clientWidth || 1), last = numberOf("last") || 1;
  const places = points.map((point) => point.step / last);
  for (let n = 1; n < places.length; n++) places[n] = Math.max(places[n], places[n - 1] + wide);
  for (let n = places.length - 1, most = 1; n >= 0; n--) most = (places[n] = Math.min(places[n], most)) - wide;
  marks.forEach((mark, n) => mark.style.setProperty("--at", places[n]));
}
addEventListener("resize", spread);

function openTurning(n) {
  const point = points[n];
  shownBetter = false;
  const fill = (id, words) => document.getElementById(id).replaceChildren(...words.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  card().dataset.n = n;
  card().hidden = false;
  const no = document.getElementById("turning-no");
  no.textContent = no.dataset.nth.replace("{n}", n + 1).replace("{of}", points.length);
  document.getElementById("turning-left").textContent = point.left;
  document.getElementById("turning-says").textContent = point.says;
  fill("turning-played", point.played);
  fill("turning-better", point.better);
  count(point);
  document.getElementById("turning-note").textContent = point.note;
  dot(n, point);
  const onward = document.getElementById("turning-onward");
  if (onward) onward.href = `/t/${line().dataset.table}/onward/${point.step}?seat=${point.seat}`;
  pressed();
  goTo(point.step, point.seat);
  drawBoards(n, point.step);
  scrollTo(0, 0);                                            // on a phone the board lies above the card
  card().scrollTop = 0;                                      // which is read from its top
}

// What either turn brings at once, kind by kind.
function count({ points: kinds, sums }) {
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  document.getElementById("turning-points").replaceChildren(...kinds.map(([kind, had, other]) => {
    const row = document.createElement("div");
    row.append(made("dt", kind), made("dd", had), made("dd", other), made("dd", other === had ? "" : `${other > had ? "+" : "−"}${Math.abs(other - had)}`));
    row.classList.toggle("up", other > had);
    return row;
  }));
  ["played", "better"].forEach((which, n) => { document.getElementById(`turning-sum-${which}`).textContent = sums[n]; });
}

// On the chart: the way that the better move would have gone, in dots, and what it was.
function dot(n, point) {
  const shown = point !== undefined, call = document.getElementById("turning-call");
  document.getElementById("turning-way").setAttribute("d", shown ? point.way : "");
  for (const el of [call, document.getElementById("turning-dotted")]) el.hidden = !shown;
  document.querySelectorAll(".turning-mark").forEach((mark, k) => mark.classList.toggle("here", shown && k === n));
  if (!shown) return;
  const at = point.step / (numberOf("last") || 1);
  call.replaceChildren(`${point.short} `, Object.assign(document.createElement("b"), { textContent: point.better[0] }));
  call.style.setProperty("--at", at);
  call.classList.toggle("tl-on", at < 0.4);
}

// Both moves as small boards beside each other.
async function drawBoards(n, step) {
  const ids = ["turning-board-played", "turning-board-better"];
  ids.forEach((id) => document.getElementById(id).replaceChildren());
  const answer = await fetch(`/t/${line().dataset.table}/better/${step}?small`);
  if (!answer.ok || Number(card().dataset.n) !== n) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("figure");
  ids.forEach((id, k) => document.getElementById(id).replaceChildren(drawn[k]));
}
function pressed() { document.getElementById("turning-show").setAttribute("aria-pressed", shownBetter); }
async function showBetter() {
  const point = points[Number(card().dataset.n)];
  shownBetter = !shownBetter;
  pressed();
  if (!shownBetter) return goTo(point.step, point.seat);
  const mark = ++under, html = await (await fetch(`/t/${line().dataset.table}/better/${point.step}`)).text();
  if (mark !== under) return;
  show({ html });
  narrate();
}
const next = () => points.length && openTurning(card().hidden || !card().dataset.n ? 0 : (Number(card().dataset.n) + 1) % points.length);

document.addEventListener("click", (event) => {
  const el = event.target.closest?.("#turning-show, #turning-next, #turning-close, #turning-go");
  if (!el) return;
  if (el.id === "turning-show") showBetter();
  else if (el.id === "turning-close") { card().hidden = true; dot(); document.getElementById("turning-go").focus(); }
  else next();
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "t" && !event.altKey && !event.ctrlKey && !event.metaKey && !document.activeElement?.closest("dialog[open], input:not([type=range])")) next();
});
if (card()) lookForTurnings();
