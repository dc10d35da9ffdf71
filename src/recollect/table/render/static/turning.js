// The turning points of a finished game: marks on the timeline, and a card that says what was better and shows it on the board.
"use strict";

const card = () => document.getElementById("turning");
let points = [], shownBetter = false;

async function lookForTurnings() {
  const answer = await fetch(card().dataset.from);
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
    mark.setAttribute("aria-label", point.says);
    mark.addEventListener("click", (event) => { event.stopPropagation(); openTurning(n); });
    marks.append(mark);
  });
  spread();
  document.getElementById("turning-go").hidden = !points.length;
  if (location.hash === "#turning" && points.length) openTurning(0);     // from the end of the game
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
  document.getElementById("turning-no").textContent = `${n + 1} / ${points.length}`;
  document.getElementById("turning-says").textContent = point.says;
  fill("turning-played", point.played);
  fill("turning-better", point.better);
  fill("turning-points", point.points.map(([kind, had, other]) => `${kind}: ${had} → ${other}`));
  const onward = document.getElementById("turning-onward");
  if (onward) onward.href = `/t/${line().dataset.table}/onward/${point.step}?seat=${point.seat}`;
  pressed();
  goTo(point.step, point.seat);
  drawBoards(n, point.step);
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
  if (mark === under) show({ html });
}
const next = () => points.length && openTurning(card().hidden || !card().dataset.n ? 0 : (Number(card().dataset.n) + 1) % points.length);

document.addEventListener("click", (event) => {
  const el = event.target.closest?.("#turning-show, #turning-next, #turning-close, #turning-go");
  if (!el) return;
  if (el.id === "turning-show") showBetter();
  else if (el.id === "turning-close") { card().hidden = true; document.getElementById("turning-go").focus(); }
  else next();
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "t" && !event.altKey && !event.ctrlKey && !event.metaKey && !document.activeElement?.closest("dialog[open], input:not([type=range])")) next();
});
if (card()) lookForTurnings();
