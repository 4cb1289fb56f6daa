"""The language of what may be said: how a phrase is read, spelled out and looked for in a text."""

import re

import pytest

from nomic.rulebook.phrases import (
    Alternatives,
    AnyWords,
    PhraseBlank,
    expression,
    read,
    spelled_out,
)


def shown(phrase: str) -> set[str]:
    """What may be said by it."""
    return {"".join(str(piece) for piece in way) for way in spelled_out(read(phrase))}


@pytest.mark.parametrize(
    ("phrase", "pieces"),
    [
        ("buy {horse}", ("buy ", PhraseBlank("horse"))),
        ("{n*} and {m/w} or {own/w*}", (
            PhraseBlank("n", several=True), " and ", PhraseBlank("m", is_word=True), " or ",
            PhraseBlank("own", is_word=True, several=True),
        )),
        ("move{direction:back} by {}", (
            "move", PhraseBlank("direction", value="back"), " by ", PhraseBlank()
        )),
        ("to {n} (default)… on", (
            "to ", PhraseBlank("n"), " ", "(", "default", ")", AnyWords(), " on"
        )),
        ("{n} (half|halves)", (PhraseBlank("n"), " ", Alternatives((("half",), ("halves",))))),
        ("{{word/w}}", ("{", PhraseBlank("word", is_word=True), "}")),
        ("a | b", ("a ", "|", " b")),
    ],
)  # fmt: skip
def test_a_phrase_is_words_blanks_and_choices(phrase, pieces):
    assert read(phrase) == pieces


def test_what_may_be_left_out_goes_with_the_space_beside_it():
    assert shown("[all] horses [(now|by saying [just] so)]") == {
        f"{which}horses{how}"
        for which in ("all ", "")
        for how in (" now", " by saying just so", " by saying so", "")
    }
    assert shown("do [it], then") == {"do it, then", "do, then"}


@pytest.mark.parametrize("phrase", ["[all horses", "all [or (none|some) horses"])
def test_a_bracket_that_is_not_closed_is_none(phrase):
    with pytest.raises(IndexError):
        read(phrase)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("each player gains 3 hooves", "3"),
        ("each player, as ever, gains up to 1 hoof", "1"),
        ("each player gains up  to 1 hoof", None),
        ("each player gains upto 1 hoof", None),
        ("each player gains 3 hats", None),
    ],
)
def test_as_an_expression_it_finds_what_it_says_in_a_text(said, number):
    phrase = read("each player… gains [up to] {n} (hoof|hooves)")
    found = re.search(expression(phrase, lambda blank: rf"(?P<{blank.name}>\d+)"), said)
    assert (found and found["n"]) == number
