"""The end in words."""

import random

from recollect.engine.shelf import load
from recollect.table.render.ending import ending
from recollect.table.render.players import Player
from recollect.table.render.prose import ui_texts


def test_who_came_second_is_spoken_to():
    game = load("vivid")
    match = game.match(players=2, seed="second")
    rng = random.Random(4)
    while not match.over:
        seat = min(match.acting)
        match.play(seat, rng.choice(match.legal(seat)))
    players, standing = [Player(0, "Mila"), Player(1, "Théo")], match.standing()
    second = standing.ranking.index(max(standing.ranking))
    how = {you: ending(standing, players, game.texts("en"), ui_texts("en"), you)["how"] for you in (second, 1 - second)}
    assert how[second].endswith(f"you have {standing.scores[second]}.")
    assert how[1 - second].endswith(f"{players[second].name} has {standing.scores[second]}.")
