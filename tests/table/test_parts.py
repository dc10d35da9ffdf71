"""A page is parts: what is not sent was there already, and what was rendered before is what would be rendered now."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from jinja2 import DictLoader, TemplateSyntaxError
from markupsafe import Markup

from recollect.engine.drawn import Drawn
from recollect.engine.shelf import games, load
from recollect.engine.stream import sow
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.render import parts
from recollect.table.render.page import environment
from recollect.table.render.parts import PartedEnvironment, Parts, Sheet, parts_in, swap
from recollect.table.store import Chair, Row, Store


def templates(**files: str) -> PartedEnvironment:
    return PartedEnvironment(loader=DictLoader(files), extensions=[Parts], autoescape=True)


def room_of(folder: Path, name: str) -> Room:
    game = load(name)
    values = game.settle({"players": 2})
    chairs = [Chair("here", person, person) for person in ("mila", "theo")]
    store = Store(folder)
    store.create(Row.of(game, id="t", options=values, seed="parts", host="mila", chairs=chairs))
    room = Room(store.row("t"), store)
    room.open()
    return room


def forget(name: str) -> None:
    """Whatever was rendered; a page that is being made still finds its parts."""
    kept = parts_in(environment(name, "en"))
    kept._age()
    kept.kept.older.clear()


@pytest.mark.parametrize("name", games())
def test_parts_put_in_place_make_the_page_and_what_is_kept_is_what_would_be_rendered(tmp_path: Path, name: str):
    room, rng, saved = room_of(tmp_path, name), random.Random(5), 0
    screens = {person: Screen(room, None, person, "en") for person in ("mila", "theo", "stranger")}
    told: dict[str, tuple[Sheet, str]] = {}
    for _ in range(40):
        for chair in room.row.chairs:
            chair.shown = room.at
        for person, screen in screens.items():
            shown = screen.shown()
            fresh, page = shown.sheet.html, ""
            if person in told:
                before, page = told[person]
                message = json.loads(room.pages.told(before, shown).written)
                assert "html" in message or message["after"] == before.k
                page = message.get("html") or message["live"] + page[page.index(">") + 1 :]
                for id, part in message.get("parts", {}).items():
                    page = swap(page, id, part)
                saved += "parts" in message
                assert page == fresh
            told[person] = shown.sheet, page or fresh
            room.pages.forget()
            forget(name)
            assert screen.shown().sheet.html == fresh, "nothing is shown in a part that is not in its key"
            room.pages.forget()
        if room.moment.over:
            break
        seat = min(room.moment.players)
        room.play(seat, rng.choice(room.moment.legal(seat)))
    assert saved > 40, "parts are sent most of the time"


@pytest.mark.parametrize("name", games())
def test_what_is_not_sent_tells_nothing(tmp_path: Path, name: str):
    """Whatever lies where a seat cannot see, it is told the same from one moment to the next: the same parts, the same bytes."""
    room, rng, compared = room_of(tmp_path, name), random.Random(6), 0
    for step in range(25):
        before = dict(room.states), room.at, room.moment
        if room.moment.over:
            break
        seat = min(room.moment.players)
        room.play(seat, rng.choice(room.moment.legal(seat)))
        now = dict(room.states), room.at, room.moment
        for viewer, person in ((0, "mila"), (1, "theo"), (-1, "stranger")):
            real = told(room, person, before, now)
            others = [dealt(room, viewer, moment, 50 * step + k) for k, moment in enumerate((before, now))]
            assert told(room, person, *others) == real
            compared += others[1][2].record.tobytes() != now[2].record.tobytes()
        room.states, room.at, room.moment = now
        room.log.forget()
    assert compared or name == "ptibapt", "nothing was ever dealt anew: this test saw nothing (in Pti Bapt few games have a private look)"


def dealt(room: Room, seat: int, moment: tuple, key: int) -> tuple:
    """The same as far as the seat can tell."""
    states, at, now = moment
    anew = {}
    for place, record in list(states.items())[-3:]:
        stream, anew[place] = np.zeros(1, np.int64), room.game.state.copy(record)
        sow(stream, key)
        room.game.rules.redeal(room.game.state.open(anew[place]), seat, stream)
    return {**states, **anew}, at, type(now)(room.game, anew[at], room.match.options)


def told(room: Room, person: str, before: tuple, now: tuple) -> bytes:
    """What a page is told at the second moment that was open at the first."""
    sheets = []
    for chair in room.row.chairs:
        chair.shown = 10**6
    for room.states, room.at, room.moment in (before, now):
        room.log.forget()
        room.pages.forget()
        sheets.append(Screen(room, None, person, "en").shown())
    return room.pages.told(sheets[0].sheet, sheets[1]).written


def changes(before: Sheet, after: Sheet) -> dict[str, str] | None:
    """The parts that changed, as they are told."""
    changed = after.since(before)
    return None if changed is None else {id: json.loads(bytes(part.written)) for id, part in changed.items()}


def test_a_part_is_rendered_once_for_the_same_and_anew_for_another():
    asked = []
    env = templates(
        page='<ul id="live">{% for x in all %}{% part %}<li id="x{{ x.n }}">{{ note(x.n) }}{{ x.what }}</li>{% endpart %}{% endfor %}</ul>'
    )
    env.globals["note"] = lambda n: asked.append(n) or ""
    page = env.get_template("page")
    first = Sheet(page.render(all=[{"n": 1, "what": "a", "more": 1}, {"n": 2, "what": "b"}]), env)
    again = Sheet(page.render(all=[{"n": 1, "what": "a", "more": 2}, {"n": 2, "what": "c"}]), env)
    assert asked == [1, 2, 2], "what is not shown is not in the key"
    assert changes(first, again) == {"x2": '<li id="x2">c</li>'} and changes(first, first) == {}
    assert again.html == '<ul id="live"><li id="x1">a</li><li id="x2">c</li></ul>'


def test_what_is_forgotten_is_rendered_anew_and_no_page_lacks_a_part(monkeypatch):
    """However few parts are kept, also of those that lie in what a macro said once of something drawn."""
    files = {
        "page": '{% from "kit" import cell %}<ul id="live">{% for x in all %}{{ cell(x) }}'
        '{% part %}<b id="b{{ x.n }}">{{ x.n }}</b>{% endpart %}{% endfor %}</ul>',
        "kit": '{% macro cell(x) %}{% part %}<li id="x{{ x.n }}">{{ x.n }}</li>{% endpart %}{% endmacro %}',
    }
    monkeypatch.setattr(parts, "MANY", 6)
    env, rng, cells = templates(**files), random.Random(3), [Drawn({"n": n}) for n in range(9)]
    for _ in range(200):
        all = rng.sample(cells, rng.randrange(4))
        sheet = Sheet(env.get_template("page").render(all=all), env)
        html = "".join(f'<li id="x{x["n"]}">{x["n"]}</li><b id="b{x["n"]}">{x["n"]}</b>' for x in all)
        assert sheet.html == f'<ul id="live">{html}</ul>'
        kept = parts_in(env)
        assert len(kept.kept) + len(kept.kept.older) <= 13 and len(kept.named) + len(kept.named.older) <= 30


def test_parts_lie_in_parts_and_the_smallest_that_changed_is_sent():
    env = templates(page='<div id="live">{% part %}<p id="out">{{ a }}{% part %}<b id="in">{{ b }}</b>{% endpart %}</p>{% endpart %}</div>')
    page = env.get_template("page")
    one, two, three = (Sheet(page.render(a=a, b=b), env) for a, b in ((1, 1), (1, 2), (2, 2)))
    assert changes(one, two) == {"in": '<b id="in">2</b>'}
    assert changes(two, three) == {"out": '<p id="out">2<b id="in">2</b></p>'}


def test_a_part_in_which_everything_changed_is_told_as_one():
    """A row of cards that all light up, say: one part, not one for each card; where one stays, only the others."""
    card = '{% part %}<li id="c{{ loop.index }}">{{ c }}</li>{% endpart %}'
    row = f'{{% part %}}<ul id="row">{{% for c in cards %}}{card}{{% endfor %}}</ul>{{% endpart %}}'
    env = templates(page=f'<div id="live">{row}</div>')
    before, lit, most = (Sheet(env.get_template("page").render(cards=list(cards)), env) for cards in ("abc", "xyz", "xyc"))
    assert set(changes(before, lit)) == {"row"} and set(changes(before, most)) == {"c1", "c2"}


def test_what_a_macro_reads_is_in_the_key_of_the_part_that_calls_it():
    env = templates(page='<i id="i">{% macro m(x) %}{{ x }}{{ hidden }}{% endmacro %}{% part %}<b id="b">{{ m(1) }}</b>{% endpart %}</i>')
    shown = [Sheet(env.get_template("page").render(hidden=hidden), env).html for hidden in (1, 2)]
    assert shown == ['<i id="i"><b id="b">11</b></i>', '<i id="i"><b id="b">12</b></i>']


def test_a_dict_of_which_a_method_is_asked_is_in_the_key():
    env = templates(page='<i id="i">{% part %}<b id="b">{% for k, v in all.items() %}{{ k }}{{ v }}{% endfor %}</b>{% endpart %}</i>')
    shown = [Sheet(env.get_template("page").render(all=all), env).html for all in ({}, {"a": 1})]
    assert shown == ['<i id="i"><b id="b"></b></i>', '<i id="i"><b id="b">a1</b></i>']


@pytest.mark.parametrize(
    "page",
    [
        '{% from "other" import m with context %}{% part %}<b id="b">{{ m() }}</b>{% endpart %}',
        '{% part %}<b id="b">{% include "other" %}</b>{% endpart %}',
        '{% macro m() %}{% part %}<b id="b">{{ caller() }}</b>{% endpart %}{% endmacro %}',
        '{% macro m() %}{{ x }}{% endmacro %}{% for x in all %}{% part %}<b id="b">{{ m() }}</b>{% endpart %}{% endfor %}',
    ],
)
def test_a_part_that_might_show_what_is_not_in_its_key_is_refused(page: str):
    env = templates(page=page, other="{% macro m() %}{{ x }}{% endmacro %}")
    with pytest.raises(TemplateSyntaxError):
        env.get_template("page")


def test_what_is_plain_text_and_what_is_markup_are_not_taken_for_each_other():
    env = templates(page='<i id="i">{% part %}<b id="b">{{ name }}</b>{% endpart %}</i>')
    shown = [Sheet(env.get_template("page").render(name=name), env).html for name in (Markup("<u>"), "<u>")]
    assert shown == ['<i id="i"><b id="b"><u></b></i>', '<i id="i"><b id="b">&lt;u&gt;</b></i>']


def test_texts_and_macros_of_constants_are_written_when_the_template_is_read():
    asked = []
    env = templates(
        page='{% from "kit" import sign %}<i id="i">{{ t("a") }}{{ sign("x") }}{{ t(key) }}{% for t in all %}{{ t }}{% endfor %}</i>',
        other='{% import "kit" as kit %}{{ t("a") }}{{ kit.sign(t("b")) }}{{ sign }}',
        kit="{% macro sign(id) %}<u>{{ id }}</u>{% endmacro %}",
    )
    env.globals["t"] = lru_cache(lambda key: asked.append(key) or Markup(f"({key})"))
    env.get_template("other")
    assert asked == ["a", "b"], "asked before any page was made"
    assert env.get_template("other").render(sign="<") == "(a)<u>(b)</u>&lt;"
    # where the name is something else in one place, nothing is foreseen of it
    assert env.get_template("page").render(all=[1], key="c") == '<i id="i">(a)<u>x</u>(c)1</i>' and asked == ["a", "b", "c"]


def test_an_element_is_swapped_by_its_id():
    html = '<div id="a"><div id="b"><div></div></div><svg id="c"><g id="d"><use/></g></svg></div>'
    assert swap(html, "b", "<p></p>") == '<div id="a"><p></p><svg id="c"><g id="d"><use/></g></svg></div>'
    assert swap(html, "d", "!") == '<div id="a"><div id="b"><div></div></div><svg id="c">!</svg></div>'
