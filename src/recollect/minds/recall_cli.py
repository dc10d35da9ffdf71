"""`recollect recall`: how a memory forgets, printed and drawn."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.minds.levels import BY_NAME
from recollect.minds.memory import Activation, Model, Perfect, Slots

MODELS: dict[str, Any] = {"activation": Activation, "slots": Slots, "perfect": Perfect}
DELAYS = (0, 1, 2, 4, 6, 8, 12, 16, 24, 32)
EXPOSURES = (1, 2, 3, 5)


def model_of(words: str) -> Model:
    """`parrot`, or `activation:decay=0.5,threshold=-1`: a level, or a model with its numbers."""
    name, _, given = words.partition(":")
    if name in BY_NAME and not given:
        return BY_NAME[name].memory
    if name not in MODELS:
        raise ValueError(f"no memory is called {name!r}; there are {', '.join((*BY_NAME, *MODELS))}")
    kinds = {f.name: (int if name == "slots" else float) for f in fields(MODELS[name])}
    numbers = {}
    for word in filter(None, given.split(",")):
        key, _, value = word.partition("=")
        if key not in kinds:
            raise ValueError(f"{name} has no {key!r}; it has {', '.join(kinds) or 'nothing to set'}")
        try:
            numbers[key] = kinds[key](value)
        except ValueError:
            raise ValueError(f"{key}={value}: {value!r} is not a number") from None
    if numbers.get("noise", 1) <= 0 or numbers.get("slots", 1) < 0:
        raise ValueError("noise is above 0, and slots are 0 or more")
    model: Model = MODELS[name](**numbers)
    return model


def recall(
    model: Annotated[str, typer.Argument(help="goldfish, parrot, dolphin, elephant; or activation, slots, perfect with :name=number,...")],
    plot: Annotated[Path | None, typer.Option(help="Draw it: .svg, .png or .html.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Recall against delay, in turns, and the number of times a card was seen."""
    memory = model_of(model)
    rows = [{"delay": d, "exposures": n, "recall": round(memory.chance(d, n), 4)} for n in EXPOSURES for d in DELAYS]
    if plot:
        draw(memory, model, plot)
    if as_json:
        typer.echo(json.dumps({"model": model, "is": repr(memory), "recall": rows}))
        return
    typer.echo(f"{model}: {memory}")
    typer.echo("turns since it was seen" + "".join(f"{d:6}" for d in DELAYS))
    for n in EXPOSURES:
        typer.echo(f"  seen {n} time{'s' if n > 1 else ' '}           " + "".join(f"{memory.chance(d, n):6.0%}" for d in DELAYS))


def draw(memory: Model, name: str, file: Path) -> None:
    """The curves in a file. Altair, as the lab draws: a chart is data, the same on a page and on paper, and no display is needed."""
    try:
        import altair as alt
    except ModuleNotFoundError:
        raise ValueError("drawing needs Altair: install recollect[plots]") from None
    if file.suffix not in (".svg", ".png", ".html"):
        raise ValueError(f"{file}: draw into .svg, .png or .html")
    rows = [{"turns": d, "seen": f"{n} ×", "recall": memory.chance(d, n)} for n in EXPOSURES for d in range(33)]
    chart = (
        alt.Chart({"values": rows}, title=f"{name}: what is still there", width=480, height=260)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("turns:Q", title="turns since it was last seen"),
            y=alt.Y("recall:Q", title="recalled", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
            color=alt.Color("seen:N", title="seen"),
        )
    )
    chart.save(str(file))
