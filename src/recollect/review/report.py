"""The report of a finished match: a plain value, from which the page, the JSON and the words in a terminal are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from recollect.engine.game import Standing
from recollect.engine.match import Match
from recollect.engine.options import Value
from recollect.engine.stream import CHANCE
from recollect.minds.levels import LEVELS
from recollect.review.account import Account, Scales
from recollect.review.curve import SECONDS, TIMES, TURNS, Chance, Fit, Share, chances, fit, shares, tries
from recollect.review.playouts import Estimate, estimates
from recollect.review.watched import Decision, Exposure, Watched

OUTCOMES = ("used", "missed", "lucky", "guessed", "left")


@dataclass
class Flip:
    """A card turned: the steps by which the page counts time."""

    entry: int
    turn: int
    seat: int
    place: str
    face: str
    outcome: str = ""
    round: int = 0  # where a game has rounds


@dataclass
class Curve:
    """How one seat remembers: in this game, and in earlier ones where they are given."""

    chances: list[Chance]  # of this game
    games: int
    turns: list[Share]
    seconds: list[Share]
    times: list[Share]
    fit: Fit | None

    def json(self) -> dict[str, Any]:
        by = {name: [s.json() for s in getattr(self, name)] for name in ("turns", "seconds", "times")}
        f = self.fit
        fitted = f and {
            "decay": 0.5,
            "threshold": f.threshold,
            "noise": f.noise,
            "intervals": {"threshold": f.thresholds, "noise": f.noises},
            "chances": f.chances,
            "recall": [[turns, *f.recall(turns)] for turns in (1, 2, 4, 8, 16, 32)],
        }
        return {"games": self.games, "used": sum(c.used for c in self.chances), "chances": len(self.chances), "by": by, "fit": fitted}


@dataclass
class Report:
    """Everything that can be said after the game."""

    game: str
    options: dict[str, Value]
    players: int
    names: list[str]
    standing: Standing
    commitment: str
    entries: int
    flips: list[Flip]
    leads: list[tuple[int, int, float]]  # turn, whose, and the lead of seat 0 over the best of the others after it
    left: dict[str, tuple[int, int]]  # places whose card was taken: with which entry, and by whom
    exposures: list[list[Exposure]]
    decisions: list[Decision]
    curves: list[Curve]
    account: Account | None
    estimates: list[Estimate]
    companions: dict[str, list[float]] = field(default_factory=dict)  # their curves: chance of recall after 1, 2, ... turns
    at: float | None = None  # when it ended, in seconds since 1970, where times were kept

    def own(self, seat: int) -> list[Decision]:
        return [d for d in self.decisions if d.seat == seat]

    def counts(self, seat: int) -> dict[str, int]:
        """Used, missed, lucky, guessed; a pair that is begun counts when its second card is turned."""
        found = Counter(d.outcome for d in self.own(seat) if d.kind != "pair" or d.outcome == "missed")
        return {outcome: found[outcome] for outcome in OUTCOMES}

    def json(self, seats: Sequence[int] | None = None) -> dict[str, Any]:
        chosen = range(self.players) if seats is None else seats
        return {
            "game": self.game,
            "options": self.options,
            "names": self.names,
            "entries": self.entries,
            "scores": self.standing.scores,
            "ranking": self.standing.ranking,
            "account": self.account.json() if self.account else None,
            "seats": [self._seat(seat) for seat in chosen],
            "companions": self.companions,
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        lost = [asdict(x) for x in self.account.lost if x.seat == seat] if self.account else []
        return {
            "seat": seat,
            "counts": self.counts(seat),
            "exposures": [{k: v for k, v in asdict(e).items() if k != "ended"} for e in self.exposures[seat]],
            "decisions": [_decision(d) for d in self.own(seat)],
            "losses": lost,
            "estimates": [asdict(e) for e in self.estimates if e.seat == seat],
            "curve": self.curves[seat].json(),
        }


def _decision(d: Decision) -> dict[str, Any]:
    could = [{"place": m.place, "face": m.face, "turns": m.turns, "seconds": m.seconds, "times": m.times} for m in d.wanted]
    said = {name: getattr(d, name) for name in ("entry", "turn", "kind", "place", "face", "outcome")}
    return {**said, "could_have_known": could}


def review(
    match: Match, times: Sequence[float] = (), names: Sequence[str] = (), earlier: Sequence[Sequence[tuple[Chance, ...]]] = ()
) -> Report:
    """The report of a finished match. `earlier` holds, for each seat, the chances of other games of the same person."""
    if not match.over:
        raise ValueError("the game is not over: nothing is told of it before its end")
    watched = Watched(match, times)
    account = Scales(match).account() if match.game.name == "ptibapt" and match.players == 2 else None
    for d in watched.decisions:
        if d.outcome == "missed" and _free(d, match, account):
            d.outcome = "left"
    flips = _flips(match, watched)
    return Report(
        match.game.name,
        match.options,
        match.players,
        list(names) or [f"{seat + 1}" for seat in range(match.players)],
        match.standing(),
        match.commitment,
        len(match.log),
        flips,
        _leads(match, watched),
        watched.left,
        watched.exposures,
        watched.decisions,
        [_curve(watched.decisions, seat, earlier[seat] if seat < len(earlier) else ()) for seat in range(match.players)],
        account,
        estimates(match, watched.decisions) if match.game.name == "memoarrr" else [],
        {level.name: level.curve(32)[1:] for level in LEVELS},
        times[-1] if times else None,
    )


def _free(d: Decision, match: Match, account: Account | None) -> bool:
    """Whether nothing was lost by leaving what was known: by the account, or because alone a pair can wait."""
    return d.entry not in {x.entry for x in account.lost} if account else match.players == 1 and d.kind == "pair"


def chances_of(match: Match, times: Sequence[float] = ()) -> list[tuple[Chance, ...]]:
    """For each seat the chances of one finished match, to be kept and given as `earlier` to the reports of later ones."""
    if not match.over:
        raise ValueError("the game is not over: nothing is told of it before its end")
    decisions = Watched(match, times).decisions
    return [tuple(chances(d for d in decisions if d.seat == seat)) for seat in range(match.players)]


def _curve(decisions: Sequence[Decision], seat: int, earlier: Sequence[tuple[Chance, ...]]) -> Curve:
    own = [d for d in decisions if d.seat == seat]
    now = chances(own)
    every = [*now, *(chance for game in earlier for chance in game)]
    by = (shares(every, "turns", TURNS), shares(every, "seconds", SECONDS), shares(every, "times", TIMES))
    return Curve(now, 1 + len(earlier), *by, fit(every, tries(own)))


def _flips(match: Match, watched: Watched) -> list[Flip]:
    """Every card turned."""
    outcomes = {d.entry: d.outcome for d in watched.decisions}
    flips = []
    for n, (seat, action) in enumerate(match.log):
        if seat != CHANCE and action in watched.recall.ACTIONS:
            place = watched.places[action - watched.recall.ACTIONS.start]
            flips.append(Flip(n + 1, watched.numbers[n], seat, place, "", outcomes.get(n + 1, ""), watched.rounds[n]))
    shown = {(e.entry, e.place): e.face for exposures in watched.exposures for e in exposures}
    for flip in flips:
        flip.face = shown.get((flip.entry, flip.place)) or shown.get((flip.entry + 1, flip.place), "")
    return flips


def _leads(match: Match, watched: Watched) -> list[tuple[int, int, float]]:
    """The lead after every turn."""
    record = match.game.start(match.options)
    s = match.game.state.open(record)
    ends = {turn: n for n, turn in enumerate(watched.numbers)}
    movers = {watched.numbers[n]: seat for n, (seat, _) in enumerate(match.log) if seat != CHANCE}
    leads = []
    for n, (seat, action) in enumerate(match.log):
        match.game.rules.apply(s, seat, action)
        turn = watched.numbers[n]
        if ends[turn] == n and turn in movers:
            scores = match.game.standing(s, match.players).scores
            leads.append((turn, movers[turn], float(scores[0] - max(scores[1:], default=0))))
    return leads
