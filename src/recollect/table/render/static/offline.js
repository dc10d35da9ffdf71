// The page that a browser shows while the house cannot be reached: it looks again by itself.
"use strict";
if (location.pathname !== "/offline") setInterval(() => fetch("/health", { cache: "no-store" }).then(({ ok }) => ok && location.reload(), () => {}), 4000);
addEventListener("online", () => location.reload());
