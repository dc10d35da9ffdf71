"""The proxies' files in `deploy/`, tried: TLS and sockets, two processes over one PostgreSQL, browsers, and a process that is killed."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from house import ROOT, Server

from table.test_browser import play_out

pytestmark = [pytest.mark.browser, pytest.mark.long]
DEPLOY = ROOT / "deploy"
LIT = "#table [data-act]"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nginx(folder: Path, ports: list[int], http: int, https: int) -> list[str]:
    """The file as it is, but for name, ports and certificate; what Debian's nginx.conf has around it, as short as can be."""
    certificate = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *certificate], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    own = {"/etc/ssl/recollect": folder, "recollect.example": "localhost", "8001": ports[0], "8002": ports[1]}
    listening = {f"listen {on}{port}": f"listen {on}{free}" for on in ("", "[::]:") for port, free in ((80, http), (443, https))}
    for said, meant in {**own, **listening}.items():
        assert said in site
        site = site.replace(said, str(meant))
    (folder / "site.conf").write_text(site, "utf-8")
    around = f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; include {folder}/site.conf; }}"
    (folder / "nginx.conf").write_text(around, "utf-8")
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, ports: list[int], http: int, https: int) -> list[str]:
    """The file as it is; the certificate is of Caddy's own making, as always for localhost."""
    around = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {http}\n\thttps_port {https}\n}}\nimport {DEPLOY / 'Caddyfile'}\n"
    (folder / "Caddyfile").write_text(around, "utf-8")
    own = {"RECOLLECT_PROCESSES": " ".join(f"127.0.0.1:{port}" for port in ports), "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    return ["env", *(f"{name}={value}" for name, value in own.items()), "caddy", "run", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": nginx, "caddy": caddy}


@pytest.fixture
def processes(postgresql: str, tmp_path: Path) -> Iterator[list[Server]]:
    running = [Server(tmp_path, store=postgresql) for _ in range(2)]
    yield running
    for process in running:
        process.kill()


@pytest.fixture(params=PROXIES)
def door(request: pytest.FixtureRequest, processes: list[Server], tmp_path: Path) -> Iterator[str]:
    """The address of the house behind a proxy."""
    path = f"{os.environ['PATH']}:/usr/sbin"  # where Debian has nginx, and who is not root does not look
    if not shutil.which(request.param, path=path):
        pytest.skip(f"there is no {request.param} here ('apt-get install {request.param}' as root gives one)")
    http, https = free_port(), free_port()
    command = PROXIES[request.param](tmp_path, [process.port for process in processes], http, https)
    with (tmp_path / "said").open("w") as said:
        proxy = subprocess.Popen(command, stderr=said, env={**os.environ, "PATH": path})
    try:
        wait_for(f"https://localhost:{https}/ready", tmp_path / "said")
        yield f"https://localhost:{https}"
    finally:
        proxy.terminate()
        proxy.wait(10)


def ask(address: str) -> httpx.Response:
    return httpx.get(address, verify=False, timeout=5)


def wait_for(address: str, said: Path) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if ask(address).status_code == 200:
                return
        except (httpx.TransportError, ssl.SSLError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"the proxy does not answer: {said.read_text('utf-8')[-2000:]}")


@pytest.fixture
def person(chromium: Any, door: str) -> Iterator[Any]:
    """A browser that comes by the proxy; a script error fails the test."""
    pages: list[Any] = []

    def come() -> Any:
        page = chromium.new_context(locale="en-GB", base_url=door, ignore_https_errors=True).new_page()
        page.errors, page.sockets = [], []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("websocket", lambda socket: page.sockets.append(socket.url))
        page.set_default_timeout(20_000)
        pages.append(page)
        return page

    yield come
    for page in pages:
        assert page.errors == [] and all(url.startswith("wss://") for url in page.sockets)
        page.context.close()


def test_who_comes_by_ipv6_is_answered(door: str):
    """Names of machines often have both addresses, and browsers take this one first."""
    with httpx.Client(verify=False) as visitor:
        named = {"headers": {"host": door.removeprefix("https://")}, "extensions": {"sni_hostname": "localhost"}}
        given = visitor.get(door.replace("localhost", "[::1]") + "/ready", **named)
    assert given.json() == {"ready": True}


def test_forms_are_answered_by_the_other_as_soon_as_it_is_seen_that_one_is_gone(door: str, processes: list[Server]):
    """Debian's Caddy cannot send a form again, and what it then thinks of the process that lives must not last."""
    processes[0].kill()
    with httpx.Client(base_url=door, verify=False, timeout=10) as visitor:

        def forms() -> list[int]:
            return [visitor.post("/api/t/nonesuch/join", json={"name": "Théo"}).status_code for _ in range(12)]

        forms()
        time.sleep(0.6)
        assert forms() == [404] * 12


def set_table(page: Any, seat: str) -> None:
    """By the form of Pti Bapt, as a host does."""
    page.goto("/new/ptibapt")
    for id in ("players-2", "starts-first", f"seat1-{seat}"):
        page.evaluate("id => document.getElementById(id).click()", id)
    page.fill("[name=name0]", "Mila")
    page.click("#open-table")
    page.wait_for_selector("#live")


def test_a_whole_game_against_a_companion_through_the_proxy(person: Any, door: str):
    assert ask(f"{door}/metrics").status_code == 404, "numbers are for the keeper"
    mila = person()
    set_table(mila, "parrot")
    play_out(mila)
    assert mila.sockets and mila.query_selector(".ranks")


def test_two_see_each_others_clicks_whichever_process_is_killed(person: Any, processes: list[Server]):
    mila, theo = person(), person()
    set_table(mila, "link")
    theo.goto(mila.input_value("#link-1"))
    theo.fill("#name", "Théo")
    theo.click("form .main")
    theo.wait_for_selector(".board")
    turn_a_card(mila, theo)
    for process in processes:
        process.kill()
        turn_a_card(mila, theo)
        process.start()
    play_out(mila, theo)


def turn_a_card(*pages: Any) -> None:
    """Whoever may turns a card, which the other sees."""
    until = time.monotonic() + 20
    while not (able := [page for page in pages if page.query_selector(LIT)]):
        assert time.monotonic() < until, "nobody may do anything"
        pages[0].wait_for_timeout(20)
    before = [page.get_attribute("#live", "data-n") for page in pages]
    able[0].click(LIT)
    for page, n in zip(pages, before, strict=True):
        page.wait_for_function("n => document.getElementById('live').dataset.n !== n", arg=n)
