"""A program that plays. It takes the seat behind a link, or sets a table for itself and a companion, and plays any legal action.
When the process that serves it stops, it connects again and goes on.

    python examples/bot.py http://127.0.0.1:8000/t/TABLE/join/SECRET
    python examples/bot.py http://127.0.0.1:8000 memoarrr parrot
"""

import json
import random
import sys
import time
from urllib.request import Request, urlopen

import websockets.sync.client


def ask(address: str, **body: object) -> dict:
    return json.load(urlopen(Request(address, json.dumps(body).encode(), {"content-type": "application/json"})))


def play(live: str, token: dict) -> dict | None:
    with websockets.sync.client.connect(live, additional_headers=token) as socket:
        for sight in map(json.loads, socket):
            if showing := sight.get("showing"):  # to all, for so long: look, then say so
                time.sleep(showing["seconds"])
                socket.send(json.dumps({"do": "shown", "stamp": showing["stamp"]}))
            elif legal := sight.get("legal"):
                socket.send(json.dumps({"do": "act", "action": random.choice(legal)["action"], "n": sight["n"], "id": sight["n"]}))
            elif sight.get("over") or "status" in sight:  # it is over, or we are not let in
                return sight


if __name__ == "__main__":
    house, link, secret = sys.argv[1].partition("/t/")
    seats = [{"who": "me", "name": "Bot"}, {"who": "companion", "name": sys.argv[-1]}]
    seat = ask(f"{house}/api/t/{secret}", name="Bot") if link else ask(f"{house}/api/new/{sys.argv[2]}", seats=seats)["seats"][0]
    live, end = f"{house.replace('http', 'ws', 1)}/api/t/{seat['table']}/live", None
    while not end:
        try:
            end = play(live, {"authorization": f"Bearer {seat['token']}"})
        except (OSError, websockets.WebSocketException):  # the process stops, or is not back yet
            time.sleep(1)
    scores = () if "why" in end else zip(end["names"], end["standing"]["scores"], strict=True)
    print(end.get("why") or ", ".join(f"{name}: {points}" for name, points in scores))
