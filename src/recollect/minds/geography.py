"""Undirected Vertex Geography: two players walk a graph in turn, never to a vertex twice; who cannot go on loses.

Whoever is to move from a vertex wins exactly if every largest matching needs it (Fraenkel, Scheinerman, Ullman 1993): the mover goes to
its partner, every time. So a move to v wins exactly if what is left has as large a matching without v as with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from recollect.engine.sets import members


def winning(graph: Sequence[int], left: int, moves: int) -> int:
    """Of these moves, the set of those after which the other loses; graph[v] is the set of v's neighbours."""
    pairs, wins = matching(graph, left), 0
    for v in members(moves & left):
        partner, rest = pairs[v], list(pairs)
        if partner >= 0:
            rest[v] = rest[partner] = -1
        if partner < 0 or augment(graph, left & ~(1 << v), rest, partner):
            wins |= 1 << v
    return wins


def matching(graph: Sequence[int], left: int) -> list[int]:
    """A largest matching among the vertices left: the partner of each, or -1."""
    pairs = [-1] * len(graph)
    for v in members(left):
        if pairs[v] < 0:
            augment(graph, left, pairs, v)
    return pairs


def augment(graph: Sequence[int], left: int, pairs: list[int], root: int) -> bool:
    """Find an augmenting path from an unpaired vertex (Edmonds 1965) and follow it: one pair more."""
    search = _Blossoms(graph, left, pairs, root)
    end = search.path()
    while end >= 0:
        before = search.parent[end]
        following = pairs[before]
        pairs[end], pairs[before] = before, end
        end = following
    return pairs[root] >= 0


class _Blossoms:
    """Breadth first from the root; an odd circle of alternating edges is treated as one vertex, its base."""

    def __init__(self, graph: Sequence[int], left: int, pairs: Sequence[int], root: int) -> None:
        self.graph, self.left, self.pairs, self.root = graph, left, pairs, root
        self.parent, self.base = [-1] * len(graph), list(range(len(graph)))
        self.reached = {root}
        self.queue = deque([root])

    def path(self) -> int:
        """The far end of an augmenting path, or -1."""
        while self.queue:
            v = self.queue.popleft()
            for to in members(self.graph[v] & self.left):
                if self.base[v] == self.base[to] or self.pairs[v] == to:
                    continue
                if to == self.root or (self.pairs[to] >= 0 and self.parent[self.pairs[to]] >= 0):
                    self.contract(v, to)
                elif self.parent[to] < 0:
                    self.parent[to] = v
                    if self.pairs[to] < 0:
                        return int(to)
                    self.reached.add(self.pairs[to])
                    self.queue.append(self.pairs[to])
        return -1

    def contract(self, v: int, to: int) -> None:
        base, inside = self.common(v, to), set[int]()
        self.mark(v, base, to, inside)
        self.mark(to, base, v, inside)
        for i in members(self.left):
            if self.base[i] in inside:
                self.base[i] = base
                if i not in self.reached:
                    self.reached.add(i)
                    self.queue.append(i)

    def common(self, a: int, b: int) -> int:
        """Where the ways back to the root meet."""
        seen = set()
        while True:
            a = self.base[a]
            seen.add(a)
            if self.pairs[a] < 0:
                break
            a = self.parent[self.pairs[a]]
        while self.base[b] not in seen:
            b = self.parent[self.pairs[self.base[b]]]
        return self.base[b]

    def mark(self, v: int, base: int, child: int, inside: set[int]) -> None:
        """One side of the circle, down to its base."""
        while self.base[v] != base:
            inside |= {self.base[v], self.base[self.pairs[v]]}
            self.parent[v] = child
            child = self.pairs[v]
            v = self.parent[child]
