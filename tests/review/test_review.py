"""The report of a finished match: exposures, decisions, JSON, the page."""

import itertools
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.engine import CHANCE
from recollect.games.ptibapt.page.journey import walked
from recollect.minds import mind, play_out
from recollect.review import review
from recollect.review.page import report_page
from recollect.review.scene import Scene
from recollect.review.watched import Watched
from recollect.table.render.ending import past

PTIBAPT, MEMOARRR = recollect.load("ptibapt"), recollect.load("memoarrr")


def line(match, *entries):
    for entry in entries:
        who, _, words = entry.partition(" ")
        match.play(CHANCE if who == "chance" else int(who), words)
    return match


def played(game, seed, *names, **options):
    match = game.match(seed=seed, **options)
    play_out(match, [mind(game, name) for name in names], seed)
    return match


def small():
    """Two green pairs: the first player shows both, the second finds one and misses the other, and so on to the end."""
    match = PTIBAPT.match(starts="first", greens=2, golds=0, reds=1, auto_chance=False)
    return line(
        match,
        *("0 turn a1", "chance deal shoe", "0 turn b1", "chance deal tree", "0 turn_back"),
        *("1 turn c1", "chance deal shoe", "1 turn b1", "1 turn_back"),  # its twin lay at a1
        *("0 turn a1", "0 turn c1", "0 keep"),
        *("1 turn a2", "chance deal tree", "1 turn b1", "1 keep"),
    )


def test_exposures_say_what_where_when_and_for_how_long():
    match = small()
    times = [float(n) for n in range(len(match.log))]
    shown = Watched(match, times).exposures[1]
    assert [(e.place, e.face, e.by, e.turn) for e in shown] == [
        ("a1", "shoe", 0, 1),
        ("b1", "tree", 0, 1),
        ("c1", "shoe", 1, 2),
        ("b1", "tree", 1, 2),
        ("a1", "shoe", 0, 3),
        ("c1", "shoe", 0, 3),
        ("a2", "tree", 1, 4),
        ("b1", "tree", 1, 4),
    ]
    assert shown[0].entry == 2 and shown[0].seconds == 3.0  # from the second entry to the fifth
    assert shown[1].seconds == 1.0


def test_a_lantern_shows_its_cards_to_one_seat():
    match = PTIBAPT.match(starts="first", greens=2, golds=0, reds=0, bonus=True, auto_chance=False)
    line(
        match,
        "0 turn a1",
        "chance deal lantern",
        "0 turn b1",
        "chance deal lantern",
        "0 keep",
        "0 look c1",
        "chance deal shoe",
        "0 put_out",
    )
    own, other = Watched(match).exposures
    assert ("c1", "shoe") in {(e.place, e.face) for e in own}
    assert "c1" not in {e.place for e in other}


def test_decisions_are_used_missed_lucky_or_guessed():
    found = [(d.seat, d.kind, d.place, d.outcome) for d in review(small()).decisions]
    assert found == [
        (0, "twin", "b1", "guessed"),
        (1, "twin", "b1", "missed"),
        (0, "pair", "a1", "used"),
        (0, "twin", "c1", "used"),
        (1, "twin", "b1", "used"),
    ]


def test_what_was_missed_says_how_long_ago_it_was_shown():
    missed = next(d for d in review(small()).decisions if d.outcome == "missed")
    assert [(m.place, m.face, m.turns, m.times) for m in missed.wanted] == [("a1", "shoe", 1, 1)]


def test_turns_are_counted_as_the_table_counts_them():
    """A golden pair gives another turn: the end of the game, its log and the report number it alike."""
    match = played(PTIBAPT, "golden", "elephant", "parrot")
    looks = past(PTIBAPT, match.log, dict(match.positions()), 0)
    walk = walked(looks)
    report = review(match)
    assert [(turn, seat) for turn, seat in dict.fromkeys((f.turn, f.seat) for f in report.flips)] == walk.turns
    assert [turn for turn, _, _ in report.leads] == [turn for turn, _ in walk.turns]
    assert max(e.turn for e in report.exposures[0]) < walk.turn, "memories count on while somebody is at it"


