"""How long a click takes to be on both of two open browsers, and how long the table takes to give its first page.

    python bench/clicks.py [--clicks 30]
    python bench/clicks.py --town            # the browsers at two processes over one PostgreSQL

A real server process and Debian's Chromium; Memoarrr!, two people, one by link. A click is timed from the press to the change in each page.
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

WATCH = """() => {
  const now = () => document.getElementById("live").dataset.n;
  const look = () => { if (now() !== window.lastN) { window.lastN = now(); window.changed = Date.now(); } };
  window.lastN = now();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
PRESS = """(el) => { window.pressed = Date.now(); el.click(); }"""
LEGAL = "#live [data-act]"


def serve(store: str | None = None) -> tuple[subprocess.Popen[bytes], str, float]:
    """A server of its own; its address, and the seconds to its first page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.perf_counter()
    where = ["--store", store] if store else ["--data", tempfile.mkdtemp()]
    command = [sys.executable, "-m", "recollect", "serve", "--port", str(port), *where]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    base = f"http://127.0.0.1:{port}"
    while True:
        try:
            urllib.request.urlopen(base, timeout=5).read()
            return server, base, time.perf_counter() - begun
        except OSError:
            time.sleep(0.01)


def two_people(browser: Browser, base: str, other: str) -> list[Page]:
    """A table set by the form, its second seat taken by link, at another process if there is one."""
    host, guest = browser.new_context(base_url=base), browser.new_context(base_url=other)
    mine, theirs = host.new_page(), guest.new_page()
    form = {"players": "2", "seat0": "here", "name0": "Mila", "seat1": "link"}
    made = host.request.post("/new/memoarrr", form=form, headers={"origin": base})
    mine.goto(made.url)
    theirs.goto(str(re.search(r'value="[^"]*?(/t/[^"]+/join/[^"]+)"', mine.content())[1]))  # type: ignore[index]
    theirs.fill("input[name=name]", "Ana")
    theirs.click("form button[type=submit], form button.main")
    for page in (mine, theirs):
        page.wait_for_selector("#table")
        page.evaluate(WATCH)
    return [mine, theirs]


def clicks(browser: Browser, base: str, other: str, count: int) -> list[list[float]]:
    """Milliseconds from each click to the change in the own page and in the other; in as many games as it takes."""
    times: list[list[float]] = []
    pages = two_people(browser, base, other)
    while len(times) < count:
        if pages[0].query_selector(".end"):
            pages = two_people(browser, base, other)
        mine = next((page for page in pages if page.query_selector(LEGAL)), None)
        if mine is None:
            pages[0].wait_for_timeout(50)  # the table shows something to all, and goes on by itself
            continue
        before = [page.evaluate("window.lastN") for page in pages]
        mine.eval_on_selector(LEGAL, PRESS)
        for page, n in zip(pages, before, strict=True):
            while page.evaluate("window.lastN") == n:  # the page allows no eval, so asked again and again
                page.wait_for_timeout(5)
        pressed: Any = mine.evaluate("window.pressed")
        times.append([page.evaluate("window.changed") - pressed for page in pages])
    return times


def measured(base: str, other: str, count: int) -> None:
    with sync_playwright() as p:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        slower = sorted(max(pair) for pair in clicks(browser, base, other, count))
        browser.close()
    print(f"click to both browsers: median {statistics.median(slower):.0f} ms, 90% under {slower[int(0.9 * count)]:.0f} ms, {count} clicks")


def alone(count: int) -> None:
    """One process."""
    firsts = []
    for _ in range(5):
        server, base, seconds = serve()
        server.kill()
        firsts.append(seconds)
    print(f"first page after the start of the process: median {statistics.median(firsts):.2f} s of {len(firsts)} starts")
    server, base, _ = serve()
    try:
        measured(base, base, count)
    finally:
        server.kill()


def town(count: int) -> None:
    """Two processes over one PostgreSQL."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from postgres import Cluster

    cluster = Cluster()
    servers = [serve(cluster.address) for _ in range(2)]
    try:
        measured(servers[0][1], servers[1][1], count)
    finally:
        for server, _, _ in servers:
            server.kill()
        cluster.remove()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clicks", type=int, default=30)
    parser.add_argument("--town", action="store_true", help="the browsers at two processes")
    given = parser.parse_args()
    (town if given.town else alone)(given.clicks)


if __name__ == "__main__":
    main()
