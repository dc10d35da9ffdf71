"""Where people meet: pages, seats, live updates, store."""

from __future__ import annotations

from pathlib import Path


def serve(host: str = "127.0.0.1", port: int = 8000, data: Path = Path("data"), pace: float = 1.0) -> None:
    """Serve the table until interrupted. Everything that must survive lies in the folder `data`."""
    import uvicorn

    from recollect.table.app import application

    uvicorn.run(
        application(Path(data), pace),
        host=host,
        port=port,
        log_level="warning",
        ws_max_size=64 * 1024,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=2,
    )
