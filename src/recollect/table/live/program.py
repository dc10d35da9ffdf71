"""A program at a table: the gates of a page, told in numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from recollect.table.live.screen import Screen, nothing
from recollect.table.live.wire import Act, Undo
from recollect.table.render.company import heard, left
from recollect.table.render.numbers import Showing, Sight, legal, view


class Program(Screen):
    """One program, at most one seat: everybody who is let in by a token is somebody of their own."""

    async def _reply(self, answer: dict[str, Any]) -> None:
        """A program is answered by itself."""
        await self._say(answer)

    def _now_told(self) -> tuple[dict[str, Any], Callable[[], None]]:
        sight = self.sight()
        if sight.showing and self.away:
            return {}, nothing
        return msgspec.to_builtins(sight), lambda: self._knows(sight)

    def _knows(self, sight: Sight) -> None:
        """It has been told."""
        self._begun = True
        self.beside.set()
        if sight.showing:
            self._shows(sight.showing.stamp)

    def _news(self) -> dict[str, Any]:
        """What pages are told beside the game, in numbers."""
        company = self.room.company
        said = [{"n": aside.n, "seat": aside.seat, "what": aside.what} for aside in heard(company)]
        return {"company": {"left": left(self), "watching": company.spectators(), "said": said}}

    def sight(self, live: bool = True) -> Sight:
        """What its seat sees now. What is shown for a certain time is seen live alone, for nobody would count it elsewhere."""
        room, row = self.room, self.room.row
        self.seat = self.mine[0] if self.mine else -1
        sight = Sight(
            table=row.id,
            game=row.game,
            options=row.options,
            seat=self.seat,
            names=room.names(self.language),
            waiting=not row.ready,
            rematch=row.rematch,
        )
        if not row.ready:
            return replace(sight, links=self._links())
        if (missed := self.missed()) or (room.moment.paced and self.mine):
            return self._shown(sight, missed, live)
        return self._now_from(sight)

    def _now_from(self, sight: Sight) -> Sight:
        """How it stands."""
        room, now = self.room, self.room.moment
        gone = now.paced and room.exposure.gone
        return replace(
            sight,
            n=room.n,
            acting=sorted(now.players),
            legal=legal(room, now, self.seat, self.language),
            may_undo=room.can_undo(self.seat),
            view=None if gone else view(room.game, now.view(self.seat)),
            over=now.over,
            standing=now.standing if now.over else None,
        )

    def _shown(self, sight: Sight, missed: list[int], live: bool) -> Sight:
        """What is shown to all now, or was while nobody looked; not to who has had it."""
        room = self.room
        at = missed[0] if missed else room.at
        if not missed and all(room.row.chairs[seat].shown > at for seat in self.mine):
            return replace(sight, n=room.n)
        seen = view(room.game, room.moment_at(at).view(self.seat)) if live else None
        return replace(sight, n=room.n, showing=Showing(at, room.exposure.hold), view=seen)

    def _links(self) -> dict[str, str]:
        """Where free seats can be taken: for the host alone."""
        row = self.room.row
        free = {str(seat): chair.secret for seat, chair in enumerate(row.chairs) if chair.free and row.host == self.person}
        return {seat: f"{self.base}/t/{row.id}/join/{secret}" for seat, secret in free.items()}

    async def act(self, action: int | str, n: int) -> str:
        """Play an action by number or notation; returns why it was not done, if it was not."""
        if isinstance(action, str):
            try:
                action = self.room.game.actions.parse(action)
            except ValueError as error:
                return str(error)
        return await self.deeds.do(Act(action, n, 0))

    async def undo(self, n: int) -> str:
        return await self.deeds.do(Undo(n, 0))
