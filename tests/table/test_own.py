"""A person's own page: what it counts, ratings, the passphrase, the file with everything, and erasing it."""

from __future__ import annotations

import contextlib
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer
from people import TestClient, links, open_table, take
from starlette.websockets import WebSocketDisconnect

from recollect.engine.shelf import load
from recollect.engine.texts import LANGUAGES, flatten, read_texts
from recollect.minds import mind
from recollect.review.turning import Found, Turning
from recollect.table.app import application
from recollect.table.limits import Allowance
from recollect.table.live.room import Room
from recollect.table.own import memory, passphrase, record
from recollect.table.own.passphrase import A_WHILE, TRIES, Busy, Keeper, normal
from recollect.table.own.persons import Persons, Played
from recollect.table.own.rating import Rating, Ratings, after, companions_of
from recollect.table.render.own import own_texts
from recollect.table.render.own import weeks as drawn_weeks
from recollect.table.store import VERSION, Chair, Row, Store
from recollect.table.store.beside import Aside
from recollect.table.store.schema import MIGRATIONS, PARTS, SCHEMA

WEEK = 7 * 24 * 3600.0
ORIGIN = {"origin": "http://testserver"}
MILA = [Chair("here", "Mila", "mila")]


def lay(store: Store, id: str, game: str, chairs: list[Chair], at: float = 1e9, moves: int = 10**6, **options: Any) -> str:
    """A table of a game, played so far, ending at a time."""
    loaded = load(game)
    row = Row.of(
        loaded, id=id, options=loaded.settle({"players": len(chairs), **options}), seed=f"seed of {id}", host="mila", chairs=chairs
    )
    row.created = row.moved = at
    store.create(row)
    room, rng, player = Room(row, store), random.Random(id), mind(loaded, "sensible")
    room.open()
    while not room.match.over and moves:
        seat, moves = min(room.match.acting), moves - 1
        room.play(seat, player.choose(room.match.knowledge(seat), seat, room.match.legal(seat), rng))
    store.write([("update tables set moved = ? where id = ?", (at, id))])
    return id


def fill(store: Store) -> None:
    """Mila's year: companions, a friend, a shared screen, games alone, one that runs."""
    bot, theo = Chair("bot", "Parrot", mind="parrot"), Chair("link", "Théo", "theo")
    for n in range(8):
        lay(store, f"p{n}", "ptibapt", [*MILA, bot], 1e9 + n * WEEK)
        lay(store, f"m{n}", "memoarrr", [*MILA, theo], 1e9 + n * WEEK + 60)
    lay(store, "shared", "memoarrr", [*MILA, Chair("here", "Ana", "mila"), theo], 1e9 + 90)
    for n in range(2):
        lay(store, f"alone{n}", "ptibapt", MILA, 1e9 + n * WEEK + 120)
    lay(store, "vivid", "vivid", [*MILA, theo], 1e9 + 150)
    lay(store, "running", "ptibapt", [*MILA, theo], 1e9 + 180, moves=6)
    lay(store, "running_alone", "ptibapt", [*MILA, bot], 1e9 + 180, moves=6)


def cookie(store: Store, person: str = "mila", name: str = "Mila", language: str = "en") -> str:
    return URLSafeSerializer(store.secret(), salt="recollect").dumps({"p": person, "n": name, "l": language})


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mila's year in a folder, which every test gets a copy of: to play it takes longer than most of them."""
    folder = tmp_path_factory.mktemp("year")
    store = Store(folder)
    fill(store)
    store.close()
    return folder


@pytest.fixture
def filled(year: Path, where: Path | str) -> Iterator[Store]:
    if isinstance(where, Path):
        shutil.copytree(year, where, dirs_exist_ok=True)
    store = Store(where)
    if not isinstance(where, Path):
        brought_over(Store(year), store)
    yield store
    store.close()


def brought_over(old: Store, new: Store) -> None:
    """All tables, as they are kept."""
    for part in reversed(PARTS):
        rows = old.read(f"select * from {part}")
        marks = f"({','.join('?' * len(rows[0]))})" if rows else ""
        new.write([(f"insert into {part} values {marks}", [bool(v) if name == "listed" else v for name, v in r.items()]) for r in rows])
    old.close()


@pytest.fixture
def client(filled: Store, where: Path | str) -> Iterator[TestClient]:
    with TestClient(application(where, pace=1000), base_url="http://testserver", cookies={"recollect": cookie(filled)}) as client:
        yield client


def device(client: TestClient, **cookies: str) -> TestClient:
    """Another browser at the same house."""
    other = TestClient(client.app, base_url="http://testserver", cookies=cookies)
    other.portal = client.portal
    return other