def test_a_card_found_without_having_been_shown_is_luck():
    match = PTIBAPT.match(starts="first", greens=2, golds=0, reds=0, auto_chance=False)
    line(match, "0 turn a1", "chance deal shoe", "0 turn b1", "chance deal shoe", "0 keep", "1 turn b2", "chance deal tree", "1 turn a2")
    line(match, "chance deal tree", "1 keep")
    assert [(d.seat, d.outcome) for d in review(match).decisions] == [(0, "lucky"), (1, "lucky")]


def test_what_an_octopus_moves_is_remembered_where_it_lies_now():
    cards, swaps = MEMOARRR.state["card"], 0
    for seed in range(4):
        match = played(MEMOARRR, f"octopus {seed}", "sensible", "sensible", mode="expert", players=2)
        watched = Watched(match)
        assert not watched.left, "to a place that nobody knows or to another, no card leaves the island"
        wanted = {d.entry: d for d in watched.decisions}
        here = MEMOARRR.match(mode="expert", players=2, auto_chance=False)
        for n, (seat, action) in enumerate(match.log, 1):
            known = here.knowledge(seat).card if n in wanted else ()
            for m in wanted[n].wanted if n in wanted else ():
                assert cards.values[known[cards.axes[0].index(m.place)]] == m.face
            swaps += here.say(action).startswith("swap")
            here.play(seat, action)
    assert swaps > 4


def test_nothing_is_told_before_the_end():
    match = PTIBAPT.match(seed="unfinished", starts="first")
    match.play(0, "turn a1")
    with pytest.raises(ValueError, match="not over"):
        review(match)


@pytest.mark.parametrize(("players", "mode"), [(2, "base"), (3, "base"), (4, "expert")])
def test_memoarrr_is_estimated_with_intervals(players, mode):
    match = played(MEMOARRR, "estimates", *(["goldfish"] * players), players=players, mode=mode)
    report = review(match)
    assert report.account is None and report.estimates
    for e in report.estimates:
        assert 0 <= e.value <= 1 and 0 <= e.best <= 1
        assert e.interval[0] <= e.lost <= e.interval[1] and e.lost == pytest.approx(e.best - e.value)


def test_estimates_tell_a_known_link_from_a_card_that_cannot_link():
    """Cards turned by chance alone lose rounds; those of who remembers all lose next to nothing."""
    good = bad = n = 0
    for seed in range(6):
        report = review(played(MEMOARRR, f"tell {seed}", "sensible", "random"))
        good += sum(e.lost for e in report.estimates if e.seat == 0)
        bad += sum(e.lost for e in report.estimates if e.seat == 1)
        n += 1
    assert bad / n > 0.5 > good / n


# The command ----------------------------------------------------------------------------------------------------------


def saved(match, tmp_path, **more):
    file = tmp_path / "match.json"
    file.write_text(json.dumps({**match.document(), **more}), encoding="utf-8")
    return file


def ask(*args):
    result = CliRunner().invoke(app, ["report", *map(str, args)])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_report_in_json(tmp_path):
    match = played(PTIBAPT, "json", "dolphin", "goldfish")
    file = saved(match, tmp_path, times=[2.0 * n for n in range(len(match.log))], names=["Ann", "Bo"])
    said = json.loads(ask(file, "--json"))
    account = said["account"]
    assert set(account) >= {"margin", "start", "luck", "losses"}
    (own, other), parts = account["losses"], account["start"] + account["luck"]
    assert account["margin"] == pytest.approx(parts - own["memory"] - own["decision"] + other["memory"] + other["decision"], abs=1e-9)
    assert [s["seat"] for s in said["seats"]] == [0, 1]
    assert all(e["seconds"] is not None for s in said["seats"] for e in s["exposures"])
    assert said["names"] == ["Ann", "Bo"]
    assert [s["seat"] for s in json.loads(ask(file, "--json", "--seat", 1))["seats"]] == [1]


