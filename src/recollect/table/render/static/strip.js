// That the store keeps nothing is said while it lasts: the page asks after it, and says so no longer when it is over.
"use strict";
{
  const asks = setInterval(async () => {
    const answer = await fetch("/health").catch(() => null);
    if (!answer?.ok) return;
    clearInterval(asks);
    document.getElementById("strip")?.remove();
  }, 3000);
}
