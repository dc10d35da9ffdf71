"""Undirected Vertex Geography, beside a search of every line."""

from __future__ import annotations

import random
from functools import cache

import recollect
from recollect.engine.sets import members
from recollect.minds.geography import matching, winning


def by_search(graph, left, moves):
    @cache
    def wins(at, left):
        return any(not wins(to, left & ~(1 << to)) for to in members(graph[at] & left))

    return sum(1 << v for v in members(moves & left) if not wins(v, left & ~(1 << v)))


def test_matching_tells_the_winning_moves():
    rng = random.Random(3)
    for _ in range(300):
        n = rng.randint(1, 9)
        graph = [0] * n
        for a in range(n):
            for b in range(a):
                if rng.random() < rng.choice((0.2, 0.5)):
                    graph[a] |= 1 << b
                    graph[b] |= 1 << a
        left = rng.getrandbits(n)
        assert winning(graph, left, left) == by_search(graph, left, left)


def test_the_island_without_one_card_pairs_up_completely():
    links = recollect.load("memoarrr").rules.LINKS.tolist()
    graph = [links[v] & ~(1 << v) for v in range(25)]
    for gone in range(25):
        left = (1 << 25) - 1 & ~(1 << gone)
        assert sum(p >= 0 for p in matching(graph, left)) == 24
        assert winning(graph, left, left) == 0, "whoever opens loses"
