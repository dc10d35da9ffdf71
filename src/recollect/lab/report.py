"""An arena as one page on its own: tables, and plots as drawings inside it, so that it opens anywhere, offline, and prints."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from recollect.lab.arena import Job
from recollect.lab.figures import shares, sittings
from recollect.lab.sprt import BOUND, Sprt

WIDTH, ROW = 560, 34
POINTS_OF_A_PATH = 300
BLUE, RED, INK = "#2a5d9f", "#b3412e", "#33322e"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #33322e; background: #fbfaf7; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: .2rem } h2 { font-size: 1.1rem; margin: 2.2rem 0 .4rem }
p { margin: .2rem 0 .8rem; max-width: 46rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums } th, td { padding: .25rem .9rem .25rem 0; text-align: right }
td { white-space: nowrap }
th:first-child, td:first-child { text-align: left } th { border-bottom: 1px solid #33322e; font-weight: 600 }
figure { margin: 0; overflow-x: auto } svg { max-width: 100%; height: auto } .wide { overflow-x: auto }
"""


def altair() -> Any:
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise ValueError(f"--html draws with altair: pip install 'recollect[lab]' ({error})") from None
    return altair


def svg(chart: Any) -> str:
    """A plot as a drawing."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(
        chart.configure(background="transparent").configure_view(stroke=None).configure_axis(labelLimit=220, grid=True).to_dict()
    )
    return str(drawn)


def page(job: Job, rows: np.ndarray, result: dict[str, Any], test: Sprt | None) -> str:
    """The page."""
    alt = altair()
    if not len(rows):
        raise ValueError("no game was played: there is nothing to draw")
    title = f"{job.rules.texts('en')('name')}: {', '.join(job.names)}"
    settings = ", ".join(f"{name} {value}" for name, value in job.options.items())
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{result['games']:,} games, seed {job.seed}; {escape(settings)}. Seats are rotated over shared deals; intervals are 95%.</p>",
        *_section("Result", "Share: the first place counts 1, the last 0, those between evenly; equals share.", _minds_table(result)),
        *_figure("Share of each mind", "The line is where all are equal.", share_plot(alt, result)),
        *_figure("As it went", "Share so far, over all games in their order.", course_plot(alt, job, rows)),
        *(_figure("Sequential test", _verdict(result), test_plot(alt, test)) if test and test.path else ()),
        *(
            _section("Who against whom", "Share of the row's mind where both sat at one table.", meetings(job, rows))
            if len(job.minds) > 2
            else ()
        ),
        *_figure("Points", "How often each mind ended with how many points.", points_plot(alt, job, rows)),
        *_figure("Seats", "Share of each seat, whoever sat there.", seat_plot(alt, result)),
        *_figure("Length", "Actions of players in a game.", length_plot(alt, rows)),
    ]
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    return f"{head}<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"


def _section(title: str, words: str, body: str) -> tuple[str, ...]:
    return f"<h2>{escape(title)}</h2>", f"<p>{escape(words)}</p>", f'<div class="wide">{body}</div>'


def _figure(title: str, words: str, chart: Any) -> tuple[str, ...]:
    return f"<h2>{escape(title)}</h2>", f"<p>{escape(words)}</p>", f'<figure role="img" aria-label="{escape(title)}">{svg(chart)}</figure>'


def _table(head: list[str], body: list[list[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in body)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def _spanned(m: dict[str, Any], name: str, prefix: str, digits: int) -> str:
    return f"{m[name]:.{digits}f} ({m[f'{prefix}low']:.{digits}f} to {m[f'{prefix}high']:.{digits}f})"


def _minds_table(result: dict[str, Any]) -> str:
    rated = any("rating" in m for m in result["minds"].values())
    head = ["mind", "share", "won", "drawn", "of", "points", "mean rank", *(["rating"] if rated else []), "ms a turn"]
    body = []
    for name, m in sorted(result["minds"].items(), key=lambda item: -item[1]["share"]):
        rating = [_spanned(m, "rating", "rating_", 1)] if "rating" in m else []
        counts = [f"{m[key]:,}" for key in ("wins", "draws", "played")]
        body.append(
            [
                name,
                _spanned(m, "share", "", 3),
                *counts,
                _spanned(m, "points", "points_", 2),
                f"{m['rank']:.2f}",
                *rating,
                f"{m['turn_ms']:.3f}",
            ]
        )
    return _table(head, body)


def _verdict(result: dict[str, Any]) -> str:
    told = result["sprt"]
    return f"{told['verdict'].capitalize()}: share {told['null']} against {told['claim']}, {told['groups']} deals; decided at either line."


def meetings(job: Job, rows: np.ndarray) -> str:
    """Shares of each mind against each other one."""
    sat, rank = sittings(job, rows), rows["rank"]
    body = []
    for a, name in enumerate(job.names):
        line = [name]
        for b in range(len(job.names)):
            scores = [
                _met(rank[:, i], rank[:, j])[(sat[:, i] == a) & (sat[:, j] == b)]
                for i in range(job.players)
                for j in range(job.players)
                if i != j
            ]
            met = np.concatenate(scores) if scores else np.zeros(0)
            line.append(f"{met.mean():.3f}" if a != b and len(met) else "")
        body.append(line)
    return _table(["", *job.names], body)


def _met(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    return np.asarray((mine < theirs) + (mine == theirs) / 2)


def _ranged(alt: Any, data: list[dict[str, Any]], label: str, at: float) -> Any:
    """Means with their intervals, one a row."""
    base = alt.Chart(alt.Data(values=data)).encode(y=alt.Y("name:N", title=None, sort=None))
    axis = alt.Scale(domain=[0, 1])
    rule = alt.Chart(alt.Data(values=[{"at": at}])).mark_rule(strokeDash=[4, 3], color=INK).encode(x="at:Q")
    bars = base.mark_rule(strokeWidth=3, color=BLUE).encode(x=alt.X("low:Q", title=label, scale=axis), x2="high:Q")
    dots = base.mark_point(filled=True, size=90, color=BLUE, opacity=1).encode(x=alt.X("share:Q", scale=axis))
    return (rule + bars + dots).properties(width=WIDTH, height=ROW * len(data))


def share_plot(alt: Any, result: dict[str, Any]) -> Any:
    minds = sorted(result["minds"].items(), key=lambda item: -item[1]["share"])
    return _ranged(alt, [{"name": name, **{key: m[key] for key in ("share", "low", "high")}} for name, m in minds], "share", 0.5)


def seat_plot(alt: Any, result: dict[str, Any]) -> Any:
    return _ranged(alt, [{"name": f"seat {i}", **s} for i, s in enumerate(result["seats"])], "share", 0.5)


def course_plot(alt: Any, job: Job, rows: np.ndarray) -> Any:
    """Each mind's share so far."""
    sat, share, data = sittings(job, rows), shares(rows["rank"]), []
    for i, name in enumerate(job.names):
        games, seats = np.nonzero(sat == i)
        so_far = np.cumsum(share[games, seats]) / np.arange(1, len(games) + 1)
        for k in np.unique(np.linspace(0, len(games) - 1, POINTS_OF_A_PATH).astype(int)):
            data.append({"mind": name, "game": int(games[k]) + 1, "share": float(so_far[k])})
    lines = alt.Chart(alt.Data(values=data)).mark_line(strokeWidth=2)
    x, y = alt.X("game:Q", title="games played"), alt.Y("share:Q", scale=alt.Scale(domain=[0, 1]))
    dash = alt.StrokeDash("mind:N", title="mind", scale=alt.Scale(domain=job.names))  # as the colours: one legend tells both
    return lines.encode(x=x, y=y, color=_by_mind(alt, job), strokeDash=dash).properties(width=WIDTH, height=220)