def played(id: str, ranking: list[int], chairs: list[Chair], me: int = 0, game: str = "memoarrr", **result: Any) -> Played:
    scores = [10 - rank for rank in ranking]
    return Played(id, game, 1, {}, {"ranking": ranking, "scores": scores, "points": {}, **result}, 1e9, tuple(chairs), me)


# -- what it counts


def test_the_page_speaks_both_languages_with_the_same_keys() -> None:
    folder = Path(record.__file__).parent
    en, fr = (flatten(read_texts(folder, language)._entries) for language in LANGUAGES)
    assert set(en) == set(fr)
    for key in en:
        slots = [set(re.findall(r"\{(\w+)\}", e if isinstance(e, str) else " ".join(e.values()))) for e in (en[key], fr[key])]
        assert slots[0] == slots[1], key


def test_a_stranger_has_an_empty_page_and_can_come_back_with_a_passphrase(client: TestClient) -> None:
    page = device(client).get("/me")
    assert page.status_code == 200 and "Nothing here yet" in page.text
    assert 'action="/me/back"' in page.text and "Where you stand" not in page.text


@pytest.mark.parametrize(("language", "unit"), [("en", "kB"), ("fr", "ko")])
def test_the_page_says_about_how_large_the_file_with_everything_is(client: TestClient, filled: Store, language: str, unit: str) -> None:
    mine = device(client, recollect=cookie(filled, language=language))
    said = re.search(rf"<small>(\d+)\N{{NO-BREAK SPACE}}{unit}</small>", mine.get("/me").text)
    assert said and int(said[1]) == pytest.approx(len(mine.get("/me/everything.json").content) / 1000, rel=0.15)
    assert "<small>2\N{NO-BREAK SPACE}kB" not in device(client).get("/me").text, "who has nothing has nothing to download"


def test_turning_points_that_are_known_stand_beside_a_game_and_none_are_looked_for(client: TestClient) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    assert "turning point" not in client.get("/me?all=1").text and house.turnings.known("vivid") is None, "opening the page looks for none"
    turnings = [Turning(9, seat, left, (), (), {}) for seat, left in ((0, 4.2), (0, 8.8), (1, 20.0))]
    house.turnings = SimpleNamespace(known=lambda id: Found(turnings, True) if id == "vivid" else None)
    page = client.get("/me?all=1").text
    assert page.count("turning point: 9 missed") == page.count("turning point") == 1, "one's own, the largest"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_what_the_games_say(client: TestClient, filled: Store, language: str) -> None:
    page = device(client, recollect=cookie(filled, language=language)).get("/me")
    tally = dict(zip(("games", "won", "friends", "weeks"), map(int, re.findall(r"<dd>(\d+)</dd>", page.text)), strict=True))
    assert tally["games"] == 20 and tally["friends"] == 1 and tally["weeks"] == 8
    assert len(page.content) < 300_000
    for id in ("h-rank", "h-forget", "h-weeks", "h-points-vivid", "h-walk", "h-duel", "h-rec"):
        assert f'id="{id}"' in page.text
    assert page.text.count('class="rank"') == 4, "Pti Bapt for two, Memoarrr! for two and for three, Vivid Memories for two"
    days = re.findall(r'<time datetime="[-\d]+T[:\d]+\+00:00" data-day="(\w+)">', page.text)
    assert days.count("full") == 1 and days.count("short") >= 6, "since when, and each recent game: the browser writes them anew"
    assert page.text.count('class="btn back"') == 6 and client.get("/me?all=1").text.count('class="btn back"') == 20


def test_a_game_that_left_the_shelf_leaves_the_page_too(client: TestClient, filled: Store) -> None:
    """Its folder was taken away, or something in it broke, after it was played and rated."""
    assert "Pti Bapt" in client.get("/me").text
    filled.write([("update tables set game = 'gone' where game = 'ptibapt'", ())])
    page = client.get("/me")
    assert page.status_code == 200 and "Memoarrr!" in page.text and "Pti Bapt" not in page.text
    assert client.get("/me/everything.json").status_code == client.get("/").status_code == 200


def test_a_score_below_nothing_has_a_minus_and_no_hyphen(client: TestClient, filled: Store) -> None:
    """In the list of tables and on the own page."""
    result = json.loads(filled.read("select result from tables where id = 'p7'")[0]["result"])
    scores = json.dumps({**result, "ranking": [2, 1], "scores": [-2, 0]})
    filled.write([("update tables set result = ? where id = 'p7'", (scores,))])
    assert "0 : −2" in client.get("/").text and "0 : -2" not in client.get("/").text
    page = client.get("/me").text
    assert "−2 points" in page and "-2 points" not in page


