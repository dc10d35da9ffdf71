"""Where people meet: pages, seats, live updates, store."""

from __future__ import annotations

import errno
import gc
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

CONNECTIONS = 8_000  # at once; who comes then takes the place of one that asks for nothing, or is told to come back
BURST = 2_048  # that may come in one turn of the loop, before room is made for them
OURS = 256  # files of our own

HABITS: dict[str, Any] = {"log_level": "warning", "log_config": None, "ws_max_size": 64 * 1024, "timeout_graceful_shutdown": 2}


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path = Path("data"),
    pace: float = 1.0,
    names: Sequence[str] | None = None,
    store: str | None = None,
) -> None:
    """Serve the table until interrupted. Everything that must survive lies in the folder `data`, or in the PostgreSQL `store`.
    Only who asks for it by one of its names is answered: this machine's own, and those given ("*" is any)."""
    import uvicorn

    from recollect.table.app import application
    from recollect.table.web.connection import Patient, own_names
    from recollect.table.web.socket import Packed

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print("\n".join(addresses(host, self.servers[0].sockets[0].getsockname()[1])), flush=True)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await house.state.house.rest()
            await super().shutdown(sockets)

    with nullcontext() if store else alone(Path(data)):
        listening = door(host, port)
        house = application(store or Path(data), pace, names={*own_names(host), *(names or ())})
        gc.freeze()  # what is loaded once is not looked through again and again
        gc.set_threshold(5_000, 1_200, 0)  # what is new is looked through once, a little at a time; all of it rarely: pages leave none
        sys.setswitchinterval(0.0005)  # the writer takes turns with the loop at each statement: half a millisecond, not five
        config = uvicorn.Config(house, host=host, port=port, http=Patient, ws=Packed, limit_concurrency=more_files(CONNECTIONS), **HABITS)
        with listening:
            Server(config).run(sockets=[listening])


def door(host: str, port: int) -> socket.socket:
    """The door, still closed: nobody waits before it while the house is made ready. A port that somebody else has is said in one line."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        reason = "is in use already" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
        raise OSError(f"port {port} of {host} {reason}; choose another with --port") from None
    return bound


def more_files(wanted: int) -> int:
    """Room for as many connections; how many there can be, a few files kept for ourselves."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return wanted
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + BURST + OURS
    ceiling = most if most != resource.RLIM_INFINITY else needed
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, min(needed, ceiling)), most))
    return int(min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 128))


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """One server for one data folder: two would each have half of what happens. The lock ends with the process, however it ends."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (data / "lock").open("w") as lock:
        (data / "lock").chmod(0o600)  # one that an earlier version left too
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass  # a system without such locks
        except BlockingIOError:
            raise OSError(f"the folder {data} is in use by another server; choose another with --data") from None
        yield


def addresses(host: str, port: int) -> list[str]:
    """Where to point a browser."""
    if host not in ("0.0.0.0", "::"):
        return [f"The table is open: http://{host}:{port}/"]
    return [f"The table is open: http://127.0.0.1:{port}/", f"For others on your network: http://{own_address()}:{port}/"]


def own_address() -> str:
    """This machine's address on its network (nothing is sent: choosing a route is enough)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