@pytest.mark.parametrize("options", [{"players": 1}, {}])
def test_a_card_of_an_owners_is_called_what_their_file_calls_it(tmp_path, options):
    text, own = (PTIBAPT.folder / "components.toml").read_text("utf-8"), tmp_path / "own.toml"
    own.write_text(text.replace('name = "shoe"', 'name = "old-boot"'), "utf-8")
    match = played(recollect.load("ptibapt", own), "own", *["sensible"] * options.get("players", 2), **options)
    said = review(match, [2.0 * n for n in range(len(match.log))], ["Ann", "Bo"][: match.players])
    for language in ("en", "fr"):
        assert "Old boot" in report_page(said, 0, language, components=own)


def test_earlier_games_add_to_the_curve(tmp_path):
    one, two = (
        saved(played(PTIBAPT, seed, "goldfish", "goldfish", stalemate=False), Path(tmp_path / seed)) for seed in map(folder(tmp_path), "ab")
    )
    alone, both = (json.loads(ask(one, "--json", *more))["seats"][0]["curve"] for more in ((), ("--also", two)))
    assert both["games"] == 2 and sum(s["of"] for s in both["by"]["turns"]) > sum(s["of"] for s in alone["by"]["turns"])


def folder(tmp_path):
    def made(name):
        (tmp_path / name).mkdir()
        return name

    return made


def test_the_report_in_words(tmp_path):
    said = ask(saved(small(), tmp_path))
    assert "turn 2: turned b1 (tree); shoe had been seen at a1, 1 turn before" in said
    assert "margin of seat 0 +0 = start" in said


@pytest.mark.parametrize("args", [("--seat", "2"), ("--lang", "de", "--html", "x.html")])
def test_what_makes_no_sense_is_refused(tmp_path, args, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["report", str(saved(small(), tmp_path)), *args]).exit_code != 0


def test_a_game_without_recall_is_refused(tmp_path):
    vivid = recollect.load("vivid")
    match = played(vivid, "vivid", "random", "random")
    result = CliRunner().invoke(app, ["report", str(saved(match, tmp_path))])
    assert result.exit_code != 0 and "no game of recall" in str(result.exception)


# The page -------------------------------------------------------------------------------------------------------------

REVIEW = Path(recollect.__file__).parent / "review"


def keys(language):
    def flat(table, prefix=""):
        return {k for key, value in table.items() for k in (flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key})}

    return flat(tomllib.loads((REVIEW / f"texts.{language}.toml").read_text(encoding="utf-8")))


def test_both_languages_say_the_same_things():
    assert keys("en") == keys("fr")


def test_french_has_its_no_break_spaces():
    text = (REVIEW / "texts.fr.toml").read_text(encoding="utf-8")
    assert not re.search(r"[\w}`] [;:!?%]", text)


MATCHES = (
    (PTIBAPT, {}),
    (PTIBAPT, {"bonus": True, "greens": 12, "golds": 2, "reds": 8}),
    (PTIBAPT, {"players": 1}),
    (MEMOARRR, {"players": 4, "mode": "expert"}),
    (MEMOARRR, {}),
)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_the_page_stands_alone_and_is_small(game, options, language):
    players = options.get("players", 2)
    report = review(played(game, "page", *(["goldfish"] * players), **options), names=["<Ann>", "Élise", "Bo", "Cy"][:players])
    for seat in range(players):
        page = report_page(report, seat, language)
        assert len(page.encode()) < 300_000
        assert not re.search(r'(src|href)="(?!#|data:)', page) and "url(http" not in page
        assert re.findall("<script[^>]*>", page) == ['<script type="application/json" id="said">', "<script>"]
        assert not re.search(r"fetch\(|XMLHttp|WebSocket|import\(", page), "its script asks nobody for anything"
        assert "<Ann>" not in page
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
        assert page.count("<h1>") == 1


def test_at_a_table_the_font_is_the_tables():
    page = report_page(review(small()), 0, "en", static="/static/")
    assert "url(/static/fraunces" in page and "data:font" not in page
    assert re.findall("<script.*?>", page)[1:] == ['<script src="/static/report.js" defer>'], "a table allows no script within a page"


