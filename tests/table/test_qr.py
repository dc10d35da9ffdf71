"""The QR code of an invitation can be read back."""

from __future__ import annotations

from itertools import accumulate

import pytest

from recollect.table.qr import DATA, correction, frame, masked, path, qr, times


def read(modules: list[list[int]]) -> bytes:
    """What a reader makes of it: the format, the mask, the columns, the bytes; every check must be even."""
    size = len(modules)
    version = (size - 17) // 4
    format = int("".join(str(modules[8][i]) for i in (0, 1, 2, 3, 4)), 2) ^ 0b10101
    assert format >> 3 == 0b01, "level L"
    free, bits, upward = frame(version), "", True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for y in range(size - 1, -1, -1) if upward else range(size):
            bits += "".join(str(modules[y][x] ^ masked(format & 7, y, x)) for x in (right, right - 1) if free[y][x] is None)
        upward = not upward
    stream = [int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8)]
    for power in range(len(stream) - DATA[version]):
        root = list(accumulate(range(power), lambda r, _: times(r, 2), initial=1))[-1]
        value = 0
        for byte in stream:
            value = times(value, root) ^ byte
        assert value == 0, "no syndrome: nothing to correct"
    whole = "".join(f"{byte:08b}" for byte in stream[: DATA[version]])
    assert whole[:4] == "0100"
    length = int(whole[4:12], 2)
    return bytes(int(whole[12 + 8 * i : 20 + 8 * i], 2) for i in range(length))


@pytest.mark.parametrize(
    "text", ["a", "http://192.168.1.20:8000/t/mL0nyoMw/join/77BLVnPRWaCP", "https://table.example/é" + "x" * 60, "y" * 106]
)
def test_what_is_written_is_read(text: str):
    modules = qr(text)
    assert modules and read(modules) == text.encode()


def test_known_correction():
    """The worked example of the standard (1-M, 01234567): ten check bytes."""
    data = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]
    assert correction(data, 10) == [165, 36, 212, 193, 237, 54, 199, 135, 44, 85]


def test_finders_stand_in_three_corners():
    modules = qr("hello") or []
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    corners = [[row[:7] for row in modules[:7]], [row[-7:] for row in modules[:7]], [row[:7] for row in modules[-7:]]]
    assert all(["".join(map(str, row)) for row in corner] == finder for corner in corners)
    assert path(modules).count("M") == sum(map(sum, modules))


def test_too_long_is_none():
    assert qr("x" * 107) is None
