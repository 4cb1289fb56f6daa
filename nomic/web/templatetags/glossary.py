"""A word of the field with its explanation, which opens at the word by click, tap or key."""

import re
import secrets

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

GLOSSARY: dict[str, str] = {
    # Proposals
    "F/A": "Votes FOR over votes AGAINST, each counted with its voter's strength.",
    "AI": "Adoption index: the proposal is adopted if FOR is at least this many times AGAINST.",
    "Adoption index": "The proposal is adopted if FOR is at least this many times AGAINST.",
    "PRESENT": "A vote that counts towards the least number of voters, and for neither side.",
    "ABSTAIN": "A vote that counts for neither side.",
    "Quorum": "The least number of voters without which a vote adopts nothing.",
    "Strength": "In B Nomic: votes FOR minus votes AGAINST.",
    "Stamina": "In B Nomic: votes FOR plus votes AGAINST.",
    "Voting strength": "How many votes one player's vote counts for.",
    "Popularity": "In Agora: votes FOR minus votes AGAINST, divided by all votes.",
    "Vested": "A player who has voted lately, and so counts when it is asked how many must vote.",
    "Discarded": "Fewer players voted than the rule asks for, so the proposal fails.",
    "Conflicts": "Of two proposals that conflict, only the stronger one can pass.",
    "Dependencies": "A proposal passes only if every proposal that it depends on passes.",
    "nweek": "B Nomic's week. It counts ndays, and stands still while the Clock is off.",
    "nday": "A day of B Nomic's week.",
    "Pending": "Written, and not open to votes yet.",
    "Historical": "Decided, or withdrawn.",
    # The races
    "Galloper": "The horse that the dice choose each week: it runs first, and its pulls follow.",
    "Pulls": "The horses that go along, one after the other, when this horse gallops.",
    "Motivate": "Let the dice choose which horse gallops at the start of next week, and how far.",
    "Jersey": "Bought with hooves. With a helmet for the same horse it pays when the race ends.",
    "Helmet": "Bought with hooves. It lets you bet on that horse when it is close to the finish.",
    "Dollary": "The money of the races. It is gone when a race ends.",
    "Hoof": "What jerseys, helmets and nudges cost. You get some whenever the horses run.",
    # The isle
    "Domain": "Your source of one resource. It yields when the dice show its number.",
    "Production": "The dice decide which Domains yield; you then harvest what yours gave.",
    "Stockpile": "The resources that you have.",
    "Visitor": "Somebody who comes to the isle after a Production, and whose rule then holds.",
    "Thug": "A Visitor who hurts the Settlers who pay least.",
    # The contest
    "Mauve": "The suit that is always there, and lowers what a hand is worth.",
    "Marks": "The points that a hand of cards is worth.",
    "Need to know": "Who has it may read a private regulation. Full: may let others read it too.",
    "Reckoning": "The moment at which all hands are shown and marked, and the contest is decided.",
    "Finalist": "A contestant whose hand is worth the most at the Reckoning.",
    "Semigenius": "The Finalist whom the dice choose.",
    "Contestmaster": "The officer who runs the contest, and does not play in it.",
    # Everywhere
    "e": "“E”, “em” and “eir” mean “they”, “them” and “their”, of one person.",
    "Agora": "The game itself as an owner: what Agora has, no player has.",
    "By announcement": "By saying that you do it; here, by the button.",
    "Entry": "One line of the record. Every change of the game is one, and none is ever changed.",
}

register = template.Library()
_BY_KEY = {word.casefold(): told for word, told in GLOSSARY.items()}
_SPIVAK = re.compile(r"\b(?:e|em|eir|eirs|emself)\b")


@register.simple_tag
def term(word: str, means: str = "") -> SafeString:
    """The word as a button that shows what it means; `means` names the glossary's word for it."""
    told = _BY_KEY.get((means or word).casefold())
    assert told, f"The glossary has no “{means or word}”."
    name = f"term-{secrets.token_hex(4)}"
    return format_html(
        '<button type="button" class="term" popovertarget="{}">{}</button>'
        '<span popover id="{}" class="meaning">{}</span>',
        name,
        word,
        name,
        told,
    )


@register.simple_tag
def term_or_word(word: str) -> str:
    """The word, with what it means where the glossary has it."""
    return term(word) if word.casefold() in _BY_KEY else word


@register.filter
def says_e(text: str) -> str:
    """What “e” and “eir” mean, where a text has such a word."""
    return GLOSSARY["e"] if _SPIVAK.search(text) else ""
