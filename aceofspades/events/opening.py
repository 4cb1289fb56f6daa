"""The opening of the contest: its secret regulations, which chance draws so that nobody knows them.

They are Regulations 340 to 400, from the library of shipped ones. Until the first contestant
joins, a Contestmaster may write others in their places. What was drawn stands in a
sealed note from the start, to be checked at the Moment of Reckoning.
"""

from aceofspades.events import book
from aceofspades.models import Contest
from aceofspades.rulebook import SECRET_NUMBERS, library
from aceofspades.state.reading import BOOK, PURPOSE, drop_state, state_of
from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table

OPENING = "aceofspades.opening"
R106 = "Regulation 106"


@appointment(OPENING, title="The contest opens", priority=20, rule=R106)
def the_contest_opens(table: Table, subject: str) -> Outcome:
    """Draw the secret regulations of the beginning, and let contestants come."""
    if not state_of(table).is_on:
        return Outcome("The contest is not played any more: nothing is drawn for it.")
    texts = {rule.title: rule.text for rule in library()}
    drawn = table.dice.draw_for_each(
        ["secret regulation"], sorted(texts), len(SECRET_NUMBERS), private=True, purpose=PURPOSE
    )["secret regulation"]
    titles = dict(zip(SECRET_NUMBERS, drawn, strict=True))
    for number, title in titles.items():
        book.take_effect(table, number, texts[title], "secret")
    sealed = table.note_sealed(
        {
            "regulations": {
                str(number): {"title": title, "text": texts[title]}
                for number, title in titles.items()
            }
        },
        f"The secret regulations drawn for {PURPOSE}.",
        R106,
        book=BOOK,
    )
    Contest.objects.filter(pk=state_of(table).contest.pk).update(opened=True)
    drop_state(table)
    numbers = ", ".join(map(str, SECRET_NUMBERS))
    return Outcome(
        f"The contest opens. Its secret Regulations {numbers} are drawn by dice, and known to"
        " nobody.",
        {"secret": list(SECRET_NUMBERS), "note": sealed.hash},
    )
