"""What the interface for programs says of itself is so: whatever is asked, the answer is one that its description names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from house import ROOT, Server
from hypothesis import HealthCheck, assume, settings
from people import TestClient

from recollect.table.app import application
from recollect.table.live.wire import Say, read
from recollect.table.live.words import EMOTES, PHRASES
from recollect.table.web.api import OPERATIONS, WIRED, described

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("house"), pace=0.001)
    yield running
    running.kill()


@pytest.fixture(scope="module")
def there(server: Server) -> dict[str, Any]:
    """What a program may name that there is: a game, a table that waits with its link, one that is played, tokens."""
    waits = httpx.post(f"{server.url}/api/new/memoarrr", json={}).json()
    seats = [{"who": "me"}, {"who": "companion", "name": "goldfish"}]
    plays = httpx.post(f"{server.url}/api/new/vivid", json={"seats": seats}).json()
    return {
        "game": ["memoarrr", "dejavu"],
        "id": [plays["table"], waits["table"]],
        "secret": [waits["links"]["1"].rsplit("/", 1)[1]],
        "token": [plays["token"], waits["token"]],
    }


schema = schemathesis.openapi.from_dict(described())


@schema.parametrize()
@settings(max_examples=25, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: Any, server: Server, there: dict[str, Any]):
    assume(
        not isinstance(case.body, dict) or not any(isinstance(value, float) for value in case.body.values())
    )  # 1.0 is 1 to JSON Schema alone
    case.call_and_validate(base_url=f"{server.url}/api")
    for turn in range(2):  # the same of what there is, by who may
        for name in case.path_parameters:
            case.path_parameters[name] = there[name][turn % len(there[name])]
        case.headers["Authorization"] = f"Bearer {there['token'][turn]}"
        case.call_and_validate(base_url=f"{server.url}/api")


@pytest.mark.parametrize("asked", [{"authorization": "Bearer nonsense"}, {"host": "evil.example"}])
def test_who_is_not_let_in_is_told_so_as_described(tmp_path: Path, asked: dict[str, str]):
    """Whatever is asked, with or without need of a token, in words and in JSON."""
    with TestClient(application(tmp_path, names=("testserver",))) as client:
        for path, operations in described()["paths"].items():
            for method, operation in operations.items():
                answer = client.request(method, f"/api{path}", headers=asked, **({"json": {}} if method == "post" else {}))
                assert str(answer.status_code) in operation["responses"] and answer.status_code in (401, 421)
                assert answer.json()["status"] == answer.status_code and answer.json()["why"]


def test_the_document_names_every_operation_and_its_program_runs(server: Server):
    text = (ROOT / "docs" / "programs.md").read_text()
    for operation in OPERATIONS:
        assert f"`{operation.method} /api{operation.path}`" in text
    for kind in WIRED:
        assert f'"do": "{kind.__struct_config__.tag}"' in text
    says = [read(said) for said in re.findall(r'`(\{"do": .*?\})`', text)]
    assert [said.what in EMOTES + PHRASES for said in says if isinstance(said, Say)] == [True], "at a table without chat too"
    assert all(f"`{word}`" in text for word in EMOTES + PHRASES)
    [code] = re.findall(r"```python\n(.*?)```", text, re.S)
    told: dict[str, Any] = {}
    exec(code.replace("http://127.0.0.1:8000", server.url), told)
    assert told["sight"]["seat"] == 0 and told["sight"]["n"] > 0
