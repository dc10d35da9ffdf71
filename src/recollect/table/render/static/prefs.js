// Preferences of this browser: theme, motion, sound, notifications, how companions play. Read before anything is drawn.
"use strict";
{                                                                // its names are its own, but for prefs and prefer
const prefs = { theme: "auto", motion: "auto", sound: "off", notify: "off", leisure: "usual", ...kept() };
function kept() { try { return JSON.parse(localStorage.getItem("recollect.prefs") ?? "{}"); } catch { return {}; } }

// What the system would say of theme and motion is said by the preference in its place, in every style and to every script.
const YES = "(min-width: 0px)", NO = "(max-width: 0px)";
function meant(media) {
  if (prefs.theme !== "auto") media = media.replace(/\(prefers-color-scheme:\s*(\w+)\)/g, (_, which) => (which === prefs.theme ? YES : NO));
  if (prefs.motion === "less") media = media.replace(/\(prefers-reduced-motion:\s*([\w-]+)\)/g, (_, which) => (which === "reduce" ? YES : NO));
  return media;
}
function dressRules(rules) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      rule.written ??= rule.media.mediaText;
      if (rule.media.mediaText !== meant(rule.written)) rule.media.mediaText = meant(rule.written);
    }
    if (rule.cssRules) dressRules(rule.cssRules);
  }
}
function dressPage() {
  document.documentElement.style.colorScheme = prefs.theme === "auto" ? "" : prefs.theme;
  for (const sheet of document.styleSheets) dressRules(sheet.cssRules);
  for (const meta of document.querySelectorAll("meta[media]")) meta.media = meant(meta.dataset.written ??= meta.media);   // the colour of the browser's own bar
}
const asked = window.matchMedia.bind(window);
window.matchMedia = (query) => asked(meant(query));
if (prefs.theme !== "auto" || prefs.motion !== "auto") dressPage();

function prefer(name, value) {
  localStorage.setItem("recollect.prefs", JSON.stringify(Object.assign(prefs, kept(), { [name]: value })));
  dressPage();
  document.dispatchEvent(new CustomEvent("preferred", { detail: name }));
}
// What another page of this browser prefers is preferred here too; only that one rings, or asks whether it may notify.
addEventListener("storage", ({ key }) => {
  if (key !== "recollect.prefs") return;
  const { leisure } = prefs;
  Object.assign(prefs, kept());
  dressPage();
  check();
  if (prefs.leisure !== leisure) document.dispatchEvent(new CustomEvent("preferred", { detail: "leisure" }));
});
document.addEventListener("change", ({ target }) => { if (target.dataset.pref) prefer(target.dataset.pref, target.value); });
function check() {
  for (const input of document.querySelectorAll("[data-pref]")) input.checked = prefs[input.dataset.pref] === input.value;
}
document.addEventListener("DOMContentLoaded", check);
Object.assign(window, { prefs, prefer });
}
