// Pages that are not live: what opens and closes, and a link to copy.
"use strict";

document.addEventListener("click", ({ target }) => {
  const open = target.closest("[data-open]"), close = target.closest("[data-close]");
  if (open) document.getElementById(open.dataset.open).showModal();
  if (close) close.closest("dialog").close();
  const copy = target.closest("[data-copy]");
  if (copy) copyFrom(document.getElementById(copy.dataset.copy)).then(() => { copy.querySelector("span").textContent = copy.dataset.copied; });
});

// Where there is no clipboard to ask (an address that is not https), as browsers did before.
async function copyFrom(field) {
  try { await navigator.clipboard.writeText(field.value); } catch { field.select(); document.execCommand("copy"); }
}

// Which file was chosen, in the page's own words.
document.addEventListener("change", ({ target }) => {
  if (target.matches(".file input") && target.files.length) document.getElementById("chosen").textContent = target.files[0].name;
});

// A question that is hidden is not asked: its answer is not sent.
document.addEventListener("submit", ({ target }) => {
  if (target.matches("form.setup")) for (const set of target.querySelectorAll("fieldset")) set.disabled = getComputedStyle(set).display === "none";
});

// A name is kept as it is written: who goes straight on to a game need not save it first.
let named;
document.addEventListener("input", ({ target }) => {
  if (!target.matches("form.me [name]")) return;
  clearTimeout(named);
  named = setTimeout(() => fetch("/name", { method: "POST", body: new URLSearchParams({ name: target.value }), redirect: "manual" }), 250);
});
