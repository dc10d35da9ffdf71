// That the store keeps nothing is said while it lasts: the page asks after it, and says so no longer when it is over.
"use strict";
{
  const later = () => setTimeout(ask, 3000); // after the answer: who is slow to say how it is, is not asked more
  const ask = async () => {
    const answer = await fetch("/health", { signal: AbortSignal.timeout(20_000) }).catch(() => null);
    if (answer?.ok) document.getElementById("strip")?.remove();
    else later();
  };
  later();
}
