"""Other processes that serve the same table: what they store is followed here, and who is at their pages is at the table too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.table.store import News
from recollect.table.store.news import Present

if TYPE_CHECKING:
    from recollect.table.live.room import Room


class Others:
    """What the other processes do at one table. Who serves alone hears nothing, and looks after all its tables."""

    def __init__(self, room: Room, alone: bool = True) -> None:
        self.room = room
        self.tended = alone  # this process does what the table does by itself: exposures, companions, clocks
        self.pages: dict[str, Present] = {}  # who is at another process's pages
        self._late: list[News] = []  # came while a change of ours was on its way

    @property
    def seats(self) -> set[int]:
        return {seat for there in self.pages.values() for seat in there.seats}

    def heard(self, news: News) -> None:
        """Another process has stored something."""
        heard = {"moves": self._moves, "shown": self._shown, "sent": self._sent, "saw": self._saw, "held": self._held, "here": self._here}
        if news.what in heard:
            heard[news.what](news)

    def settled(self) -> None:
        """Our own change is stored, or refused: what was heard meanwhile is followed."""
        late, self._late = self._late, []
        for news in late:
            self._moves(news)

    def tend(self, yes: bool) -> None:
        """From now on the table is looked after here, or elsewhere."""
        if yes != self.tended:
            self.tended = yes
            self.room.companions.news.set()

    def gone(self, process: str) -> None:
        """A process is no more; its pages will come back elsewhere."""
        if process in self.pages:
            self._there(process, None)

    def _moves(self, news: News) -> None:
        room = self.room
        if room.writing is not None:
            self._late.append(news)
        elif room.opened and not room.dropped and news.n + max(1, len(news.entries)) > room.n:
            room.follow([(*entry, news.at) for entry in news.entries] if news.n == room.n else [])

    def _shown(self, news: News) -> None:
        self.room.exposure.had(news.seats, news.n)

    def _sent(self, news: News) -> None:
        self.room.exposure.began(news.seats, news.n, news.at)

    def _saw(self, news: News) -> None:
        if news.n == self.room.at:
            self.room.exposure.say(news.seats, enough=True)

    def _held(self, news: News) -> None:
        if news.n == self.room.at:
            self.room.exposure.say(news.seats, enough=False)

    def _here(self, news: News) -> None:
        self._there(news.by, Present(news.seats, news.n, news.watching, news.leisure) if news.n else None)

    def _there(self, process: str, who: Present | None) -> None:
        """Somebody came or left elsewhere; the others change only when a seat's person did."""
        room, before = self.room, self.room.present()
        self.pages.pop(process, None)
        if who:
            self.pages[process] = who
        room.exposure.news.set()
        room.companions.news.set()  # companions among themselves play when somebody looks
        if room.present() != before:
            room.company.version += 1
            room.tell()
        else:
            room.company.came_or_went()