def test_a_long_game_still_fits():
    """More than five hundred entries."""
    from conftest import random_match

    match = next(
        m for m in (random_match(PTIBAPT, seed, greens=12, golds=2, reds=8, stalemate=False) for seed in range(20)) if len(m.log) > 500
    )
    assert len(report_page(review(match), 0, "en").encode()) < 300_000


def test_the_headline_names_who_won_and_by_how_much_at_larger_tables():
    report = review(played(MEMOARRR, "headline", "random", "random", "sensible", players=3), names=["Mila", "Théo", "Ada"])
    for scores, said in (([2, 6, 7], ("Ada won by 1.", "Ada won by 1.", "You won by 1.")), ([2, 6, 6], ("Level on points, Ada won.",))):
        ended = replace(report, standing=replace(report.standing, scores=scores, ranking=[3, 2, 1]))
        for seat, words in enumerate(said):
            assert f"<h1>{words}</h1>" in report_page(ended, seat, "en")


def test_who_won_together_is_named_together():
    report = review(played(MEMOARRR, "headline", "random", "random", "sensible", players=3), names=["Mila", "Théo", "Ada"])
    ended = replace(report, standing=replace(report.standing, scores=[6, 2, 6], ranking=[1, 3, 1]))
    heads = {"en": "Mila and Ada won together, by 4.", "fr": "Mila et Ada gagnent ensemble, de 4."}
    assert all(f"<h1>{said}</h1>" in report_page(ended, 1, language) for language, said in heads.items())
    assert "<h1>Nobody was ahead in the end.</h1>" in report_page(ended, 0, "en")


def test_the_page_marks_as_known_what_is_counted_as_known():
    """A card that is known and turned to begin a pair counts when the second is turned: it has another mark."""
    for seed in ("marks", "more marks", "most marks"):
        said = review(played(PTIBAPT, seed, "dolphin", "parrot"))
        for seat in (0, 1):
            scene = Scene(said, seat, PTIBAPT, "en")
            marks = [mark["kind"] for lane in scene.lanes for row in lane["rows"] for mark in row.marks]
            assert marks.count("known") == said.counts(seat)["used"] and marks.count("lucky") == said.counts(seat)["lucky"]


@pytest.mark.parametrize("game", [PTIBAPT, MEMOARRR], ids=lambda game: game.name)
def test_nobody_could_know_what_was_turned_for_the_first_time(game):
    """As many are counted as are marked, and none of them had been shown before."""
    said = review(played(game, "blind", "goldfish", "parrot"))
    for seat in (0, 1):
        scene = Scene(said, seat, game, "en")
        rows = [row for lane in scene.lanes for row in lane["rows"]]
        blind = [(row, mark) for row in rows for mark in row.marks if mark["kind"] == "unknowable"]
        assert len(blind) == scene.counts["guessed"] > 0
        assert all(mark is row.marks[0] for row, mark in blind)


def test_what_was_only_looked_at_is_no_riddle():
    """Cards looked at before the game or by a penguin, and those an octopus moved, have a mark of their own."""
    said = review(played(MEMOARRR, "looks", "dolphin", "dolphin", mode="expert"))
    for seat in (0, 1):
        scene = Scene(said, seat, MEMOARRR, "en")
        turned = {scene.when(flip.entry) for flip in said.flips if flip.seat == seat}
        marks = [mark for lane in scene.lanes for row in lane["rows"] for mark in row.marks]
        assert all(mark["t"] in turned for mark in marks if mark["kind"] == "unknowable")
        assert scene.marked["looked"] > 3 and scene.counts["guessed"] <= len(turned)
        assert 'class="show--look"' in report_page(said, seat, "en")


def test_memoarrr_tells_the_time_by_its_rounds():
    said = review(played(MEMOARRR, "rounds", "goldfish", "goldfish"))
    scene = Scene(said, 0, MEMOARRR, "en")
    assert [band["turn"] for band in scene.bands if band["label"]] == [1, 2, 3, 4, 5, 6, 7]
    page = report_page(said, 0, "en")
    assert scene.moments and all(f"Round {m['n']}." in page for m in scene.moments) and "Turn " not in page.split("<script")[0]


