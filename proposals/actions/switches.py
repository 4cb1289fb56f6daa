"""The players' switches that proposals can set: Vested (Vested Players), voting strength."""

import re
from collections.abc import Sequence

from nomic.engine.subgames import Switch, switch
from nomic.engine.table import Table
from nomic.games.refusal import Refusal
from proposals.models import VotingStrength
from proposals.state.reading import MAIN, drop_state, state_of

_WHOLE = re.compile(r"[0-9]{1,6}")
_ON_OR_OFF = {"on": True, "vested": True, "off": False, "not vested": False}


class _PlayerSwitch(Switch):
    """A switch of every active player, in the games whose edition has it."""

    of = "player"
    edition: str

    def subjects(self, table: Table) -> Sequence[str]:
        played = table.game.edition == self.edition and table.rules.in_force(MAIN)
        return table.directory.players if played else ()


@switch
class Vested(_PlayerSwitch):
    """Whether a player counts for the Stamina that a proposal needs (Rule 5E33)."""

    name = "Vested"
    edition = "rule-5e33"

    def value(self, table: Table, subject: str) -> str:
        return "on" if table.seat(subject).vested else "off"

    def refusal(self, table: Table, subject: str, value: str) -> Refusal | None:
        if value.strip().casefold() in _ON_OR_OFF:
            return None
        sentence = f"Vested is on or off, and not “{value[:60]}”."
        return Refusal("not_on_or_off", sentence, MAIN)

    def set(self, table: Table, subject: str, value: str) -> None:
        player = table.seat(subject)
        player.vested = _ON_OR_OFF[value.strip().casefold()]
        player.save(update_fields=["vested"])
        drop_state(table)


@switch
class Strength(_PlayerSwitch):
    """How many votes a player's ballot is worth under an adoption index."""

    name = "Voting Strength"
    edition = "adoption-index"

    def value(self, table: Table, subject: str) -> str:
        state = state_of(table)
        strength = state.electorate.strengths.get(subject, state.terms.default_strength)
        return str(strength)

    def refusal(self, table: Table, subject: str, value: str) -> Refusal | None:
        strongest = state_of(table).terms.most_strength
        if _WHOLE.fullmatch(value.strip()) and int(value) <= strongest:
            return None
        wanted = f"a whole number from 0 to {strongest}"
        sentence = f"A voting strength is {wanted}, and not “{value[:60]}”."
        return Refusal("no_such_strength", sentence, MAIN)

    def set(self, table: Table, subject: str, value: str) -> None:
        set_strength(table, subject, int(value))


def set_strength(table: Table, player: str, strength: int) -> None:
    """Let that player's ballots be worth so many votes from now on."""
    VotingStrength.objects.update_or_create(
        player=table.seat(player), defaults={"strength": strength}
    )
    drop_state(table)
