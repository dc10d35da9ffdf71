// The way through a finished game: keys, slider and buttons fetch the page of another moment, which table.js swaps in.
"use strict";

const line = () => document.getElementById("timeline");
const numberOf = (name) => Number(line().dataset[name]);
let playing = null, under = 0;

async function goTo(step, seat = numberOf("seat")) {
  const to = Math.max(0, Math.min(numberOf("last"), step)), mark = ++under;
  Object.assign(line().dataset, { step: to, seat });
  settle();
  const query = seat < 0 ? "" : `?seat=${seat}`, path = `/t/${line().dataset.table}/replay/${to}${query}`;
  const alone = typeof momentOf === "function";                // a page that stands alone has every moment in it
  const html = alone ? await momentOf(to, seat) : await (await fetch(`${path}${query ? "&" : "?"}live`)).text();
  if (mark !== under) return;                                  // somebody has gone on meanwhile
  show({ html });
  narrate();
  history.replaceState(null, "", alone ? `#step=${to}&seat=${seat}` : path);
}

// The slider, the points and the seat that is looking follow at once.
function settle() {
  const step = numberOf("step");
  document.getElementById("tl-at").value = step;
  for (const id of ["tl-now", "tl-later"]) document.getElementById(id).style.setProperty("--at", step / (numberOf("last") || 1));
  JSON.parse(line().dataset.scores)[step].forEach((score, seat) => { document.getElementById(`tl-points-${seat}`).textContent = String(score).replace("-", "−"); });
  for (const el of document.querySelectorAll("[data-look]")) el.toggleAttribute("aria-current", el.dataset.look === line().dataset.seat);
  if (step === numberOf("last")) pause();
  const onward = document.getElementById("tl-onward");        // the end is no moment to play on from
  if (onward) Object.assign(onward, { href: `/t/${line().dataset.table}/onward/${step}?seat=${Math.max(0, numberOf("seat"))}`, hidden: step === numberOf("last") });
}
// What has just been done stands where a game says what to do: nothing is to be done here. Below the chart, what it belongs to is marked.
function narrate() {
  const { rounds, phases, round, nth } = line().dataset, step = numberOf("step"), told = document.getElementById("live").dataset.told;
  const begins = JSON.parse(rounds), phase = JSON.parse(phases).findLast(([at]) => at <= step)?.[1];
  const where = [begins.length > 1 && round.replace("{n}", begins.filter((at) => at <= step).length), phase, nth.replace("{n}", step).replace("{of}", numberOf("last"))].filter(Boolean).join(" · ");
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  if (told) document.getElementById("say-text").replaceChildren(made("small", where), made("span", told));
  for (const list of line().querySelectorAll("ol:has([data-to])")) {
    const all = [...list.querySelectorAll("[data-to]")], here = all.findLast((el) => Number(el.dataset.to) <= step);
    for (const el of all) el.toggleAttribute("aria-current", el === here);
  }
}
addEventListener("DOMContentLoaded", narrate);
function pause() { clearInterval(playing); playing = null; document.getElementById("tl-play").classList.remove("on"); }
function play() {
  if (playing) return pause();
  if (numberOf("step") === numberOf("last")) goTo(0);
  document.getElementById("tl-play").classList.add("on");
  playing = setInterval(() => goTo(numberOf("step") + 1), 1100 / speed);
}

// The last step before this one, or the next after it, at which a turn or a round begins.
const near = (name, way) => {
  const steps = JSON.parse(line().dataset[name]), now = numberOf("step");
  return way < 0 ? Math.max(0, ...steps.filter((step) => step < now)) : Math.min(numberOf("last"), ...steps.filter((step) => step > now));
};
// The next speed, or the one that was clicked; where only the chosen one is in sight, a click on it goes on to the next.
let speed = 1;
function hurry(chosen) {
  const all = [...document.querySelectorAll("[data-speed]")], at = all.findIndex((el) => el.ariaPressed === "true");
  const alone = all.filter((el) => el.offsetParent).length === 1, to = chosen && !alone ? chosen : all[(at + 1) % all.length];
  all.forEach((el) => { el.ariaPressed = el === to; });
  if (chosen) to.focus();
  speed = Number(to.dataset.speed);
  if (playing) { pause(); play(); }
}

const doing = { "tl-before": () => goTo(near("turns", -1)), "tl-after": () => goTo(near("turns", 1)), "round-before": () => goTo(near("rounds", -1)), "round-after": () => goTo(near("rounds", 1)), speed: () => hurry(), "tl-home": () => goTo(0), "tl-left": () => goTo(numberOf("step") - 1), "tl-play": play, "tl-right": () => goTo(numberOf("step") + 1), "tl-end": () => goTo(numberOf("last")), "tl-link": link };
async function link() {
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  const words = document.querySelector("#tl-link span");
  words.textContent = document.getElementById("tl-link").dataset.said;
}

window.addEventListener("click", (event) => {
  const el = event.target.closest?.("a[data-step], a[data-look], #timeline button:is([data-to], [data-speed], [id^=tl-])");  // marks of turning points are turning.js's
  if (!el || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (el.dataset.look !== undefined) goTo(numberOf("step"), Number(el.dataset.look));
  else if (el.dataset.to !== undefined) goTo(Number(el.dataset.to));
  else if (el.dataset.speed !== undefined) hurry(el);
  else if (el.dataset.step !== undefined) goTo(Number(el.pathname.split("/").pop()));
  else doing[el.id]?.();
}, true);

const keys = { ArrowUp: "tl-before", ArrowDown: "tl-after", PageUp: "round-before", PageDown: "round-after", s: "speed", S: "speed", ArrowLeft: "tl-left", ArrowRight: "tl-right", Home: "tl-home", End: "tl-end", " ": "tl-play" };
window.addEventListener("keydown", (event) => {
  const here = document.activeElement, key = event.key;
  if (event.altKey || event.ctrlKey || event.metaKey || here?.closest("dialog[open]") || here?.matches("#log")) return;
  if (here?.matches("#tl-at") && key !== " ") return;         // the slider has these keys itself
  if (key === " " && here?.matches("button, a")) return;
  const seat = /^[0-9]$/.test(key) ? document.querySelector(`[data-look="${Number(key) - 1}"]`) : null;
  if (!keys[key] && !seat) return;
  event.preventDefault();
  event.stopPropagation();
  if (seat) goTo(numberOf("step"), Number(key) - 1);
  else doing[keys[key]]();
}, true);
document.addEventListener("input", (event) => { if (event.target.id === "tl-at") goTo(Number(event.target.value)); });
