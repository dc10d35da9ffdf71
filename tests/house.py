"""A house to test: the application in this process, or a real server process; and a real browser, when there is one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from people import TestClient

from recollect.table import CONNECTIONS
from recollect.table.app import application

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ROOT = Path(__file__).parents[1]
# Every window of a Chromium without a screen has an address bar all the same, which is drawn as two pages of their own: twice the work of
# the page that is looked at. The rest is what playwright switches off, for of two lists of features the browser reads the last.
UNWANTED = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning"
)
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync",
    f"--disable-features={UNWANTED}",
)  # fmt: skip


@pytest.fixture
def client(where: Path | str) -> Iterator[TestClient]:
    """The application, impatient, without a network."""
    with TestClient(application(where, pace=0.001), base_url="http://testserver", follow_redirects=True) as client:
        yield client


class Server:
    """A real server process over a data folder, or a PostgreSQL; it can be killed and started again. `src`: of these files."""

    def __init__(
        self, data: Path, pace: float = 0.02, store: str | None = None, connections: int = CONNECTIONS, src: Path = ROOT / "src"
    ) -> None:
        self.data, self.pace, self.store, self.connections, self.src = data, pace, store, connections, src
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        code = (
            f"from pathlib import Path; from recollect import table; table.CONNECTIONS = {self.connections}; "
            f"table.serve(port={self.port}, data=Path({str(self.data)!r}), pace={self.pace}, store={self.store!r})"
        )
        env = {**os.environ, "PYTHONPATH": str(self.src)}
        self.process = subprocess.Popen([sys.executable, "-c", code], env=env)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                httpx.get(self.url + "/health", timeout=2)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        """As the power would: no chance to tidy up."""
        if self.process:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a file: to start one takes as long as what most of them ask of it."""
    running = Server(tmp_path_factory.mktemp("house"))
    yield running
    running.kill()


@pytest.fixture
def server(standing: Server) -> Server:
    """A server that runs, whoever killed it before. Whoever comes is new to it, and finds no table of their own."""
    if standing.process is None or standing.process.poll() is not None:
        standing.start()
    return standing


@pytest.fixture(scope="module")  # while playwright runs, no other event loop can
def chromium() -> Iterator[object]:
    """Debian's Chromium, or the reason why there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: 'apt-get install chromium' as root gives one")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
