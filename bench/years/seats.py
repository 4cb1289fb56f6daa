"""The seats of a year: who votes or proposes in it, and who keeps the votes."""

from bench.years.reading import BadYear
from bench.years.values import Year
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player

PROMOTOR = "Promotor"


class Seats:
    """Players by the names that the year has for them. `officer` keeps the votes, and puts up what
    nobody is told to have written."""

    def __init__(self, slug: str, office: str) -> None:
        self._slug = slug
        self._own: dict[str, Player] = {}
        self.officer = self._join(PROMOTOR)
        take(slug, self.officer, "games.take_office", {"office": office})

    def sit(self, year: Year) -> None:
        """Seat all who vote or propose in the year, in the order of their names."""
        proposals = [each for one in year.distributions for each in one.proposals]
        names = {ballot.voter for each in proposals for ballot in each.ballots}
        for name in sorted(names | {each.author for each in proposals if each.author}):
            self._own[name] = self._join(name)

    def of(self, name: str) -> Player:
        """The seat of who has that name in the year; the officer's for "" and for names of none."""
        return self._own.get(name, self.officer)

    def _join(self, name: str) -> Player:
        """A seat of that name, or of one like it where nobody can have that one here."""
        why = ""
        for each in (name, f"{name} of Agora", f"Voter {len(self._own) + 1}"):
            try:
                take(self._slug, None, "games.join", {"name": each})
            except (Refused, Malformed) as refused:
                why = why or str(refused)
                continue
            return Game.objects.get(slug=self._slug).players.get(name=each)
        raise BadYear(f"Nobody can sit down as “{name}”: {why}")
