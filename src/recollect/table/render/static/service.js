// When the house cannot be reached, a page says so. Nothing of a game is ever kept here.
"use strict";

const SHELF = "recollect-4", PAGE = "/offline", KEPT = [PAGE, "/static/tokens.css", "/static/kit.css", "/static/setup.css", "/static/prefs.js", "/static/offline.js", "/static/icon.svg", "/static/fraunces-latin-wght-normal.woff2"];
addEventListener("install", (event) => event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(KEPT)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name !== SHELF).map((name) => caches.delete(name)))).then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: "window" }).then((open) => {
    const there = open.find((page) => new URL(page.url).pathname === event.notification.data);
    return there ? there.focus() : clients.openWindow(event.notification.data);
  }));
});
