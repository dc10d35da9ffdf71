"""A PostgreSQL of the tests' own: in a temporary folder, as a user who is not root, reached by a socket in that folder alone."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PATIENCE = 180  # seconds: on a machine with much else to do


def programs() -> Path | None:
    """Where initdb and pg_ctl are."""
    said = []
    if tool := shutil.which("pg_config"):
        said = [Path(subprocess.run([tool, "--bindir"], capture_output=True, text=True, check=False).stdout.strip())]
    found = [*said, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


def missing() -> str:
    """Why there is none; empty when there is."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed (the extra recollect[postgres])"
    return "" if programs() else "there is no PostgreSQL here (apt-get install postgresql)"


class Cluster:
    """One server with one database, which every test finds empty."""

    def __init__(self, *settings: str) -> None:
        self.bin, self.folder = programs(), Path(tempfile.mkdtemp(prefix="recollect-pg-"))
        self.user = owner()
        if os.getuid() == 0:
            shutil.chown(self.folder, self.user)
        self.data, self.settings = self.folder / "data", settings
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "recollect", "-E", "UTF8", "--no-sync")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        """To its end, however busy the machine; what it said is the reason when it fails."""
        as_user = {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid} if os.getuid() == 0 else {}
        with tempfile.TemporaryFile("w+") as said:  # no pipe: the server that pg_ctl leaves behind would keep it open
            done = subprocess.run(
                [str(self.bin / program), *arguments],
                cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                timeout=2 * PATIENCE,
                check=False,
                **as_user,
            )
            said.seek(0)
            assert done.returncode == 0, f"{program} ended with {done.returncode}: {said.read()[-2000:]}{self._logged()}"

    def _logged(self) -> str:
        """The end of what the server has written down."""
        log = self.folder / "log"
        return f"; its log ends: {log.read_text('utf-8', 'replace')[-2000:]}" if log.exists() else ""

    def start(self) -> None:
        options = " ".join(["-c listen_addresses=", f"-k {self.folder}", *(f"-c {setting}" for setting in self.settings)])
        self._run("pg_ctl", "-D", str(self.data), "-l", str(self.folder / "log"), "-w", "-t", str(PATIENCE), "-o", options, "start")
        self._wait_for_an_answer()

    def _wait_for_an_answer(self) -> None:
        """What pg_ctl calls started may still turn people away for a moment."""
        import psycopg

        until = time.monotonic() + PATIENCE
        while True:
            try:
                with psycopg.connect(self.address, connect_timeout=10) as db:
                    db.execute("select 1")
                return
            except psycopg.OperationalError as error:
                assert time.monotonic() < until, f"PostgreSQL does not answer: {error}{self._logged()}"
                time.sleep(0.1)

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", how, "stop")

    @property
    def address(self) -> str:
        return f"postgresql://recollect@/postgres?host={self.folder}"

    def empty(self) -> None:
        """As if nothing had ever been kept (quicker than another database), and whoever is still there were not."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as db:
            db.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
            )
            db.execute("drop schema public cascade; create schema public")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


class Cable:
    """The way to a server, which can be cut: nothing comes through and nobody is told, until it is mended."""

    def __init__(self, there: str | tuple[str, int]) -> None:
        self._there, self._kind = there, socket.AF_UNIX if isinstance(there, str) else socket.AF_INET
        self.folder = Path(tempfile.mkdtemp(prefix="recollect-cable-"))
        self.came = 0  # connections
        self._open: list[threading.Event] = []  # for each connection, whether anything comes through
        self._whole = True
        self._door = socket.socket(self._kind)
        self._door.bind(str(self.folder / ".s.PGSQL.5432") if isinstance(there, str) else ("127.0.0.1", 0))
        self._door.listen()
        self.port = None if isinstance(there, str) else self._door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, new: bool = True) -> None:
        """What is there, and what comes, unless new ones find another way."""
        self._whole = not new
        for through in self._open:
            through.clear()

    def mend(self) -> None:
        self._whole = True
        for through in self._open:
            through.set()

    def _accept(self) -> None:
        while True:
            try:
                near = self._door.accept()[0]
            except OSError:
                return
            self.came += 1
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self._open.append(through := threading.Event())
        if self._whole:
            through.set()
        with near, socket.socket(self._kind) as far:
            try:
                far.connect(self._there)
            except OSError:  # nobody is there any more, and the end says so: a browser may come back when its server is gone
                return
            back = threading.Thread(target=self._carry, args=(far, near, through), daemon=True)
            back.start()
            self._carry(near, far, through)
            back.join()

    def _carry(self, one: socket.socket, other: socket.socket, through: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while said := one.recv(65536):
                through.wait()
                other.sendall(said)
        through.wait()  # nor that it has ended
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def remove(self) -> None:
        self.mend()
        self._door.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def owner() -> str:
    """PostgreSQL does not serve root."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid()).pw_name
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if why := missing():
        pytest.skip(why)
    cluster = Cluster("fsync=off")
    yield cluster
    cluster.remove()


@pytest.fixture
def postgresql(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty database; what a test leaves open is closed after it."""
    from recollect.table.store import postgres

    links, connect = [], postgres.connect

    def counted(address: str) -> postgres.Link:
        links.append(connect(address))
        return links[-1]

    monkeypatch.setattr(postgres, "connect", counted)
    yield cluster.address
    for link in links:
        link.close()
    cluster.empty()


@pytest.fixture
def cable(cluster: Cluster, postgresql: str) -> Iterator[Cable]:
    cable = Cable(str(cluster.folder / ".s.PGSQL.5432"))
    yield cable
    cable.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a store is: a data folder, or a database. What uses it is tried over both."""
    return tmp_path if request.param == "sqlite" else str(request.getfixturevalue("postgresql"))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | str]:
    """The same, for all tests of a file together."""
    if request.param == "sqlite":
        yield tmp_path_factory.mktemp("place")
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        yield cluster.address
        cluster.empty()
