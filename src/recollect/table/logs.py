"""The log of a server: plain lines for people, or one JSON object a line for programs that gather logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"at": at, "level": record.levelname.lower(), "from": record.name, "says": record.getMessage()}
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def keep_log(kind: str, level: str) -> None:
    """To the standard error, where a service manager takes it up."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines() if kind == "json" else logging.Formatter(PLAIN))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("recollect").setLevel(level.upper())
