"""What the page of a report shows: numbers placed, words chosen."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import Any

from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from recollect.engine.game import Game
from recollect.engine.texts import Texts
from recollect.review.curve import Fit, Share
from recollect.review.report import Flip, Report
from recollect.review.walk import walk_of
from recollect.review.watched import Decision, Exposure, recall_of

FAR = 32  # turns: the right end of the plot
MARKS = {"used": "known", "missed": "forgotten", "lucky": "lucky"}
LABELS = 15  # turns named above the lanes, at most
COSTLY = 4  # decisions named
FUTURE = 1e11  # seconds since 1970: no postmark is later


@dataclass(frozen=True)
class Row:
    """One place, and when its card was shown."""

    place: str
    tails: list[dict[str, Any]]
    marks: list[dict[str, Any]]
    end: dict[str, Any] | None


class Scene:
    """The report as one seat reads it."""

    def __init__(self, report: Report, seat: int, game: Game, language: str) -> None:
        self.report, self.seat, self.game, self.language = report, seat, game, language
        self.recall = recall_of(game)
        self.words: Texts = game.texts(language)
        self.curve = report.curves[seat]
        self.flip = {f.entry: n for n, f in enumerate(report.flips, 1)}

    # -- names and numbers

    @property
    def title(self) -> str:
        return self.words("name")

    @property
    def names(self) -> list[str]:
        return self.report.names

    @cached_property
    def others(self) -> list[int]:
        return [seat for seat in range(self.report.players) if seat != self.seat]

    @property
    def beside(self) -> list[tuple[int, str]]:
        return [(seat, self.names[seat]) for seat in self.others]

    @property
    def other(self) -> str:
        return self.names[self.others[0]] if self.others else ""

    def number(self, value: float, digits: int = 1) -> str:
        return str(format_decimal(value, format="#,##0" + ("." + "0" * digits if digits else ""), locale=self.language)).replace("-", "−")

    def signed(self, value: float, digits: int = 1) -> str:
        text = self.number(abs(value), digits)
        return text if float(f"{value:.{digits}f}") == 0 else ("+" if value > 0 else "−") + text

    def face(self, face: str) -> str:
        """The name of a face; a card that an owner added is called what their file calls it."""
        if f"cards.{face}" in self.words:
            return self.words(f"cards.{face}")
        if "card" not in self.words:
            return face.replace("-", " ").capitalize()
        animal, _, land = face.partition("-")
        return self.words("card", animal=self.words(f"names.{animal}"), land=self.words(f"names.{land}"))

    def picture(self, face: str) -> dict[str, str]:
        symbol, colour = self.recall.picture(face)
        return {"symbol": symbol, "colour": colour, "name": self.face(face)}

    def pictures(self) -> set[str]:
        """Of every card that was turned or shown, and of a back where the table is walked through."""
        faces = {f.face for f in self.report.flips if f.face} | {e.face for shown in self.report.exposures for e in shown}
        return {self.recall.picture(face)[0] for face in faces} | ({"card-back"} if self.walk else set())

    # -- how it ended

    @property
    def scores(self) -> list[dict[str, Any]]:
        order = [self.seat, *self.others]
        return [{"name": self.names[s], "score": self.report.standing.scores[s], "seat": s, "me": s == self.seat} for s in order]

    @property
    def result(self) -> str:
        """won, lost, drawn or alone."""
        ranks = self.report.standing.ranking
        if not self.others:
            return "alone"
        if ranks[self.seat] > 1:
            return "lost"
        return "drawn" if ranks.count(1) > 1 else "won"

    @property
    def margin(self) -> int:
        """How far who won is ahead of who comes next."""
        standing = self.report.standing
        rest = [score for score, rank in zip(standing.scores, standing.ranking, strict=True) if rank > 1]
        return max(standing.scores) - max(rest, default=0)

    @property
    def winners(self) -> list[str]:
        return [self.names[seat] for seat, rank in enumerate(self.report.standing.ranking) if rank == 1]

    @property
    def winner(self) -> str:
        return str(format_list(self.winners, locale=self.language))

    @property
    def level(self) -> str:
        """Several may have won together; points that are level are decided by something else."""
        if self.result not in ("won", "lost"):
            return ""
        return ("_together" if len(self.winners) > 1 else "") + ("" if self.margin else "_level")

    @cached_property
    def behind(self) -> tuple[int, int] | None:
        """The deepest point of a game that was won all the same: turn, and points behind."""
        low = min(((self.sign * lead, turn) for turn, _, lead in self.report.leads), default=(0, 0))
        return (low[1], round(-low[0])) if self.result == "won" and self.report.players == 2 and low[0] <= -3 else None

    @property
    def sign(self) -> int:
        return 1 if self.seat == 0 else -1

    @cached_property
    def counts(self) -> dict[str, int]:
        """As they are marked: whatever was turned that nobody could know, whether or not something was looked for."""
        return {**self.report.counts(self.seat), "guessed": self.marked["unknowable"]}

    @cached_property
    def marked(self) -> Counter[str]:
        """How often each mark is drawn."""
        return Counter(mark["kind"] for lane in self.lanes for row in lane["rows"] for mark in row.marks)

    @property
    def needed(self) -> int:
        return self.counts["used"] + self.counts["missed"]

    @cached_property
    def longest(self) -> Decision | None:
        """The oldest memory that was used."""
        used = [d for d in self.report.own(self.seat) if d.outcome == "used" and d.kind != "pair"]
        best = max(used, key=self.age, default=None)
        return best if best and self.age(best) > 1 else None

    def age(self, d: Decision) -> int:
        return min((m.turns for m in d.wanted if m.place == d.place), default=min((m.turns for m in d.wanted), default=0))

    @cached_property
    def windows(self) -> list[dict[str, Any]]:
        """The postcard: twenty windows, lit for what was remembered; each at its place, where the table is no larger than the house."""
        own = [d for d in self.report.own(self.seat) if d.outcome in MARKS and (d.kind != "pair" or d.outcome == "missed")]
        marked = {d.wanted[0].place if d.outcome == "missed" else d.place: d for d in own}
        frames = [f"{column}{row}" for row in "1234" for column in "abcde"]
        fits = all(f.place in frames for f in self.report.flips)
        lit = {place if fits else frames[n]: d for n, (place, d) in enumerate([*marked.items()][: len(frames)])}
        return [self.window(n, lit.get(frame)) for n, frame in enumerate(frames)]

    def window(self, n: int, d: Decision | None) -> dict[str, Any]:
        at = {"x": 58 + 44.5 * (n % 5), "y": 90 + 53 * (n // 5)}
        return {**at, "kind": MARKS[d.outcome] if d else "plain", "symbol": self.recall.picture(d.face)[0] if d else ""}

    @property
    def seal(self) -> str:
        code = self.report.commitment[:12]
        return " ".join(code[i : i + 4] for i in range(0, 12, 4))

    @property
    def posted(self) -> tuple[str, str] | None:
        """Day and month of the postmark, where the time was kept."""
        at = self.report.at
        if not at or not 0 < at < FUTURE:
            return None
        day, month = (format_date(datetime.fromtimestamp(at, UTC), form, locale=self.language) for form in ("d", "MMM"))
        return day, month.rstrip(".").upper()

    # -- seen and remembered

    @property
    def flips(self) -> int:
        return max(len(self.report.flips), 1)

    @cached_property
    def bands(self) -> list[dict[str, Any]]:
        """Turns, as stretches of flips; those are named that have room beside the one named before."""
        bands: dict[int, dict[str, Any]] = {}
        for n, flip in enumerate(self.report.flips, 1):
            band = bands.setdefault(flip.turn, {"a": n - 1, "turn": flip.round or flip.turn, "me": flip.seat == self.seat})
            band["b"] = n
        named = {"turn": 0, "a": -self.flips}
        for band in bands.values():
            band["label"] = band["turn"] != named["turn"] and (bool(self.rounds) or band["a"] - named["a"] >= self.flips / LABELS)
            named = band if band["label"] else named
        return list(bands.values())

    @cached_property
    def rounds(self) -> dict[int, int]:
        """The round of each card turned, where people tell the time by rounds."""
        return {f.entry: f.round for f in self.report.flips if f.round}

    def when_said(self, entry: int, turn: int) -> dict[str, Any]:
        """How the moment of an entry is told: by its round, else its turn."""
        number = self.rounds.get(entry)
        return {"unit": "round" if number else "turn", "n": number or turn, "entry": entry, "turn": turn}

    @cached_property
    def lanes(self) -> list[dict[str, Any]]:
        """One lane for each picture that was shown to this seat, one row for each place."""
        shown: dict[str, dict[tuple[str, str], list[Exposure]]] = {}
        for e in self.report.exposures[self.seat]:
            symbol, _ = self.recall.picture(e.face)
            shown.setdefault(symbol, {}).setdefault((e.face, e.place), []).append(e)
        return [
            {"picture": self.picture(next(iter(rows))[0]), "rows": [self.row(p, es) for (_, p), es in rows.items()]}
            for rows in shown.values()
        ]

    def row(self, place: str, exposures: list[Exposure]) -> Row:
        ats = [self.when(e.entry) for e in exposures]
        gone = self.report.left.get(place)
        last = self.when(gone[0]) if gone else self.flips
        tails = [{"a": a, "b": b, "to": self.fading(b - a)} for a, b in pairwise([*ats, max(last, ats[-1])]) if b > a]
        end = {"t": last, "me": gone[1] == self.seat, "seat": gone[1]} if gone else None
        return Row(place.upper(), tails, self.marks(place, exposures), end)

    def when(self, entry: int) -> int:
        """The flip that an entry of the log belongs to."""
        return max((n for e, n in self.flip.items() if e <= entry), default=1)

    def fading(self, flips: int) -> int:
        """How much of a tail is left at its end, in percent."""
        return round(100 * self.fresh(flips / 2))

    def fresh(self, turns: float) -> float:
        """The chance that it is still there: by this seat's own curve, or a dolphin's."""
        return self.chance(self.fit, turns)

    def chance(self, fit: Fit | None, turns: float) -> float:
        if fit:
            return fit.recall(max(turns, 0.5))[0]
        return self.report.companions["dolphin"][min(int(turns), FAR - 1)]

    def marks(self, place: str, exposures: list[Exposure]) -> list[dict[str, Any]]:
        outcomes = {f.entry: f for f in self.report.flips}
        marks = []
        for e in exposures:
            flip = outcomes.get(e.entry) or outcomes.get(e.entry - 1)
            by_me = flip is not None and flip.place == place and flip.seat == self.seat
            kind = self.mark(flip, e is not exposures[0]) if by_me and flip else "them" if e.by != self.seat else "looked"
            marks.append({"t": self.when(e.entry), "kind": kind})
        lost = [d for d in self.report.own(self.seat) if d.outcome == "missed" and any(m.place == place for m in d.wanted)]
        return marks + [{"t": self.when(d.entry), "kind": "missed"} for d in lost]

    def mark(self, flip: Flip, known: bool) -> str:
        """How a card that this seat turned is marked: as it is counted. A pair that is begun counts when its second card is turned, and
        a card that had been shown is no riddle, whatever it was turned for."""
        return "begun" if flip.entry in self.begun else MARKS.get(flip.outcome, "begun" if known else "unknowable")

    @cached_property
    def begun(self) -> set[int]:
        return {d.entry for d in self.report.own(self.seat) if d.kind == "pair" and d.outcome == "used"}

    # -- the moment that cost most

    @cached_property
    def missed(self) -> list[Decision]:
        """Of all seats."""
        return [d for d in self.report.decisions if d.outcome == "missed"]

    @cached_property
    def walk(self) -> dict[str, Any] | None:
        return walk_of(self)

    @cached_property
    def moments(self) -> list[dict[str, Any]]:
        """What was shown and not found again, the dearest first."""
        lost = [d for d in self.missed if d.seat == self.seat]
        return [self.moment(d) for d in sorted(lost, key=lambda d: -self.cost(d.entry))[:COSTLY]]

    def moment(self, d: Decision) -> dict[str, Any]:
        m = min(d.wanted, key=lambda m: m.turns)
        what = {"kind": d.kind, "place": d.place.upper(), "face": self.face(d.face), "cost": self.cost(d.entry)}
        could = {"wanted": self.face(m.face), "at": m.place.upper(), "ago": m.turns, "seconds": m.seconds}
        return {**self.when_said(d.entry, d.turn), **what, **could}

    def cost(self, entry: int) -> float:
        if self.report.account:
            return sum(x.points for x in self.report.account.lost if x.entry == entry)
        return sum(max(x.lost, 0) for x in self.report.estimates if x.entry == entry)

    @cached_property
    def leads(self) -> list[dict[str, Any]]:
        if not self.report.account or not any(lead for _, _, lead in self.report.leads):
            return []  # where points are counted only at the end there is no lead to show
        most = max(abs(lead) for _, _, lead in self.report.leads)
        return [
            {"turn": turn, "up": self.sign * lead >= 0, "d": abs(lead) / most, "lead": self.signed(self.sign * lead, 0)}
            for turn, _, lead in self.report.leads
        ]

    # -- the curve

    @staticmethod
    def x(turns: float) -> float:
        return round(min(100.0, 100 * math.log2(max(turns, 1)) / math.log2(FAR)), 2)

    @staticmethod
    def path(points: list[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x:.1f} {100 - 100 * y:.1f}" for x, y in points)

    @cached_property
    def steps(self) -> list[float]:
        return [2 ** (i / 8) for i in range(8 * 5 + 1)]

    @property
    def fit(self) -> Fit | None:
        """This seat's own curve, once there is something to go by."""
        f = self.curve.fit
        return f if f and f.enough else None

    @cached_property
    def you(self) -> dict[str, str] | None:
        f = self.fit
        if not f:
            return None
        points = [(self.x(turns), *f.recall(turns)) for turns in self.steps]
        band = [(x, high) for x, _, _, high in points] + [(x, low) for x, _, low, _ in reversed(points)]
        middle = points[26]
        label = f"left:{middle[0]}%;top:{100 - 100 * middle[1]:.1f}%"
        return {"line": self.path([(x, y) for x, y, _, _ in points]), "band": self.path(band) + "Z", "label": label}

    @cached_property
    def animals(self) -> list[dict[str, Any]]:
        out = []
        for i, (name, chances) in enumerate(self.report.companions.items()):
            at = (2.2, 5.0, 28.0, 30.0)[i]
            line = [(self.x(turns), between(chances, turns)) for turns in self.steps]
            out.append({"name": name, "line": self.path(line), "left": self.x(at), "top": round(100 - 100 * between(chances, at), 1)})
        return out

    @cached_property
    def points(self) -> list[dict[str, Any]]:
        return [self.point(s) for s in self.curve.turns]

    def point(self, s: Share) -> dict[str, Any]:
        low, high = s.interval
        middle = math.sqrt(s.low * min(s.high, FAR)) if s.low < FAR else FAR
        return {
            "left": self.x(middle),
            "top": round(100 - 100 * s.share, 1),
            "bar": (round(100 - 100 * high, 1), round(100 * (high - low), 1)),
            "share": s,
        }

    @cached_property
    def rug(self) -> list[dict[str, Any]]:
        return [{"left": self.x(c.turns), "used": c.used} for c in self.curve.chances]

    @cached_property
    def like(self) -> str | None:
        """The companion that remembers most like this seat."""
        if not self.fit:
            return None
        own = self.fit.recall(8)[0]
        return min(self.report.companions, key=lambda name: abs(self.report.companions[name][7] - own))

    def tables(self) -> list[tuple[str, list[Share]]]:
        return [(name, shares) for name, shares in (("seconds", self.curve.seconds), ("times", self.curve.times)) if shares]

    # -- why

    @cached_property
    def split(self) -> dict[str, Any] | None:
        a = self.report.account
        if not a:
            return None
        own, theirs = a.losses(self.seat), a.losses(1 - self.seat)
        parts = [("start", self.sign * a.start)] if abs(a.start) > 0.005 else []
        parts += [(kind, theirs[kind] - own[kind]) for kind in ("memory", "decision")] + [("luck", self.sign * a.luck)]
        bars, at = list[dict[str, Any]](), 0.0
        for name, value in parts:
            bars.append({"name": name, "value": value, "a": min(at, at + value), "b": max(at, at + value)})
            at += value
        low, high = min([0.0, *(bar["a"] for bar in bars)]), max([0.0, *(bar["b"] for bar in bars)])
        total = {"name": "sum", "value": self.sign * a.margin, "a": min(0.0, at), "b": max(0.0, at)}
        return {"bars": [*bars, total], "min": low, "max": max(high, low + 1), "own": own, "theirs": theirs, "exact": a.exact}

    @cached_property
    def luckiest(self) -> dict[str, Any] | None:
        """The draw that changed most."""
        a = self.report.account
        flips = {f.entry: f for f in self.report.flips}
        draws = {e: v for e, v in a.draws.items() if e in flips or e - 1 in flips} if a else {}
        if not draws:
            return None
        entry = max(draws, key=lambda e: abs(draws[e]))
        flip = flips.get(entry) or flips[entry - 1]
        return {"turn": flip.turn, "place": flip.place.upper(), "face": self.face(flip.face), "value": self.sign * draws[entry]}

    @cached_property
    def worst(self) -> dict[str, Any] | None:
        """The decision that lost most, wrong even with everything remembered."""
        a = self.report.account
        own = [x for x in a.lost if x.seat == self.seat] if a else []
        loss = max(own, key=lambda x: x.decision, default=None)
        if loss is None or loss.decision < 0.05 or loss.memory > loss.decision:
            return None
        turn = next(f.turn for f in self.report.flips if f.entry == loss.entry)
        return {"turn": turn, "best": loss.best, "points": self.number(loss.decision)}

    @cached_property
    def guesses(self) -> list[dict[str, Any]]:
        """Estimates, the dearest first."""
        own = sorted((e for e in self.report.estimates if e.seat == self.seat), key=lambda e: -e.interval[0])[:COSTLY]
        turns = {f.entry: f for f in self.report.flips}
        out = []
        for e in own:
            low, high = (max(-1.0, min(1.0, x)) for x in e.interval)
            flip = turns[e.entry]
            when = self.when_said(e.entry, flip.turn)
            out.append({**when, "place": flip.place.upper(), "other": e.place.upper(), "lost": e.lost, "low": low, "high": high})
        return out


def between(chances: list[float], turns: float) -> float:
    """A companion's chance between two whole turns."""
    at = min(max(turns, 1), len(chances)) - 1
    low, high = chances[int(at)], chances[min(int(at) + 1, len(chances) - 1)]
    return low + (high - low) * (at - int(at))
