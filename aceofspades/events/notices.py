"""Private notices of the Contestmaster to contestants, and the codes by which they call what only
they know of: offers and pacts."""

from collections.abc import Iterable

from aceofspades.models import Contestant, Notice, Offer, Pact
from aceofspades.state.reading import PURPOSE, State
from nomic.engine.table import Table

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # without vowels, so that no code is a word
_LENGTH = 4

Message = tuple[Contestant, str]


def send_notices(table: Table, messages: Iterable[Message]) -> None:
    """Tell these contestants these sentences, and nobody else; one statement."""
    notices = list(messages)
    table.concerned.update(contestant.player_id for contestant, _ in notices)
    Notice.objects.bulk_create(
        [Notice(contestant=contestant, text=text, at=table.now) for contestant, text in notices]
    )


def new_code(table: Table, state: State, kind: type[Offer | Pact]) -> str:
    """A code that no other of that kind ever had in this contest.

    Chance draws it in private, so that it tells nobody how many others there are.
    """
    taken = set(kind.objects.filter(contest=state.contest).values_list("code", flat=True))
    letters = list(_LETTERS)
    with table.dice.several(private=True, purpose=PURPOSE) as choose:
        turn = 0
        while True:
            turn += 1
            code = "".join(
                choose(f"code {turn}, letter {place}", letters) for place in range(1, _LENGTH + 1)
            )
            if code not in taken:
                return code