def _by_mind(alt: Any, job: Job) -> Any:
    return alt.Color("mind:N", title="mind", scale=alt.Scale(scheme="tableau10", domain=job.names))


def test_plot(alt: Any, test: Sprt) -> Any:
    """The log of the ratio, deal by deal, between its bounds."""
    path = [{"deal": i + 1, "ratio": ratio} for i, ratio in enumerate(test.path)]
    line = (
        alt.Chart(alt.Data(values=path))
        .mark_line(color=BLUE)
        .encode(x=alt.X("deal:Q", title="deals"), y=alt.Y("ratio:Q", title="log ratio"))
    )
    bounds = alt.Chart(alt.Data(values=[{"at": BOUND}, {"at": -BOUND}])).mark_rule(color=RED, strokeDash=[4, 3]).encode(y="at:Q")
    return (line + bounds).properties(width=WIDTH, height=200)


def points_plot(alt: Any, job: Job, rows: np.ndarray) -> Any:
    """Distribution of points, a line for each mind."""
    sat, data = sittings(job, rows), []
    edges = np.histogram_bin_edges(rows["points"], bins=min(40, int(np.ptp(rows["points"])) + 1))
    for i, name in enumerate(job.names):
        counts, _ = np.histogram(rows["points"][sat == i], edges)
        for low, high, n in zip(edges[:-1], edges[1:], counts / max(1, counts.sum()), strict=True):
            data.append({"mind": name, "points": float(low + high) / 2, "part": float(n)})
    chart = alt.Chart(alt.Data(values=data)).mark_area(interpolate="step", opacity=0.35, line=True)
    x, y = alt.X("points:Q"), alt.Y("part:Q", title="part of its games", stack=None, axis=alt.Axis(format="%"))
    return chart.encode(x=x, y=y, color=_by_mind(alt, job)).properties(width=WIDTH, height=220)


def length_plot(alt: Any, rows: np.ndarray) -> Any:
    """Distribution of lengths."""
    turns = rows["turns"].sum(axis=1)
    counts, edges = np.histogram(turns, bins=min(40, int(np.ptp(turns)) + 1))
    data = [{"low": float(a), "high": float(b), "n": int(n), "none": 0} for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)]
    chart = alt.Chart(alt.Data(values=data)).mark_rect(color=BLUE)  # with both ends given: a bar would stand on its count alone
    x, y = alt.X("low:Q", title="actions", scale=alt.Scale(zero=False)), alt.Y("n:Q", title="games")
    return chart.encode(x=x, x2="high:Q", y=y, y2="none:Q").properties(width=WIDTH, height=180)
