"""What a page says over its WebSocket: one small message for each thing that people do, checked as it is read."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

LONGEST = 2000  # characters of a message; most are shorter than a hundred
MOST = 60  # actions of one click
# Under this a socket's scope offers `say`: it is written at once; `reached`: call when all that was said so far has come to who listens;
# and `more`: something waits to be heard.
DIRECT = "recollect.direct"


class Act(msgspec.Struct, tag_field="do", tag="act", forbid_unknown_fields=True):
    """Play an action, seen as legal on the page of entry n and of this seat; and then others, as long as each is legal in its turn."""

    action: int
    n: int
    id: int
    seat: int | None = None
    then: Annotated[list[int], msgspec.Meta(max_length=MOST)] = []


class Try(msgspec.Struct, tag_field="do", tag="try", forbid_unknown_fields=True):
    """Ask why an action may not be played."""

    action: int


class Undo(msgspec.Struct, tag_field="do", tag="undo", forbid_unknown_fields=True):
    n: int
    id: int
    seat: int | None = None


class Hint(msgspec.Struct, tag_field="do", tag="hint", forbid_unknown_fields=True):
    """What would the strongest companion do?"""

    n: int
    id: int
    seat: int | None = None


class Sit(msgspec.Struct, tag_field="do", tag="sit", forbid_unknown_fields=True):
    """At a shared screen: this seat's person is looking now."""

    seat: int
    n: int
    id: int


class Rematch(msgspec.Struct, tag_field="do", tag="rematch", forbid_unknown_fields=True):
    n: int
    id: int


class Shown(msgspec.Struct, tag_field="do", tag="shown", forbid_unknown_fields=True):
    """What was shown at this place of the log was in sight for the full time."""

    stamp: int


class Here(msgspec.Struct, tag_field="do", tag="here", forbid_unknown_fields=True):
    """The page came into sight, or went out of it (another tab is before it)."""

    yes: bool


class Seen(msgspec.Struct, tag_field="do", tag="seen", forbid_unknown_fields=True):
    """Enough seen of what lies open now; when everybody says so, the table goes on."""

    n: int
    id: int


class Hold(msgspec.Struct, tag_field="do", tag="hold", forbid_unknown_fields=True):
    """Somebody wants to look longer at what lies open now."""

    n: int
    id: int


class Say(msgspec.Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """A word to the others: the name of an emote or a phrase, or where people may chat, anything short."""

    what: str


class Decide(msgspec.Struct, tag_field="do", tag="decide", forbid_unknown_fields=True):
    """What becomes of a seat; -1 are all of one's own."""

    what: Literal["stand_in", "back", "more", "give_up"]
    seat: int = -1


class Fill(msgspec.Struct, tag_field="do", tag="fill", forbid_unknown_fields=True):
    """Before the game begins: a companion sits down, or with no name given the seat is left again."""

    seat: int
    mind: str = ""


class Decline(msgspec.Struct, tag_field="do", tag="decline", forbid_unknown_fields=True):
    """No rematch, thank you: who offers it is told."""


class Leisure(msgspec.Struct, tag_field="do", tag="leisure", forbid_unknown_fields=True):
    """How this browser likes companions to play."""

    companions: Literal["brisk", "usual", "unhurried"]


Beside = Say | Decide | Fill | Decline | Leisure  # what is not the game's
Message = Act | Try | Undo | Hint | Sit | Rematch | Shown | Here | Seen | Hold | Beside
read = msgspec.json.Decoder(Message).decode
