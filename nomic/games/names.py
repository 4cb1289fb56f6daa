"""What a player may be called: any script, nothing invisible, nobody else's likeness."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db.models import CharField, Func, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower

from nomic.games.confusables import LOOKS, likeness, unseen

RESERVED_NAMES = frozenset(
    {
        "agora",
        "lost and found",
        "mint",
        "the deck",
        "somebody",  # who does something unnamed
        "system",
        "the system",
        "operator",
        "the operator",
    }
)
LONGEST_NAME = 40


class Likeness(Func):
    """A name as the eye takes it, in the database: case and look-alike letters do not count.

    An index is built on it: whoever changes its letters rebuilds that in a migration.
    """

    function = "TRANSLATE"
    output_field = CharField()

    def __init__(self, name: str | Combinable) -> None:
        super().__init__(Lower(name), Value("".join(LOOKS)), Value("".join(LOOKS.values())))


def validate_player_name(name: str) -> None:
    """Raise ValidationError with a sentence unless a player can go by that name.

    Letters of any script, digits, spaces and - _ . ' are welcome; invisible characters, names of
    the game's own departments and names longer than 40 characters are not.
    """
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValidationError(f"A name has 1 to {LONGEST_NAME} characters.")
    if name != " ".join(name.split()):
        raise ValidationError("A name has single spaces, and none at its ends.")
    kinds = {unicodedata.category(character)[0] for character in name if character not in " -_.'’"}
    if not kinds <= set("LMN") or unseen(name):
        raise ValidationError("A name has letters, digits, spaces and - _ . ' only.")
    if not kinds & set("LN"):
        raise ValidationError("A name has at least one letter or digit.")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError("Please write the name in plain, composed letters (Unicode NFKC).")
    if likeness(name) in RESERVED_NAMES:
        raise ValidationError(f"“{name}” is the name of a department of the game.")
