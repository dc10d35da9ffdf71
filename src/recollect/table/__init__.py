"""Where people meet: pages, seats, live updates, store."""

from __future__ import annotations

import socket
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

    config = uvicorn.Config(
        application(Path(data), pace), host=host, port=port, log_level="warning", ws_max_size=64 * 1024, timeout_graceful_shutdown=2
    )
    Server(config).run()


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
