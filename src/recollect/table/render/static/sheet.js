// Pages that are not live: the rules open and close, nothing else.
"use strict";

document.addEventListener("click", ({ target }) => {
  const open = target.closest("[data-open]"), close = target.closest("[data-close]");
  if (open) document.getElementById(open.dataset.open).showModal();
  if (close) close.closest("dialog").close();
});

// A question that is hidden is not asked: its answer is not sent.
document.addEventListener("submit", ({ target }) => {
  if (target.matches("form.setup")) for (const set of target.querySelectorAll("fieldset")) set.disabled = getComputedStyle(set).display === "none";
});
