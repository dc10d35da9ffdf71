"""Where people meet: pages, seats, live updates, store."""

from __future__ import annotations

import gc
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def serve(host: str = "127.0.0.1", port: int = 8000, data: Path = Path("data"), pace: float = 1.0) -> None:
    """Serve the table until interrupted. Everything that must survive lies in the folder `data`."""
    import uvicorn

    from recollect.table.app import application

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print("\n".join(addresses(host, self.servers[0].sockets[0].getsockname()[1])), flush=True)

    with alone(Path(data)):
        house = application(Path(data), pace)
        gc.freeze()  # what is loaded once is not looked through again and again
        gc.set_threshold(20_000, 20, 20)
        config = uvicorn.Config(house, host=host, port=port, log_level="warning", ws_max_size=64 * 1024, timeout_graceful_shutdown=2)
        Server(config).run()


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """One server for one data folder: two would each have half of what happens. The lock ends with the process, however it ends."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / "lock").open("w") as lock:
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