def test_turns_are_named_where_there_is_room():
    scene = Scene(review(played(PTIBAPT, "alone", "goldfish", players=1)), 0, PTIBAPT, "en")
    named = [band["a"] for band in scene.bands if band["label"]]
    assert named[0] == 0 and len(named) > 5 and all(b - a >= scene.flips / 15 for a, b in itertools.pairwise(named))


def test_the_postmark_is_of_the_day_on_which_it_ended():
    match = small()
    ended = [*range(len(match.log) - 1), 1_789_979_000.0]  # 21 September 2026
    assert Scene(review(match, ended), 0, PTIBAPT, "en").posted == ("21", "SEP")
    assert Scene(review(match, ended), 0, PTIBAPT, "fr").posted == ("21", "SEPT")
    assert 'class="postmark"' in report_page(review(match, ended), 0, "en")
    assert 'class="postmark"' not in report_page(review(match), 0, "en"), "nobody kept the time"
    assert 'class="postmark"' not in report_page(review(match, [9e11] * len(match.log)), 0, "en"), "nor is it this one"


@pytest.mark.parametrize("options", [{}, {"players": 1}, {"bonus": True, "greens": 12, "golds": 2, "reds": 8}])
def test_the_walk_goes_through_what_was_turned_taken_and_missed(options):
    match = played(PTIBAPT, "walk", *(["goldfish"] * options.get("players", 2)), **options)
    said = review(match)
    walk = Scene(said, 0, PTIBAPT, "en").walk
    assert [(turn["n"], turn["seat"], *up) for turn in walk["turns"] for up in turn["up"]] == [
        (f.turn, f.seat, f.place, f.face) for f in said.flips
    ]
    assert sorted(place for turn in walk["turns"] for place in turn.get("taken", ())) == sorted(said.left)
    assert {turn["n"] for turn in walk["turns"] if "slip" in turn} == {d.turn for d in said.decisions if d.outcome == "missed"}
    green, gold, red, blue = (match.options[name] for name in ("greens", "golds", "reds", "bonus"))
    assert len(walk["places"]) == 2 * (green + gold) + red + (6 if blue else 0)
    assert {f.place for f in said.flips} <= set(walk["places"]) and {f.face for f in said.flips} <= set(walk["faces"])
    assert all(later <= now for curve in walk["fresh"] for now, later in itertools.pairwise(curve))


def test_a_lantern_in_the_walk_is_its_owners_alone():
    reports = [review(played(PTIBAPT, f"lantern {seed}", "parrot", "parrot", bonus=True)) for seed in range(6)]
    looks = [(said, *look) for said in reports for look in Scene(said, 0, PTIBAPT, "en").walk["looks"]]
    assert looks
    for said, _, seat, place, face in looks:
        mine, theirs = ({e.entry for e in said.exposures[who] if (e.place, e.face) == (place, face)} for who in (seat, 1 - seat))
        assert mine - theirs, "nobody else was shown it then"


def test_no_line_is_drawn_of_one_or_two_chances():
    """Beside shares of 80 and 100 % it would say anything; the page says that there were too few."""
    said = review(played(PTIBAPT, "marks", "dolphin", "parrot"))
    for seat, curve in enumerate(said.curves):
        few = replace(curve, fit=curve.fit and replace(curve.fit, chances=2))
        said.curves[seat] = few
        scene, page = Scene(said, seat, PTIBAPT, "en"), report_page(said, seat, "en")
        assert few.fit and scene.you is None and scene.like is None
        assert 'class="you"' not in page and "Too few of them" in page


def test_alone_a_turn_is_two_cards_too():
    """A turn ends when the table puts the cards away: or all of a walk alone would be one turn, and nothing ever long ago."""
    match = played(PTIBAPT, "alone", "goldfish", players=1)
    watched = Watched(match)
    assert watched.turn == 1 + sum(action in PTIBAPT.paced for _, action in match.log[:-1])
    assert len({d.turn for d in watched.decisions}) > 10
    report = review(match)
    assert {d.outcome for d in report.decisions if d.kind == "pair"} <= {"used", "left"}, "alone, a pair can wait"
    assert "cards were worth" not in report_page(report, 0, "en")
