"""A QR code of an invitation, so that a phone across the table can join: byte mode, level L, versions 1 to 5 (one block each)."""

from __future__ import annotations

from itertools import product

DATA = {1: 19, 2: 34, 3: 55, 4: 80, 5: 108}  # bytes of data in each version
CHECK = {1: 7, 2: 10, 3: 15, 4: 20, 5: 26}  # bytes of correction after them
Grid = list[list[int | None]]


def qr(text: str) -> list[list[int]] | None:
    """The dark modules (1) row by row; None if the text is too long."""
    payload = text.encode()
    version = next((v for v, room in DATA.items() if len(payload) + 2 <= room), None)
    if version is None:
        return None
    bits = f"0100{len(payload):08b}" + "".join(f"{byte:08b}" for byte in payload)
    bits += "0" * min(4, 8 * DATA[version] - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]
    data += [(236, 17)[i % 2] for i in range(DATA[version] - len(data))]
    stream = "".join(f"{byte:08b}" for byte in data + correction(data, CHECK[version]))
    return min((drawn(version, stream, mask) for mask in range(8)), key=penalty)


def path(modules: list[list[int]]) -> str:
    """The modules as an SVG path of one unit each."""
    return "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, dark in enumerate(row) if dark)


# -- Reed-Solomon over GF(256)


def times(a: int, b: int) -> int:
    out = 0
    for i in range(7, -1, -1):
        out = (out << 1) ^ (0x11D if out & 0x80 else 0)
        if b >> i & 1:
            out ^= a
    return out


def correction(data: list[int], count: int) -> list[int]:
    """The remainder of the data divided by the generator polynomial of this degree."""
    generator, root = [1], 1
    for _ in range(count):
        generator = [a ^ b for a, b in zip([*generator, 0], [0, *(times(g, root) for g in generator)], strict=True)]
        root = times(root, 2)
    rest = [*data, *[0] * count]
    for i in range(len(data)):
        factor = rest[i]
        for j, g in enumerate(generator):
            rest[i + j] ^= times(g, factor)
    return rest[len(data) :]


# -- drawing


def frame(version: int) -> Grid:
    """Finders, timing, alignment, and room for the format."""
    size = 17 + 4 * version
    grid: Grid = [[None] * size for _ in range(size)]
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for y, x in product(range(-1, 8), repeat=2):
            if 0 <= top + y < size and 0 <= left + x < size:
                ring = max(abs(y - 3), abs(x - 3))
                grid[top + y][left + x] = int(ring in (0, 1, 3))
    for i in range(8, size - 8):
        grid[6][i] = grid[i][6] = 1 - i % 2
    if version > 1:
        for y, x in product(range(-2, 3), repeat=2):
            grid[size - 7 + y][size - 7 + x] = int(max(abs(y), abs(x)) != 1)
    for i in range(9):
        for y, x in ((8, i), (i, 8)):
            grid[y][x] = 0 if grid[y][x] is None else grid[y][x]
    for i in range(8):
        grid[8][size - 1 - i] = grid[size - 1 - i][8] = 0
    grid[size - 8][8] = 1
    return grid


def drawn(version: int, stream: str, mask: int) -> list[list[int]]:
    """The bits laid in pairs of columns from the right, up and down, under a mask; then the format."""
    grid = frame(version)
    size, bits = len(grid), iter(stream)
    upward = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for y in range(size - 1, -1, -1) if upward else range(size):
            for x in (right, right - 1):
                if grid[y][x] is None:
                    grid[y][x] = int(next(bits, "0")) ^ masked(mask, y, x)
        upward = not upward
    write_format(grid, mask)
    return [[int(bool(module)) for module in row] for row in grid]


def masked(mask: int, y: int, x: int) -> int:
    return int(
        (
            (y + x) % 2,
            y % 2,
            x % 3,
            (y + x) % 3,
            (y // 2 + x // 3) % 2,
            y * x % 2 + y * x % 3,
            (y * x % 2 + y * x % 3) % 2,
            ((y + x) % 2 + y * x % 3) % 2,
        )[mask]
        == 0
    )


def write_format(grid: Grid, mask: int) -> None:
    """Level L and the mask, with their own correction, twice."""
    rest = value = 0b01 << 3 | mask
    for _ in range(10):
        rest = (rest << 1) ^ (0x537 if rest >> 9 & 1 else 0)
    code, size = (value << 10 | rest) ^ 0x5412, len(grid)
    near = [(8, i) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    far = [(size - 1 - i, 8) for i in range(7)] + [(8, size - 8 + i) for i in range(8)]
    for i, ((y, x), (v, u)) in enumerate(zip(near, far, strict=True)):
        grid[y][x] = grid[v][u] = code >> (14 - i) & 1


def penalty(modules: list[list[int]]) -> int:
    """How hard it would be to read: long runs, blocks, false finders, too much of one colour."""
    size, lines = len(modules), [*modules, *map(list, zip(*modules, strict=True))]
    bad = 0
    for line in lines:
        text = "".join(map(str, line))
        bad += sum(max(0, len(run) - 2) for bit in "01" for run in text.replace("1" if bit == "0" else "0", " ").split() if len(run) >= 5)
        bad += 40 * sum(text.startswith(false, i) for i in range(size - 10) for false in ("10111010000", "00001011101"))
    for y, x in product(range(size - 1), repeat=2):
        bad += 3 * (modules[y][x] == modules[y][x + 1] == modules[y + 1][x] == modules[y + 1][x + 1])
    return bad + 10 * (abs(20 * sum(map(sum, modules)) - 10 * size * size) // (size * size))
