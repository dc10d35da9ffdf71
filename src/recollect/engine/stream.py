"""Chance: small streams for simulation (the same numbers plain, compiled and on a GPU), and sealed draws for real games."""

from __future__ import annotations

import hashlib
import secrets
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import Any

CHANCE = 7  # the seat of chance; it never shares `acting`
_WORD = 0xFFFFFFFF


def below(r, n):
    """A number from 0 to n-1 from the stream r (one int64), which moves on: xorshift32."""
    x = r[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    r[0] = x
    return (x * n) >> 32


def sow(r, key):
    """Start the stream r at a place of its own for every key (murmur's finaliser)."""
    x = (int(key) + 1) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 0x85EBCA6B) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 0xC2B2AE35) & 0xFFFFFFFF
    x ^= x >> 16
    r[0] = x | 1


def new_seed() -> str:
    """A fresh secret seed: 128 random bits, so that its hash gives nothing away."""
    return secrets.token_hex(16)


def commitment(seed: str) -> str:
    """What is published before the first move."""
    return hashlib.sha256(b"recollect:" + seed.encode()).hexdigest()


def draw(seed: str, move: int, weights: list[int]) -> int:
    """The index that the sealed seed draws at this move, by integer odds."""
    up_to = list(accumulate(weights))
    if not up_to or not up_to[-1]:
        raise ValueError("chance has nothing to draw from")
    return bisect_right(up_to, sealed(seed, move) * up_to[-1] >> 256)


@lru_cache(maxsize=1024)  # games over one deal, and a move taken back, ask again
def sealed(seed: str, move: int) -> int:
    """The number of 256 bits that the seed holds for a move: its HMAC-SHA256."""
    inner, outer = keyed(seed)
    said, signed = inner.copy(), outer.copy()
    said.update(b"%d" % move)
    signed.update(said.digest())
    return int.from_bytes(signed.digest(), "big")


@lru_cache(maxsize=1024)  # to go on from a copy takes half the time of beginning with the key
def keyed(seed: str) -> tuple[Any, Any]:
    """Both hashes of an HMAC, begun with the seed as its key (RFC 2104)."""
    key = seed.encode() if len(seed.encode()) <= 64 else hashlib.sha256(seed.encode()).digest()
    key = key.ljust(64, b"\0")
    return hashlib.sha256(bytes(b ^ 0x36 for b in key)), hashlib.sha256(bytes(b ^ 0x5C for b in key))
