"""A program that plays. It takes the seat behind a link, or sets a table for itself and a companion, and plays any legal action.

    python examples/bot.py http://127.0.0.1:8000/t/TABLE/join/SECRET
    python examples/bot.py http://127.0.0.1:8000 memoarrr parrot
"""

import json
import random
import sys
import time
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def ask(address: str, **body: object) -> dict:
    return json.load(urlopen(Request(address, json.dumps(body).encode(), {"content-type": "application/json"})))


def play(house: str, seat: dict) -> dict:
    live, token = f"{house.replace('http', 'ws', 1)}/api/t/{seat['table']}/live", {"authorization": f"Bearer {seat['token']}"}
    with connect(live, additional_headers=token) as socket:
        for sight in map(json.loads, socket):
            if showing := sight.get("showing"):  # to all, for so long: look, then say so
                time.sleep(showing["seconds"])
                socket.send(json.dumps({"do": "shown", "stamp": showing["stamp"]}))
            elif legal := sight.get("legal"):
                socket.send(json.dumps({"do": "act", "action": random.choice(legal)["action"], "n": sight["n"], "id": sight["n"]}))
            elif sight.get("over"):
                return sight
    raise SystemExit("the table closed before the end")


if __name__ == "__main__":
    house, link, secret = sys.argv[1].partition("/t/")
    me = {"who": "me", "name": "Bot"}
    if link:
        seat = ask(f"{house}/api/t/{secret}", name="Bot")
    else:
        seat = ask(f"{house}/api/new/{sys.argv[2]}", seats=[me, {"who": "companion", "name": sys.argv[3]}])["seats"][0]
    end = play(house, seat)
    print(*(f"{name}: {points}" for name, points in zip(end["names"], end["standing"]["scores"], strict=True)), sep=", ")
