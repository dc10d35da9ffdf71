"""Templates made quick say what Jinja says of them, byte for byte."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from recollect.engine.drawn import Drawn
from recollect.engine.shelf import games
from recollect.table.live.screen import Screen
from recollect.table.render import page as pages
from recollect.table.render.parts import Sheet

from .test_parts import room_of, templates

quick = pages.environment


class Aloud(Extension):
    """A part is what it says; nothing is kept."""

    tags = {"part"}  # noqa: RUF012 (as Jinja declares it)

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endpart",), drop_needle=True)
        return nodes.FilterBlock(body, nodes.Filter(None, "trim", [], [], None, None)).set_lineno(line)


def plain(game: str | None, language: str) -> Environment:
    """The same templates, by Jinja alone."""
    of = quick(game, language)
    env = Environment(
        loader=of.loader, autoescape=True, extensions=[Aloud], trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    env.filters.update(of.filters)
    env.globals.update(of.globals)
    return env


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", games())
def test_every_page_of_a_game_is_as_jinja_writes_it(tmp_path: Path, name: str, language: str, monkeypatch):
    room, rng, compared = room_of(tmp_path, name), random.Random(7), 0
    by_jinja = plain(name, language)
    screens = [Screen(room, None, person, language) for person in ("mila", "theo", "stranger")]
    for _ in range(60):
        for chair in room.row.chairs:
            chair.shown = room.at
        for screen in screens:
            screen.ended = room.moment.over and rng.random() < 0.5
            made = screen.shown().sheet.html
            room.pages.forget()
            with monkeypatch.context() as patched:
                patched.setattr(pages, "environment", lambda *_: by_jinja)
                patched.setattr(pages, "Sheet", lambda text, _: Sheet(text))
                assert screen.shown().sheet.html == made
            room.pages.forget()
            compared += 1
        if not room.moment.over:
            seat = rng.choice(sorted(room.moment.players))
            room.play(seat, rng.choice(room.moment.legal(seat)))
    assert compared == 180


KIT = """{% macro own(x, y="-", z=none) %}[{{ x }}{{ y }}{{ z }}]{% endmacro %}
{% macro twice(x) %}{{ own(x, z=x) }}{{ own(y=x, x=1) }}{% endmacro %}
{% macro round(x) %}<{{ caller() }}|{{ x }}>{% endmacro %}
{% macro perhaps() %}({{ caller() if caller is defined }}){% endmacro %}
{% macro reads() %}{{ hidden }}{% endmacro %}"""


@pytest.mark.parametrize(
    "page",
    [
        "{{ kit.own(a) }}{{ kit.own(a, b, c) }}{{ kit.own(z=a, x=b) }}",
        "{{ kit.twice(a) }}{{ kit.own(kit.own(a)) }}{{ kit.own(a) ~ a }}{{ (kit.own(a), 1) | join }}",
        "{% call kit.round(a) %}{{ a }}{% call kit.round(b) %}{{ kit.own(c) }}{% endcall %}{% endcall %}",
        "{% call kit.round('x') %}y{% endcall %}{% call kit.round(x='<') %}{{ a }}{% endcall %}",
        "{{ kit.perhaps() }}{% call kit.perhaps() %}{{ a }}{% endcall %}",
        "{{ ' on' if n }}{{ ' off' if not n }}{{ a if n else b }}{{ ('<' if n) ~ a }}{{ '<' if n }}{{ kit.own(a) if n else '&' }}",
        "{{ n }}{{ 1.5 }}{{ true }}{{ none }}{{ [a, n] }}{{ d.a }}{{ d.items() | list | length }}{{ d['a'] }}",
        "{% macro own(x) %}<i>{{ x }}{{ a }}</i>{% endmacro %}{{ own(b) }}{{ own(c) }}",
        "{% for own in (a, b) %}{{ own }}{{ loop.index }}{% for x in range(2) %}{{ kit.own(x, own) }}{% endfor %}{% endfor %}",
        "{{ kit.own('<') }}{{ kit.own(m) }}{{ kit.own(true) }}{{ kit.own(1) }}{{ kit.own((a,)) }}{{ kit.own((m,)) }}",
    ],
)
def test_macros_texts_and_values_are_put_out_as_jinja_does(page: str):
    page = '{% import "kit" as kit %}' + page
    by_jinja = Environment(loader=templates(page=page, kit=KIT).loader, autoescape=True)
    env = templates(page=page, kit=KIT)
    for a in ("<a>", Markup("<a>"), 3, True, 1, None):
        given = {"a": a, "b": "&", "c": Markup("<c>"), "n": 2, "d": Drawn({"a": a}), "m": Markup("<")}
        assert env.get_template("page").render(given) == by_jinja.get_template("page").render(given)


def test_a_macro_that_reads_the_page_is_not_kept_from_one_page_to_another():
    env = templates(page="{% macro own(x) %}{{ x }}{{ hidden }}{% endmacro %}{{ own(1) }}")
    assert [env.get_template("page").render(hidden=hidden) for hidden in ("a", "b")] == ["1a", "1b"]


def test_a_name_that_is_the_same_everywhere_but_on_one_page_is_read_on_that_page():
    env = templates(page="{% macro own(x) %}{{ x }}{{ game }}{% endmacro %}{{ own(1) }}")
    env.globals["game"] = "-"
    assert [env.get_template("page").render(given) for given in ({}, {"game": "a"}, {"game": "b"})] == ["1-", "1a", "1b"]


def test_what_was_drawn_is_known_by_itself():
    env = templates(
        page='{% from "kit" import own %}<i id="i">{% part %}<b id="b">{{ own(x) }}</b>{% endpart %}</i>',
        kit="{% macro own(x) %}{{ x.name }}{% endmacro %}",
    )
    one, other = Drawn({"name": "<"}), Drawn({"name": ">"})
    shown = [Sheet(env.get_template("page").render(x=x), env).html for x in (one, other, one, {"name": "&"})]
    assert shown == [f'<i id="i"><b id="b">{text}</b></i>' for text in ("&lt;", "&gt;", "&lt;", "&amp;")]
