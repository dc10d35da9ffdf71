// Hours and days are those of who reads them, as their browser writes them; without this script, the house's.
"use strict";
function hours() {
  const page = document.documentElement.lang, spoken = navigator.languages.find((code) => code.startsWith(page)) ?? page;
  const first = (words) => (page === "fr" ? words.replace(/^1 /, "1er ") : words);
  const write = (at, form) => first(new Intl.DateTimeFormat(spoken, form).format(at));
  const forms = { short: { day: "numeric", month: "short" }, long: { day: "numeric", month: "long" }, medium: { dateStyle: "medium" }, full: { dateStyle: "long" } };
  for (const el of document.querySelectorAll("time[data-day]")) el.textContent = write(new Date(el.dateTime), forms[el.dataset.day]);
  for (const el of document.querySelectorAll("time[data-since]")) {
    const at = new Date(el.dateTime), today = at.toDateString() === new Date().toDateString(), hour = write(at, { timeStyle: "short" });
    const { since, sinceToday } = document.body.dataset;
    el.textContent = today ? sinceToday.replace("{time}", hour) : since.replace("{time}", `${write(at, forms.short)} ${hour}`);
  }
}
for (const kind of ["DOMContentLoaded", "heard"]) document.addEventListener(kind, hours);
