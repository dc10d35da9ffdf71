"""What every game stands on."""

from recollect.engine.actions import Actions, Range
from recollect.engine.components import Fault
from recollect.engine.options import Option
from recollect.engine.record import EVERYONE, NOBODY, OWNER, SPECTATOR, Field, Opened, State, known
from recollect.engine.sets import member, size
from recollect.engine.stream import CHANCE, below

__all__ = [
    "CHANCE",
    "EVERYONE",
    "NOBODY",
    "OWNER",
    "SPECTATOR",
    "Actions",
    "Fault",
    "Field",
    "Opened",
    "Option",
    "Range",
    "State",
    "below",
    "known",
    "member",
    "size",
]
