"""The sentences of regulations that say the numbers of the contest's tables, in the source's words.

A part of the contest is played by the regulation that says it, whichever that is: the titles here
are those of the source.
"""

from nomic.rulebook.clauses import Clause


def _clause(
    number: int, table: str, row: str, column: str, wording: str, cell: str = "{n}"
) -> Clause:
    return Clause(f"Regulation {number}", table, row, column, (wording,), cell)


_IMMUTABLE = "regulations {n}-{m} are immutable"
_OF_EACH = "CARDS OF EACH SUIT"

CLAUSES = (
    _clause(101, "IMMUTABLE REGULATION", "First", "NUMBER", _IMMUTABLE),
    _clause(101, "IMMUTABLE REGULATION", "Last", "NUMBER", _IMMUTABLE, "{m}"),
    _clause(107, "PROPOSED REGULATION", "At least", "NUMBER", "number must be {n} or greater"),
    _clause(107, "PROPOSED REGULATION", "Less than", "NUMBER", "number must be … less than {n}"),
    _clause(110, "VOTE", "Decided from", "HOURS", "starting {n} hours after a proposal"),
    _clause(119, "MARKING REGULATION", "From", "NUMBER", "with a number of {n} or greater"),
    _clause(121, "SEMIGENIUS", "Another Finalist after", "HOURS", "{n} hours have passed since a"),
    _clause(
        123,
        "SUIT ALWAYS DEFINED",
        "Mauve",
        "LEAST IN THE DECK",
        "at least {n} mauve card in",
    ),
    _clause(
        124, "MADE FOR A NEW CONTESTANT", "Mauve", "CARDS", "{n} mauve cards will be created in eir"
    ),
    _clause(
        124,
        "MADE FOR AN EMPTY HAND",
        "Mauve",
        "CARDS",
        "a mauve card shall be created in the hand of every",
        "1",
    ),
    _clause(
        210,
        "DECK FILLED",
        "When this takes effect",
        _OF_EACH,
        "{n} cards of each defined suit are created in the deck",
    ),
    _clause(
        210, "DECK REFILLED", "When fewer are left than", "CARDS", "deck ever drops below {n}, then"
    ),
    _clause(
        210, "DECK REFILLED", "Made of each suit", "CARDS", "then {n} cards of each suit shall be"
    ),
    _clause(
        215,
        "DEALT TO A NEW CONTESTANT",
        "From the deck",
        "CARDS",
        "be dealt {n} cards randomly",
    ),
    _clause(
        245,
        "FEE FOR A SECRET REGULATION",
        "Paid to the deck",
        _OF_EACH,
        "fee equal to {n} of each defined type of card",
    ),
    _clause(
        999,
        "TIE FOR THE HIGHEST WORTH",
        "Dealt to each tied hand",
        "CARDS",
        "as if {n} more cards were dealt",
    ),
)
