"""A word of the field with its explanation, which opens at the word by click, tap or key."""

import re
import secrets
import tomllib
from pathlib import Path

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

_WORDS = Path(__file__).parents[1] / "glossary.toml"
GLOSSARY: dict[str, str] = tomllib.loads(_WORDS.read_text(encoding="utf-8"))

register = template.Library()
_BY_KEY = {word.casefold(): explanation for word, explanation in GLOSSARY.items()}
_SPIVAK = re.compile(r"\b(?:e|em|eir|eirs|emself)\b")


@register.simple_tag
def term(word: str, means: str = "") -> SafeString:
    """The word as a button that shows what it means; `means` names the glossary's word for it."""
    explanation = _BY_KEY.get((means or word).casefold())
    assert explanation, f"The glossary has no “{means or word}”."
    name = f"term-{secrets.token_hex(4)}"
    return format_html(
        '<button type="button" class="term" popovertarget="{}">{}</button>'
        '<span popover id="{}" class="meaning">{}</span>',
        name,
        word,
        name,
        explanation,
    )


@register.simple_tag
def meaning(word: str) -> str:
    """The meaning of the word in the glossary; "" where it has it not."""
    return _BY_KEY.get(word.casefold(), "")


@register.simple_tag
def term_or_word(word: str) -> str:
    """The word, with what it means where the glossary has it."""
    return term(word) if word.casefold() in _BY_KEY else word


@register.filter
def says_e(text: str) -> str:
    """The meaning of “e” and “eir” where a text has such a word; "" where it has none."""
    return GLOSSARY["e"] if _SPIVAK.search(text) else ""
