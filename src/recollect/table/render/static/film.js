// A replay that stands alone: moments come out of the page instead of from a server.
"use strict";

const film = (async () => {
  const packed = Uint8Array.from(atob(document.getElementById("film").textContent), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
})();
const made = ({ texts, pieces }, n) => pieces[n].map((x, i) => (i % 2 ? made({ texts, pieces }, x) : texts[x])).join("");
async function momentOf(step, seat) {
  const all = await film;
  return made(all, all.seats[seat][step]);
}
const place = new URLSearchParams(location.hash.slice(1));
window.addEventListener("load", () => { if (place.has("step")) goTo(Number(place.get("step")), Number(place.get("seat") ?? -1)); });
