"""How the eye takes what people call themselves and things: look-alikes, and what is not seen."""

import unicodedata

from nomic.infrastructure.caching.memory import memoized

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
LOOKS = {letter: like for letters, like in _SEEN.items() for letter in letters}
# What is told apart in a name that is there already, and not in one that comes beside it.
ALIKE = {"i": "l", "1": "l", "0": "o", **dict.fromkeys("-_.'@+", " ")}

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


def first_unseen(name: str) -> str:
    """The first character that is drawn as nothing, or that cannot be shown; "" where all are."""
    return next(
        (character for character in name if character in _INVISIBLE or not character.isprintable()),
        "",
    )


def without_unseen(name: str) -> str:
    """The name without the letters and marks that are drawn as nothing."""
    return "".join(character for character in name if character not in _INVISIBLE)


def reads_as(name: str) -> str:
    """The same where 1, I and l do not count either, nor 0 and O, nor what parts its words or ends
    them: what a new name must not share with another."""
    return "".join(ALIKE.get(letter, letter) for letter in likeness(name)).strip(" ")


@memoized(share=0.01)
def likeness(name: str) -> str:
    """A name as the eye takes it: case, width and look-alike letters do not count."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(LOOKS.get(letter, letter) for letter in plain)
