"""The passphrase that keeps a person across devices: argon2id, hashed in a thread, few at a time; tries are counted."""

from __future__ import annotations

import asyncio
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from recollect.table.limits import Allowance

SHORTEST, LONGEST = 12, 200
AT_ONCE = 2  # hashes at the same time: each takes 64 MiB and a good part of a second of one core
WAITING = 16  # who may wait for one; whoever comes then is told to come later
TRIES, A_WHILE = 10.0, 600.0  # tries from one address, and for one name, in so many seconds


T = TypeVar("T")


class Busy(Exception):
    """Too many tries, or too many at once: come back in a while."""


def normal(text: str) -> str:
    """The same words typed on another keyboard are the same."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


class Keeper:
    """Makes and checks hashes; says no to who tries too often."""

    def __init__(self, hasher: PasswordHasher | None = None, most: int = 10_000) -> None:
        self.hasher = hasher or PasswordHasher()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._tries: OrderedDict[str, Allowance] = OrderedDict()
        self._most = most
        self._nobody: str | None = None  # a hash of no passphrase: a name that nobody has takes as long as one that somebody has

    def count(self, *keys: str) -> None:
        """One more try by these; each has so many in a while."""
        for key in keys:
            allowance = self._tries.pop(key, None) or Allowance(TRIES / A_WHILE, TRIES)
            self._tries[key] = allowance
            if len(self._tries) > self._most:
                self._tries.popitem(last=False)
            if not allowance.may():  # who is refused owes nothing: else anybody could lock a name for days
                raise Busy

    async def hash(self, passphrase: str) -> str:
        return await self._in_turn(self.hasher.hash, normal(passphrase))

    async def matches(self, hash: str | None, passphrase: str) -> bool:
        """Whether it is the passphrase of this hash; None is nobody's."""
        if self._nobody is None:
            self._nobody = await self._in_turn(self.hasher.hash, "nobody")
        return await self._in_turn(self._check, hash or self._nobody, normal(passphrase)) and hash is not None

    def _check(self, hash: str, passphrase: str) -> bool:
        try:
            return self.hasher.verify(hash, passphrase)
        except (VerificationError, InvalidHashError):
            return False

    async def _in_turn(self, work: Callable[..., T], *args: str) -> T:
        if self._waiting >= WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._room:
                return await asyncio.to_thread(work, *args)
        finally:
            self._waiting -= 1
