"""Names of players: any script, nothing invisible, nobody else's likeness."""

import unicodedata
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import CharField, Func, Q, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower
from django.db.models.lookups import Exact

from nomic.games.confusables import ALIKE, LOOKS, first_unseen, likeness, reads_as
from nomic.infrastructure.database.compiled_queries import among

RESERVED_NAMES = frozenset(
    {
        *("agora", "lost and found", "mint", "the deck"),
        "somebody",  # who does something unnamed
        *("system", "the system", "operator", "the operator"),
    }
)
# What rules and announcements call people by, whoever they are.
_PEOPLE = (
    "all", "anybody", "anyone", "each", "everybody", "everyone", "me", "myself", "no one", "no-one",
    "nobody", "none", "some", "someone", "them", "they", "us", "we", "who", "you", "yourself",
)  # fmt: skip
PHRASES = frozenset(_PEOPLE) | frozenset(
    f"{which} {people}".strip()
    for which in ("", "all", "any", "each", "every", "no")
    for people in ("member", "members", "officer", "officers", "player", "players")
)
_JOINTS = frozenset(map(reads_as, ("and", "or", "nor", "but", "except")))
LONGEST_NAME = 40
_ARTICLES = ("the ", "a ", "an ")
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})


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
    if not kinds <= set("LMN") or first_unseen(name):
        raise ValidationError("A name has letters, digits, spaces and - _ . ' only.")
    if not kinds & set("LN"):
        raise ValidationError("A name has at least one letter or digit.")
    if unicodedata.normalize("NFKC", name) != name:
        raise ValidationError("Please write the name in plain, composed letters (Unicode NFKC).")
    if likeness(name) in RESERVED_NAMES:
        raise ValidationError(f"“{name}” is the name of a department of the game.")


class _ReadsAs(Func):
    """A name as `reads_as` has it, in the database."""

    template = "BTRIM(TRANSLATE(%(expressions)s), ' ')"
    output_field = CharField()

    def __init__(self, name: str | Combinable) -> None:
        super().__init__(Likeness(name), Value("".join(ALIKE)), Value("".join(ALIKE.values())))


def is_read_as(field: str, name: str) -> Q:
    """Whether what the field holds reads as that name, be it with an article."""
    return reads_as_any(field, Value(name), Value(names_read_as(name)))


def names_read_as(name: str) -> list[str]:
    """What reads as that name with an article or without."""
    plain = _without_article(name)
    return [plain, *(f"{article}{plain}" for article in _ARTICLES)]


def reads_as_any(field: str, name: Value, alternatives: Value) -> Q:
    """Whether what the field holds reads as the name, or as one of those that are `known` so."""
    return among(_ReadsAs(field), alternatives) | Q(Exact(_ReadsAs(field), _ReadsAs(name)))


def reads_as_one_of(name: str, things: Iterable[str]) -> str:
    """That of the things' names, or of what people are called by, as which the name reads, be it
    with an article; "" where it reads as none."""
    plain = _without_article(name)
    namesake = next(
        (thing_name for thing_name in things if _without_article(thing_name) == plain), None
    )
    return namesake or _OF_NOBODY.get(plain, "")


def names_several(name: str) -> bool:
    """Whether it reads as several names, or as all but one: “Ann and Bob”, “all but Ann”."""
    return not _JOINTS.isdisjoint(reads_as(name).split())


def with_name(content: Any, former: str, name: str) -> Any:
    """The JSON value, in which each text, and each key of an object, that is the former name and
    nothing else is the new one."""
    if isinstance(content, str):
        return name if content == former else content
    if isinstance(content, list):
        return [with_name(part, former, name) for part in content]
    if isinstance(content, dict):
        pairs = ((key, with_name(part, former, name)) for key, part in content.items())
        return {with_name(key, former, name): part for key, part in pairs}
    return content


def mixes_scripts(name: str) -> bool:
    """Whether it has letters of scripts that nobody mixes, as Latin and Cyrillic ones."""
    letters = (
        letter for letter in name if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lo")
    )
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    return len(scripts - _EAST_ASIAN) > 1


def _without_article(name: str) -> str:
    read = reads_as(name)
    return read.removeprefix(next(filter(read.startswith, _ARTICLES), ""))


_OF_NOBODY = {_without_article(name): name for name in sorted({*PHRASES, *RESERVED_NAMES})}