def test_who_shares_the_screen_is_somebody_else() -> None:
    chairs = [
        Chair("here", "Mila", "mila"),
        Chair("here", "Ana", "mila"),
        Chair("bot", "Parrot", mind="parrot"),
        Chair("link", "Théo", "theo"),
    ]
    games = [played("a", [1, 2, 3, 1], chairs), played("b", [2, 1, 3, 4], chairs)]
    found = {duel.name: (duel.ahead, duel.level, duel.behind) for duel in record.duels(games)}
    assert found == {"Ana": (1, 0, 1), "Parrot": (2, 0, 0), "Théo": (1, 1, 0)}
    assert record.friends(games) == 1


def test_a_friend_who_changed_names_is_one_friend() -> None:
    games = [played("a", [1, 2], [*MILA, Chair("link", "Théo", "theo")]), played("b", [2, 1], [*MILA, Chair("link", "Teddy", "theo")])]
    assert [(d.name, d.games) for d in record.duels(games)] == [("Teddy", 2)]


def test_points_by_category_beside_those_of_the_others() -> None:
    three = [*MILA, Chair("link", "Théo", "theo"), Chair("bot", "Parrot", mind="parrot")]
    games = [played("a", [1, 2, 3], three, points={"moments": [10, 4, 2], "threads": [0, 1, 2]})]
    games.append(played("b", [1, 2, 3], three, points={"moments": [20, 0, 2], "threads": [2, 1, 2]}))
    assert record.categories(games) == [record.Category("moments", 15, 2), record.Category("threads", 1, 1.5)]
    assert record.categories([played("c", [1, 2, 3], three, points={"rubies": [1, 2, 3]})]) == []


def test_best_times_compare_what_can_be_compared() -> None:
    options = load("ptibapt").settle({"players": 1})
    small = {**options, "greens": 4}
    walks = [(options, 120.0), (options, 90.0), (small, 30.0), (options, 100.0)]
    games = [Played(str(n), "ptibapt", 1, o, {"time": {"counted": t}}, n, tuple(MILA), 0) for n, (o, t) in enumerate(walks)]
    long, short = record.courses(games)
    assert (long.best, long.at, long.better, long.times) == (90.0, 1, 30.0, (120.0, 90.0, 100.0)) and long.changed == []
    assert (short.best, short.better, short.changed) == (30.0, None, [("greens", 4)])


# -- ratings


def test_companions_stand_as_far_apart_as_they_were_measured() -> None:
    mates = companions_of("memoarrr")
    assert list(mates) == ["goldfish", "parrot", "dolphin", "elephant"] and mates["parrot"].points == 1200
    for (below, above), share in zip(pairwise(mates.values()), (0.665, 0.710, 0.869), strict=True):
        assert 1 / (1 + 10 ** ((below.points - above.points) / 400)) == pytest.approx(share, abs=0.002)
    assert companions_of("_template") == {}


def test_who_wins_rises_and_doubt_shrinks() -> None:
    won, lost = after([Rating(), Rating()], [1, 2])
    assert won.mu > Rating().mu > lost.mu and won.doubt < Rating().doubt
    many = Rating()
    for _ in range(40):
        many = after([many, companions_of("memoarrr")["dolphin"]], [1, 2])[0]
    assert many.points > companions_of("memoarrr")["dolphin"].points and many.doubt < 250


def test_every_finished_game_is_rated_once_in_its_order(filled: Store) -> None:
    ratings = Ratings(filled)
    assert ratings.bring_up() > 0
    first = ratings.of("mila")
    assert {key: len(rows) for key, rows in first.items()} == {("memoarrr", 2): 8, ("memoarrr", 3): 1, ("ptibapt", 2): 8, ("vivid", 2): 1}
    ratings.bring_up()
    assert ratings.of("mila") == first and ratings.of("theo").keys() == first.keys() - {("ptibapt", 2)}
    result = filled.results("mila", "ptibapt")
    before = Rating()
    for id, _, kept, _ in sorted((r for r in result if r[0].startswith("p")), key=lambda r: r[3]):
        before = after([before, companions_of("ptibapt")["parrot"]], kept["ranking"])[0]
        assert id.startswith("p")
    assert first["ptibapt", 2][-1][1] == before


def test_nobody_is_rated_alone_or_against_who_is_not_known(filled: Store) -> None:
    lay(filled, "dodo", "memoarrr", [*MILA, Chair("bot", "Dodo", mind="random")], 2e9)
    lay(filled, "strangers", "memoarrr", [*MILA, Chair("here", "Ana", "mila")], 2e9)
    Ratings(filled).bring_up()
    assert {row["id"] for row in filled.read("select id from rated")} & {"dodo", "strangers", "alone0", "running"} == set()


