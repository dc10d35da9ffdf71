// The page that a browser shows while the house cannot be reached: it looks again by itself, one question after the other.
"use strict";
async function look() {
  const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(10000) }).catch(() => null);
  if (answer?.ok) return location.reload();
  setTimeout(look, 4000);
}
if (location.pathname !== "/offline") setTimeout(look, 4000);
addEventListener("online", () => location.reload());
