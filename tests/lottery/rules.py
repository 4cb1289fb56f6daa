"""What happens in the lottery, and the numbers of The Lottery's tables. No Django here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from nomic.games.refusal import Refusal
from nomic.rulebook.charts import RuleTables
from nomic.rulebook.tables import TableBroken

THE_LOTTERY = "The Lottery"
_TICKET = ("TICKET", "FLORINS")
_MOST = ("TICKETS OF ONE PLAYER", "TICKETS")
_PRIZE = ("PRIZE", "PERCENT OF THE POT")
_INCOME = ("WHEN A WEEK STARTS", "FLORINS")
_TABLES = {THE_LOTTERY: (_TICKET, _MOST, _PRIZE, _INCOME)}
_WHOLE_POT = 100


@dataclass(frozen=True, slots=True)
class Terms:
    """What the tables say: the price of a ticket and a week's income in florins, the most tickets
    that one player has in a draw, and the winner's part of the pot in percent."""

    price: int
    most: int
    percent: int
    income: int


@lru_cache(maxsize=64)
def terms_from(text: str) -> Terms:
    """What that text of the rule says; raises TableBroken."""
    tables = RuleTables({THE_LOTTERY: text}, _TABLES)

    def table(columns: tuple[str, str], row: str, most: int) -> int:
        return tables.table(THE_LOTTERY, columns[0]).whole(row, columns[1], most=most)

    return Terms(
        price=table(_TICKET, "Each", 1_000),
        most=table(_MOST, "For one draw at most", 1_000),
        percent=table(_PRIZE, "The winner gains", _WHOLE_POT),
        income=table(_INCOME, "Each player gains", 1_000),
    )


def why_broken(text: str) -> str:
    """What is wrong with that text's tables, as a sentence; "" if they can be played by."""
    try:
        terms_from(text)
    except TableBroken as broken:
        return broken.sentence
    return ""


def prize(pot: int, percent: int) -> int:
    """The winner's part of a pot, in florins; a part of a florin counts as a whole one."""
    return -(-pot * percent // _WHOLE_POT)


def holder_of(number: int, tickets: Mapping[str, int]) -> str:
    """Who has the ticket of that number, from 1 on: they are numbered by player, from A to Z.

    ValueError where nobody has it.
    """
    last = 0
    for player in sorted(tickets):
        last += tickets[player]
        if last >= number > 0:
            return player
    raise ValueError(f"There is no ticket {number} among {last}.")


def buy_refusal(terms: Terms, had: int, wanted: int) -> Refusal | None:
    """Why a player who has so many tickets may not buy so many more; None if they may."""
    left = terms.most - had
    if wanted <= left:
        return None
    sentence = (
        f"One player has at most {terms.most} tickets for a draw, and you have {had}:"
        f" {f'buy {left} or fewer' if left > 0 else 'wait for the next draw'}."
    )
    return Refusal("too_many_tickets", sentence, THE_LOTTERY)
