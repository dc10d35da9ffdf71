"""Chance: small streams for simulation (the same numbers plain, compiled and on a GPU), and sealed draws for real games."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from bisect import bisect_right
from itertools import accumulate

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
    digest = hmac.digest(seed.encode(), str(move).encode(), "sha256")
    up_to = list(accumulate(weights))
    if not up_to or not up_to[-1]:
        raise ValueError("chance has nothing to draw from")
    return bisect_right(up_to, int.from_bytes(digest, "big") * up_to[-1] >> 256)
