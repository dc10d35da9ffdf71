"""Operations that programs may ask for, and their description as OpenAPI, made from the types of what goes in and comes out."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any

import msgspec

from recollect.table.render.numbers import Refusal


@dataclass(frozen=True)
class Operation:
    """One thing that a program may ask: where, what it says, what it is answered, and how it may be refused."""

    method: str
    path: str
    do: Callable[..., Awaitable[Any]]
    answer: type
    refused: Sequence[int] = ()
    body: type[msgspec.Struct] | None = None
    status: int = 200
    known: bool | None = None  # with a token; None: with or without one

    @property
    def refusals(self) -> list[int]:
        """Every status with which it may be refused."""
        always = [401, 421, 500, 503]  # 401: who needs no token may have sent one that opens nothing
        posted = [400, 403, 413, 429] if self.method == "POST" else []
        return sorted({*always, *posted, *self.refused})

    @cached_property
    def types(self) -> list[type]:
        return [self.answer, Refusal, *([self.body] if self.body else [])]


def openapi(operations: Sequence[Operation], title: str, version: str, says: str, also: Sequence[type] = ()) -> dict[str, Any]:
    """The whole description; `also` are types that go over the socket."""
    types = list(dict.fromkeys([*(kind for operation in operations for kind in operation.types), *also]))
    references, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    named = dict(zip(types, references, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(re.sub(r":\w+}", "}", operation.path), {})[operation.method.lower()] = described(operation, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": says},
        "servers": [{"url": "/api"}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}},
    }


def described(operation: Operation, named: dict[type, Any]) -> dict[str, Any]:
    """One operation."""

    def content(kind: type) -> dict[str, Any]:
        return {"application/json": {"schema": named[kind]}}

    names = re.findall(r"{(\w+)", operation.path)
    out: dict[str, Any] = {
        "operationId": operation.do.__name__,
        "summary": (operation.do.__doc__ or "").strip(),
        "parameters": [{"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}} for name in names],
        "responses": {
            str(operation.status): {"description": (operation.answer.__doc__ or "").strip(), "content": content(operation.answer)},
            **{str(status): {"description": HTTPStatus(status).phrase, "content": content(Refusal)} for status in operation.refusals},
        },
    }
    if operation.body:
        out["requestBody"] = {"required": True, "content": content(operation.body)}
    if operation.known is not False:
        out["security"] = [{"seat": []}] if operation.known else [{"seat": []}, {}]
    return out
