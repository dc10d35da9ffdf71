"""What the companions' thinking costs and loses: `python bench/minds.py [--games 1000]`.

Rule steps a second of one core, by every search of two elephants in a few games; and Pti Bapt's elephant against the exact table: what
each of its decisions loses, over many base games against elephant, goldfish and sensible.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

import recollect
from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.minds import Seated, mind
from recollect.minds.pairs import ptibapt
from recollect.minds.thinking import Thinker, warm
from recollect.minds.walker import Player

SEARCHES = ("turn", "tree", "exact")


def watched(name: str, tally: Counter[str]) -> Any:
    """A search whose steps and processor time are added up."""
    search = getattr(Thinker, name)

    def run(self: Thinker, *args: Any, **kwargs: Any) -> Any:
        start = time.thread_time()
        found = search(self, *args, **kwargs)
        tally[name + " s"] += time.thread_time() - start  # type: ignore[assignment]
        tally[name] += found.steps if found else 0
        return found

    return run


def elephants(game: Game, key: str, names: tuple[str, str] = ("elephant", "elephant")) -> tuple[Match, list[Seated]]:
    """A match, and who sits at it."""
    match = game.match(seed=f"minds {key}")
    return match, [Seated(game, match.options, seat, mind(game, name), key) for seat, name in enumerate(names)]


def speed(name: str, games: int) -> str:
    """A line of the table."""
    game = recollect.load(name)
    warm(game)
    tally, kept = Counter[str](), {search: getattr(Thinker, search) for search in SEARCHES}
    for search in SEARCHES:
        setattr(Thinker, search, watched(search, tally))
    for n in range(games):
        match, seats = elephants(game, str(n))
        while not match.over:
            seat = min(match.acting)
            match.play(seat, seats[seat].choose(match.log))
    for search, plain in kept.items():
        setattr(Thinker, search, plain)
    rates = [f"{search} {tally[search] / tally[search + ' s']:,.0f}" for search in SEARCHES if tally[search]]
    whole = sum(tally[search] for search in SEARCHES) / sum(tally[search + " s"] for search in SEARCHES)
    return f"| {name} | {games} | {whole:,.0f} | {', '.join(rates)} |"


def loss(exact: Player, k: Any, action: int) -> float:
    """What an action loses against the best, in points."""
    last = k.idle == exact.patience - 1
    options = ptibapt(bool(k.replay), bool(k.stalemate), exact.points).options(exact.knowledge(k), exact.first(k), last)
    face = k.card[action - exact.turn]
    return float(max(options.values()) - max(v for move, v in options.items() if exact.means(k, move, face)))


def regret(games: int) -> str:
    """The elephant's decisions in Pti Bapt against the exact table."""
    game = recollect.load("ptibapt")
    exact, decisions, most = Player(game), 0, 0.0
    for n in range(games):
        other = ("elephant", "goldfish", "sensible")[n % 3]
        match, seats = elephants(game, str(n), ("elephant", other) if n % 2 else (other, "elephant"))
        while not match.over:
            seat = min(match.acting)
            action = seats[seat].choose(match.log)
            if seats[seat].mind.name == "elephant" and len(match.legal(seat)) > 1:
                decisions, most = decisions + 1, max(most, loss(exact, match.knowledge(seat), action))
            match.play(seat, action)
    return f"Pti Bapt: {games:,} games, {decisions:,} decisions of the elephant; the most that one lost: {most:.1e} points"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="Of Pti Bapt, for the regret.")
    parser.add_argument("--played", type=int, default=2, help="Of each other game, for the speed.")
    args = parser.parse_args()
    print("| game | games | rule steps a second | by search |\n|---|---|---|---|", flush=True)
    for name in ("memoarrr", "vivid", "dejavu"):
        print(speed(name, args.played), flush=True)
    print(regret(args.games), flush=True)


if __name__ == "__main__":
    main()
