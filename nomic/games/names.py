"""What a player may be called: any script, nothing invisible, nobody else's likeness."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db.models import CharField, Func, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower

RESERVED_NAMES = frozenset(
    {"agora", "lost and found", "mint", "system", "the system", "operator", "the operator"}
)
LONGEST_NAME = 40

# Small letters, and what they or their capitals are read as.
_SEEN = {
    "аɑα": "a",
    "вβ": "b",
    "сϲ": "c",
    "ԁ": "d",
    "еєε": "e",
    "ɡց": "g",
    "нһηհ": "h",
    "іıι": "i",
    "јϳ": "j",
    "кκ": "k",
    "ӏ": "l",
    "мμ": "m",
    "ո": "n",
    "оοօσ": "o",
    "рρ": "p",
    "ԛզ": "q",
    "ѕ": "s",
    "тτ": "t",
    "υս": "u",
    "ѵν": "v",
    "ԝω": "w",
    "хχ": "x",
    "уүγ": "y",
    "ζ": "z",
    "’": "'",
}
_LOOKS = {letter: like for letters, like in _SEEN.items() for letter in letters}

# Letters and marks (so Unicode has them) that are drawn as nothing.
_INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x2800),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)


class Likeness(Func):
    """A name as the eye takes it, in the database: case and look-alike letters do not count.

    An index is built on it: whoever changes the letters above rebuilds that in a migration.
    """

    function = "TRANSLATE"
    output_field = CharField()

    def __init__(self, name: str | Combinable) -> None:
        super().__init__(Lower(name), Value("".join(_LOOKS)), Value("".join(_LOOKS.values())))


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
    if not kinds <= set("LMN") or _INVISIBLE & set(name):
        raise ValidationError("A name has letters, digits, spaces and - _ . ' only.")
    if not kinds & set("LN"):
        raise ValidationError("A name has at least one letter or digit.")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError("Please write the name in plain, composed letters (Unicode NFKC).")
    seen = "".join(_LOOKS.get(letter, letter) for letter in name.casefold())
    if seen in RESERVED_NAMES:
        raise ValidationError(f"“{name}” is the name of a department of the game.")