# -- memory


def test_what_games_say_of_memory_is_found_out_once_and_kept(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    persons = Persons(filled)
    games = persons.games("mila")
    first = memory.Memories(persons).of(games)
    assert first.games == 19 and first.chances > 50 and first.fit and first.waiting == 0
    monkeypatch.setattr(memory, "rebuild", lambda document: pytest.fail("it was kept"))
    again = memory.Memories(persons).of(games)
    assert (again.chances, again.used, again.fit.threshold) == (first.chances, first.used, first.fit.threshold)  # type: ignore[union-attr]


def test_a_perfect_memory_is_called_one(filled: Store) -> None:
    """Plain sense forgets nothing: the curve says so."""
    found = memory.Memories(Persons(filled)).of(Persons(filled).games("mila"))
    assert found.half is not None and found.half > 20 and found.used / found.chances > 0.9


def test_many_games_are_gone_through_little_by_little(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "AT_ONCE", 8)
    games, memories = Persons(filled).games("mila"), memory.Memories(Persons(filled))
    assert [(m.games, m.waiting) for m in (memories.of(games) for _ in range(3))] == [(8, 11), (16, 3), (19, 0)]


def test_a_week_with_few_chances_waits_for_the_next(filled: Store) -> None:
    found, _ = memory.Memories(Persons(filled)).recalled([p for p in Persons(filled).games("mila") if p.game != "vivid"])
    weeks = memory.weeks_of(found)
    assert 2 <= len(weeks) <= 8 and all(week.low <= week.half <= week.high for week in weeks)
    assert memory.weeks_of([memory.Recalled(1e9, found[0].chances[:3], 0, 0)]) == []


@pytest.mark.parametrize("days", [(0, 7), (0, 7, 14, 21), (0, 7, 14, 9000), (0, 8980, 8990, 9000), tuple(range(0, 400, 7))])
def test_the_days_below_the_weeks_never_stand_over_one_another(days: tuple[int, ...]) -> None:
    texts = read_texts(Path(record.__file__).parent, "en")
    drawn = drawn_weeks([memory.Week(1e9 + 86400 * n, 9.0, 8.0, 10.0) for n in days], texts)
    assert drawn
    lefts = [mark["left"] for mark in drawn["marks"]]
    assert lefts[0] == 0 and lefts[-1] == 100 and len(lefts) <= 4
    assert all(right - left >= 25 for left, right in pairwise(lefts))


# -- the passphrase


def test_a_passphrase_carries_everything_to_another_device(client: TestClient) -> None:
    kept = client.post("/me/keep", data={"handle": "Mila B", "passphrase": "amber ladder seven sails"}, headers=ORIGIN)
    assert kept.status_code == 200 and "It is kept" in kept.text and "mila b" in kept.text
    other = device(client)
    assert "Nothing here yet" in other.get("/me").text
    wrong = other.post("/me/back", data={"handle": "mila b", "passphrase": "amber ladder seven sail"}, headers=ORIGIN)
    assert wrong.status_code == 400 and "do not belong together" in wrong.text and "Nothing here yet" in other.get("/me").text
    back = other.post("/me/back", data={"handle": "MILA B", "passphrase": " amber  ladder seven sails "}, headers=ORIGIN)
    assert "Welcome back" in back.text and "<dd>20</dd>" in back.text
    hash = client.app.state.house.store.read("select hash from own")[0]["hash"]  # type: ignore[attr-defined]
    assert hash.startswith("$argon2id$") and "amber" not in hash


def test_who_comes_back_is_called_as_before(client: TestClient) -> None:
    open_table(client, name0="Mila B.", seat1="link")
    words = {"handle": "mila b", "passphrase": "amber ladder seven sails"}
    client.post("/me/keep", data=words, headers=ORIGIN)
    phone = device(client)
    assert "Mila B." in phone.post("/me/back", data=words, headers=ORIGIN).text
    assert 'name="name" value="Mila B."' in phone.get("/").text


def test_the_games_of_the_other_device_come_along_if_wanted(client: TestClient, filled: Store) -> None:
    words = {"handle": "mila", "passphrase": "amber ladder seven sails"}
    client.post("/me/keep", data=words, headers=ORIGIN)
    lay(filled, "phone", "memoarrr", [Chair("here", "Mila", "phone"), Chair("bot", "Parrot", mind="parrot")], 3e9)
    alone = device(client, recollect=cookie(filled, "phone"))
    assert "<dd>20</dd>" in alone.post("/me/back", data=words, headers=ORIGIN).text
    phone = device(client, recollect=cookie(filled, "phone"))
    assert "<dd>21</dd>" in phone.post("/me/back", data={**words, "bring": "yes"}, headers=ORIGIN).text
    assert Persons(filled).games("phone") == []


@pytest.mark.parametrize(
    ("handle", "words", "said"),
    [("mi", "a" * 12, "3 to 20"), ("mila", "amber", "12 letters"), ("mila", "a" * 201, "longer"), ("\u2800" * 3, "a" * 12, "3 to 20")],
)  # fmt: skip
def test_a_bad_name_or_passphrase_is_refused_in_words(client: TestClient, handle: str, words: str, said: str) -> None:
    answer = client.post("/me/keep", data={"handle": handle, "passphrase": words}, headers=ORIGIN)
    assert answer.status_code == 400 and said in answer.text
    assert not client.app.state.house.store.read("select * from own")  # type: ignore[attr-defined]
    assert client.get("/language/fr?back=" + re.search(r"/language/fr\?back=([^\"]+)", answer.text)[1]).status_code == 200  # type: ignore[index]


def test_a_name_that_was_typed_stands_there_still(client: TestClient) -> None:
    typed = 'id="{}-handle" name="handle" value="{}"'
    short = client.post("/me/keep", data={"handle": "mila", "passphrase": "amber"}, headers=ORIGIN).text
    assert typed.format("keep", "mila") in short and typed.format("back", "") in short
    wrong = client.post("/me/back", data={"handle": "mila", "passphrase": "amber"}, headers=ORIGIN).text
    assert typed.format("back", "mila") in wrong and typed.format("keep", "") in wrong


def test_a_name_is_one_persons(client: TestClient) -> None:
    words = {"handle": "mila", "passphrase": "amber ladder seven sails"}
    client.post("/me/keep", data=words, headers=ORIGIN)
    taken = device(client).post("/me/keep", data={**words, "passphrase": "something else altogether"}, headers=ORIGIN)
    assert taken.status_code == 400 and "Somebody else" in taken.text
    assert "Welcome back" in device(client).post("/me/back", data=words, headers=ORIGIN).text


def test_who_guesses_is_stopped_whatever_the_address(client: TestClient) -> None:
    keeper = Keeper()
    for _ in range(int(TRIES)):
        keeper.count("place here", "name mila")
    with pytest.raises(Busy):
        keeper.count("place elsewhere", "name mila")
    client.app.state.house.own.keeper = keeper  # type: ignore[attr-defined]
    answer = client.post("/me/back", data={"handle": "mila", "passphrase": "x"}, headers=ORIGIN)
    assert answer.status_code == 429 and "ten minutes" in answer.text


def test_who_is_stopped_for_guessing_owes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may guess at anybody's name: that does not lock it for days."""
    clock = [0.0]
    monkeypatch.setattr(passphrase, "Allowance", lambda rate, burst: Allowance(rate, burst, lambda: clock[0]))
    keeper = Keeper()
    for _ in range(1000):
        with contextlib.suppress(Busy):
            keeper.count("name mila")
    clock[0] = A_WHILE / TRIES + 1
    keeper.count("name mila")
    with pytest.raises(Busy):
        keeper.count("name mila")


def test_who_is_second_to_a_name_keeps_the_one_they_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ask for a name at the same moment: both find it free, one of them has it."""
    store = Store(tmp_path)
    persons = Persons(store)
    assert persons.keep("theo", "theodore", "hash") and persons.keep("mila", "marvellous", "other")
    with monkeypatch.context() as patch:
        answers = iter([None, persons.kept("marvellous")])  # free when it was asked, and then no more
        patch.setattr(persons, "kept", lambda handle: next(answers))
        assert not persons.keep("theo", "marvellous", "hash")
    assert persons.handle("theo") == "theodore" and persons.kept("marvellous") == ("mila", "other")
    assert persons.keep("theo", "teddy", "new") and persons.kept("theodore") is None
    store.close()


def test_other_sites_cannot_ask(client: TestClient) -> None:
    for path in ("/me/keep", "/me/back", "/me/erase"):
        assert client.post(path, data={"sure": "yes"}, headers={"origin": "http://evil.example"}).status_code == 403


def test_the_same_words_from_another_keyboard_are_the_same() -> None:
    assert normal("  cafe\u0301   noir ") == normal("caf\u00e9 noir")


# -- everything, and nothing


def test_one_file_has_everything_but_what_is_still_played(client: TestClient, filled: Store) -> None:
    answer = client.get("/me/everything.json")
    assert "attachment" in answer.headers["content-disposition"]
    file = json.loads(answer.text)
    assert len(file["games"]) == 20 and {r["id"] for r in file["running"]} == {"running", "running_alone"}
    match = next(g["match"] for g in file["games"] if g["id"] == "p0")
    assert match["game"] == "ptibapt" and len(match["log"]) > 20
    assert {(r["game"], r["players"]) for r in file["ratings"]} == {("memoarrr", 2), ("memoarrr", 3), ("ptibapt", 2), ("vivid", 2)}
    assert "seed of p0" in answer.text and "seed of running" not in answer.text, "a running game is sealed"
    assert not any("log" in r or "moves" in r for r in file["running"])


def test_erasing_asks_first_and_then_leaves_nothing(client: TestClient, filled: Store) -> None:
    client.post("/me/keep", data={"handle": "mila", "passphrase": "amber ladder seven sails"}, headers=ORIGIN)
    client.get("/me")
    filled.write([("insert into asides values ('m0', 0, 1.0, 0, 'wrote', 'Mila was here')", ())])
    assert "Erase everything?" in client.get("/me/erase").text
    assert "Erase everything?" in client.post("/me/erase", data={}, headers=ORIGIN).text and len(Persons(filled).games("mila")) == 20
    gone = client.post("/me/erase", data={"sure": "yes"}, headers=ORIGIN)
    assert "It is gone" in gone.text and "Nothing here yet" in gone.text
    for table in (*PARTS, "own", "portraits"):
        kept = repr(filled.read(f"select * from {table}"))
        assert "mila" not in kept and "Mila" not in kept and "Ana" not in kept, table
    gone = "substr(id, 1, 1) = 'p' or substr(id, 1, 5) = 'alone' or id = 'running_alone'"
    assert not filled.read(f"select * from moves where {gone}")


def test_a_name_does_not_stay_with_seats_that_were_left(client: TestClient, filled: Store) -> None:
    """Given up, or lost and read of; who had another seat of the same table keeps their name."""
    for n, (seat, kind) in enumerate(((0, "gave_up"), (1, "lost"), (2, "lost"))):
        filled.write([("insert into asides values ('running', ?, 1.0, ?, ?, ?)", (n, seat, kind, f"Mila {seat}"))])
    filled.write([*filled.given_up("running", 0, "mila"), *filled.lost("running", 1, "mila"), *filled.lost("running", 2, "theo")])
    filled.write(filled.told("running", "mila"))
    client.post("/me/erase", data={"sure": "yes"}, headers=ORIGIN)
    assert [aside.what for aside in filled.asides("running")] == ["someone", "someone", "Mila 2"]
    assert [former.person for former in filled.former("running")] == ["theo"]


def test_a_name_does_not_stay_with_a_seat_that_is_kept_for_a_rematch(client: TestClient, filled: Store) -> None:
    """Whoever else sits there by now keeps theirs."""
    theo = Chair("here", "Théo", "theo")
    for before, id, first in (("m0", "kept", Chair("link", "Mila", secret="s")), ("m1", "taken", Chair("link", "Ben", "ben", secret="s"))):
        filled.create(Row.of(load("memoarrr"), id=id, options={"players": 2}, seed=id, host="theo", chairs=[first, theo]))
        filled.write(
            [("update tables set rematch = ? where id = ?", (id, before)), *filled.aside(id, Aside(0, 1.0, 0, "expected", "Mila"))]
        )
    client.post("/me/erase", data={"sure": "yes"}, headers=ORIGIN)
    names = {id: [chair.name for chair in row.chairs] for id in ("kept", "taken") if (row := filled.row(id))}
    assert names == {"kept": ["someone", "Théo"], "taken": ["Ben", "Théo"]}
    assert not [*filled.asides("kept"), *filled.asides("taken")]


def test_friends_keep_their_games_with_someone_and_a_companion_plays_on(client: TestClient, filled: Store) -> None:
    theirs = device(client, recollect=cookie(filled, "theo", "Théo"))
    before = theirs.get("/me").text
    client.post("/me/erase", data={"sure": "yes"}, headers=ORIGIN)
    page = theirs.get("/me").text
    assert re.findall(r"<dd>(\d+)</dd>", page) == re.findall(r"<dd>(\d+)</dd>", before) and "someone" in page
    chair = filled.row("running").chairs[0]  # type: ignore[union-attr]
    assert (chair.kind, chair.person) == ("bot", None) and chair.mind in ("parrot", "dolphin") and filled.row("running").ready  # type: ignore[union-attr]
    assert theirs.get("/t/running").status_code == 200


# -- the store


def test_an_older_file_is_brought_up_and_keeps_its_games(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "recollect.sqlite")
    db.executescript(SCHEMA + MIGRATIONS[1] + "pragma user_version = 1;")
    row = (
        "old",
        "memoarrr",
        1,
        "",
        "{}",
        "s",
        "s",
        "mila",
        0,
        1.0,
        2.0,
        "[]",
        '{"ranking": [1, 2], "scores": [3, 1], "points": {}}',
        None,
        None,
    )
    db.execute(f"insert into tables values ({','.join('?' * 15)})", row)
    db.execute(
        "insert into seats (id, seat, kind, person, name) values ('old', 0, 'here', 'mila', 'Mila'), ('old', 1, 'link', 'theo', 'Théo')"
    )
    db.commit()
    db.close()
    store = Store(tmp_path)
    assert store.read("pragma user_version")[0]["user_version"] == VERSION == max(MIGRATIONS)
    assert [p.id for p in Persons(store).games("mila")] == ["old"] and Ratings(store).bring_up() == 1


def test_it_is_the_same_in_postgresql(postgresql: str) -> None:
    store = Store(postgresql)
    lay(store, "one", "memoarrr", [*MILA, Chair("link", "Théo", "theo")])
    lay(store, "two", "ptibapt", [*MILA, Chair("bot", "Parrot", mind="parrot")], 1e9 + WEEK)
    persons, ratings = Persons(store), Ratings(store)
    assert ratings.bring_up() == 2 and set(ratings.of("mila")) == {("memoarrr", 2), ("ptibapt", 2)} and persons.since("mila") == 1e9
    assert memory.Memories(persons).of(persons.games("mila")).games == 2
    assert persons.keep("mila", "mila", "hash") and not persons.keep("theo", "mila", "other") and persons.kept("mila") == ("mila", "hash")
    persons.carry("theo", "teddy")
    assert [p.id for p in persons.games("teddy")] == ["one"]
    persons.erase("mila", "someone")
    assert persons.games("mila") == [] and [c.name for c in persons.games("teddy")[0].chairs] == ["someone", "Théo"]
    assert store.row("two") is None and persons.kept("mila") is None
    store.close()


def test_the_report_has_the_curve_of_all_games_for_its_own_person_alone(client: TestClient, filled: Store) -> None:
    client.get("/me")  # what the games say is found out
    own, others = client.get("/t/m7/report?seat=0").text, device(client, recollect=cookie(filled, "ana")).get("/t/m7/report?seat=0").text
    assert "19 games" in own and "19 games" not in others
    theirs = [who.get("/t/m7/report?seat=1").text for who in (client, device(client, recollect=cookie(filled, "ana")))]
    assert theirs[0] == theirs[1] and "19 games" not in theirs[0]


# -- the picture


def pictured(page: str) -> list[str]:
    """The pictures of people that a page shows; those to choose from do not count."""
    return re.findall(r'href="#portrait-(\w+)"', re.sub(r'<fieldset class="pictures">.*?</fieldset>', "", page, flags=re.S))


def test_a_picture_is_the_persons_and_their_friends_see_it(client: TestClient, filled: Store) -> None:
    theo = device(client, recollect=cookie(filled, "theo", "Théo"))
    assert pictured(client.get("/me").text) == pictured(theo.get("/t/m0").text) == [] and "Mila" in theo.get("/t/m0").text
    client.post("/me/picture", data={"art": "fox"}, headers=ORIGIN)
    assert pictured(client.get("/me").text) == ["fox"] and set(pictured(theo.get("/t/m0").text)) == {"fox"}
    assert [chair.portrait for chair in filled.row("shared").chairs] == ["fox", None, None], "who shares the screen has another face"
    client.post("/me/picture", data={"art": "none"}, headers=ORIGIN)
    assert pictured(theo.get("/t/m0").text) == [] and client.get("/me/everything.json").json()["portrait"] is None
    assert client.post("/me/picture", data={"art": "<svg>"}, headers=ORIGIN).status_code == 200 and pictured(client.get("/me").text) == []


def test_who_chooses_a_picture_alarms_nobody_at_their_tables(client: TestClient) -> None:
    id, theo, told = open_table(client, seat1="link"), device(client), list[dict[str, Any]]()
    take(theo, links(client, id)[0], "Théo")
    with theo.websocket_connect(f"/t/{id}/live", headers=ORIGIN) as socket, contextlib.suppress(WebSocketDisconnect):
        while not told or "html" not in told[-1]:
            told.append(json.loads(socket.receive_text()))
        client.post("/me/picture", data={"art": "fox"}, headers=ORIGIN)
        while True:
            told.append(json.loads(socket.receive_text()))
    assert not [message["why"] for message in told if "why" in message], "no fault of ours: the page comes again, and shows the picture"


def test_a_picture_is_chosen_where_a_seat_is_taken(client: TestClient, filled: Store) -> None:
    assert 'name="art"' in client.get("/new/ptibapt").text
    answer = client.post("/new/ptibapt", data={"players": "2", "name0": "Mila", "seat1": "link", "art": "whale"}, headers=ORIGIN)
    id = str(answer.url).rsplit("/", 1)[1]
    guest, secret = device(client), filled.row(id).chairs[1].secret
    assert 'name="art"' in guest.get(f"/t/{id}/join/{secret}").text
    guest.post(f"/t/{id}/join/{secret}", data={"name": "Ana", "art": "robot"}, headers=ORIGIN)
    assert [chair.portrait for chair in filled.row(id).chairs] == ["whale", "robot"]
    assert {"whale", "robot"} == set(pictured(client.get(f"/t/{id}").text))


def test_a_picture_is_carried_downloaded_and_erased(client: TestClient, filled: Store) -> None:
    persons = Persons(filled)
    persons.portray("mila", "owl")
    assert client.get("/me/everything.json").json()["portrait"] == "owl"
    persons.carry("mila", "elsewhere")
    assert persons.portrait("mila") is None and persons.portrait("elsewhere") == "owl"
    persons.portray("theo", "lion")
    persons.carry("elsewhere", "theo")
    assert persons.portrait("theo") == "lion", "the one whom the passphrase keeps stays as they are"
    persons.erase("theo", "someone")
    assert filled.read("select * from portraits") == []


def test_one_chance_is_one_in_french() -> None:
    t = own_texts("fr")
    assert [t("recent.remembered", n=n, of=6) for n in (1, 2)] == ["1 occasion saisie sur 6", "2 occasions saisies sur 6"]


def test_a_seat_looks_at_another_device_as_it_did(client: TestClient, filled: Store) -> None:
    persons, phone, tablet = Persons(filled), device(client), device(client)
    id = open_table(client, seat1="link", art="owl")

    def carry(one: TestClient, to: TestClient) -> str:
        path = re.search(r'value="http://testserver(/t/[^"]+/carry/[^"]+)"', one.get(f"/t/{id}/carry").text)[1]  # type: ignore[index]
        assert to.post(path, headers=ORIGIN).status_code == 200
        return str(filled.row(id).chairs[0].portrait)

    assert carry(client, phone) == "owl"
    assert persons.portrait("mila") == "owl", "and at other tables it is still there"
    tablet.post("/me/picture", data={"art": "fox"}, headers=ORIGIN)
    assert carry(phone, tablet) == "fox", "who has chosen one keeps it"


def test_who_has_finished_no_game_is_not_told_of_games_that_go(client: TestClient) -> None:
    assert "20 finished games" in client.get("/me/erase").text and "finished" not in device(client).get("/me/erase").text


def test_a_recent_game_says_what_was_remembered_or_by_how_much_it_was_won(client: TestClient) -> None:
    page = client.get("/me?all=1").text
    rows = re.findall(r'<div class="res[^"]*"><strong>([^<]*)</strong>(?:<small>([^<]*)</small>)?', page)
    assert any(re.fullmatch(r"\d+ of \d+ chances used", note) for _, note in rows)
    assert any(re.fullmatch(r"\d+ points? (ahead|behind)|level on points", note) for _, note in rows)
    assert all("ahead" in note or "used" in note or "level" in note for result, note in rows if result.startswith("won"))


def test_of_the_finished_games_the_start_page_shows_the_latest_and_folds_the_others(client: TestClient) -> None:
    page = client.get("/").text
    shown, folded = page.split('<details class="older"')
    assert shown.count('id="table-') == 4 + 2, "four finished ones, and the two that run"
    assert folded.count('id="table-') == int(re.search(r"(\d+) more finished games", folded)[1]), "and the others"  # type: ignore[index]
    assert 'id="table-running"' in shown


def test_the_days_below_the_weeks_are_those_of_who_reads_them(client: TestClient) -> None:
    weeks = client.get("/me").text.split('class="panel weeks"')[1].split("</section>")[0]
    assert "<time" in weeks.split('class="xs"')[1]


def test_at_the_end_nobody_of_a_shared_screen_is_called_you(client: TestClient) -> None:
    assert "<small>you</small>" in client.get("/t/m3").text
    assert "<small>you</small>" not in client.get("/t/shared").text
