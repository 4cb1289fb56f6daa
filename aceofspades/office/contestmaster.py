"""What only the Contestmaster sees, drawn for their desk: hands, worths, counts, texts, notices.

All of it comes from a `Sight`, so that an eye that may not see it finds nothing to draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from aceofspades.events.carrying import intent
from aceofspades.events.scoring import marks
from aceofspades.office.overview import Newest, Overview, appraise, overview
from aceofspades.office.undisclosed import gains
from aceofspades.rules.contest import cards_told
from aceofspades.rules.marks import Answer
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import DECK
from nomic.standard.desks import Picture

_TOLD, _TEXTS = "offices/_told.html", "aceofspades/_texts.html"
_MOST_TOLD = 12
_NOT_YET = "not counted yet"

type Row = tuple[object, ...]


def dossier(sight: Sight) -> Iterator[Picture]:
    """Every picture for who is Contestmaster; none for anybody else. Until the Moment of Reckoning
    each says that nobody else sees it, and where it begins for who took the office in the midst of
    the contest."""
    seen = overview(sight) if sight.is_contestmaster else None
    if seen is None:
        return
    begins = f", since entry {sight.since.entry}" if sight.since else ""
    for each in _pictures(sight, seen):
        is_public = sight.state.is_reckoned
        title = f"{each.title}{begins}: for your eyes only"
        yield each if is_public else replace(each, title=title)


def _pictures(sight: Sight, seen: Overview) -> Iterator[Picture]:
    answer = appraise(sight.state, seen)
    yield _cards(seen, answer)
    if seen.deck is not None:
        yield _wrong(sight, answer)
    yield _running_counts(sight, seen)
    yield _alliances(seen, answer)
    yield _offers(seen.offers)
    yield _sealed(seen.sealed)
    yield _moved(seen.moved)
    yield _notices(seen.notices)
    yield _hidden_texts(sight)


def _cards(seen: Overview, answer: Answer | None) -> Picture:
    """The Deck, and every hand by suit with its worth. Who does not know all hands is not told what
    those that they know are worth: it may hang on the others."""
    held = seen.hands if seen.deck is None else {DECK: seen.deck, **seen.hands}
    are_told = seen.deck is not None
    worths = {
        name: _worth(answer, name) if are_told and name in seen.hands else "" for name in held
    }
    told = [
        (name, cards_told(_without_none(cards)) or "no cards", worths[name])
        for name, cards in held.items()
    ]
    rows: list[Row] = [
        (name, *(cards[suit] for suit in seen.suits), worths[name]) for name, cards in held.items()
    ]
    title = "Cards by suit, and what the hands are worth"
    return _listed(title, told, ("Whose", *seen.suits, "Worth"), rows, "There are no cards.")


def _wrong(sight: Sight, answer: Answer | None) -> Picture:
    """What is wrong with the marking regulations that the viewer may read: the hands concerned are
    worth 0 by it (118)."""
    unread = {each.number for each in sight.state.regulations if not sight.may_read(each)}
    found = {} if answer is None else answer.errors
    errors = {number: why for number, why in found.items() if number not in unread}
    told = [(f"Regulation {number}", why, "") for number, why in sorted(errors.items())]
    rows: list[Row] = [row[:2] for row in told]
    empty = f"They are {_NOT_YET}." if answer is None else "Every marking regulation is sound."
    headings = ("Regulation", "What is wrong")
    return _listed("Errors of marking regulations", told, headings, rows, empty)


def _running_counts(sight: Sight, seen: Overview) -> Picture:
    rows: list[Row] = []
    told = []
    for each in sight.state.up_for_vote:
        if each.pk not in seen.counts:
            continue
        fors, against = seen.counts[each.pk]
        regulation = f"Regulation {each.regulation_number}"
        rows.append((str(each), regulation, fors, against))
        told.append((str(each), f"for {regulation}", f"{fors} FOR, {against} AGAINST"))
    headings = ("Proposal", "For", "FOR", "AGAINST")
    return _listed("Votes until now", told, headings, rows, "No proposal is up for vote.")


def _alliances(seen: Overview, answer: Answer | None) -> Picture:
    told = [
        (
            f"Alliance {number}",
            ", ".join(names),
            "" if seen.deck is None else _sum(answer, names),
        )
        for number, names in seen.alliances.items()
    ]
    rows: list[Row] = list(told)
    headings = ("Alliance", "Contestants", "Worth in all")
    return _listed("Who is allied", told, headings, rows, "There is no alliance.")


def _offers(offers: Newest) -> Picture:
    rows: list[Row] = []
    told = []
    for each in offers.rows:
        by = f"{each['by']}{', without their name' if each['anonymous'] else ''}"
        to = ", ".join(each["to"])
        gives, takes = cards_told(each["gives"]), cards_told(each["takes"])
        rows.append((each["code"], by, to, gives, takes))
        told.append((each["code"], f"{by} to {to}: {gives} for {takes}", ""))
    headings = ("Offer", "By", "To", "Gives", "For")
    title, empty = "Open offers, the newest first", "No offer is open."
    return _listed(title, told, headings, rows, empty, offers.total)


def _sealed(acts: Newest) -> Picture:
    """What tabled acts have sealed: the suits of cards, the words of a hint."""
    told = []
    for each in acts.rows:
        sealed, what = each["sealed"], intent(each["kind"], each["details"])
        hidden = f"“{sealed['hint']}”" if "hint" in sealed else cards_told(sealed["cards"])
        told.append((f"Tabled act {each['number']}", f"to {what}: {hidden}", each["end"] or "open"))
    title, empty = "Tabled acts, with what is sealed of them", "No tabled act has a sealed part."
    return _listed(title, told, ("Act", "Sealed", "Now"), list(told), empty, acts.total)


def _moved(entries: Newest) -> Picture:
    """Which suits moved in an entry, for each whose cards became more or fewer."""
    rows: list[Row] = []
    told = []
    for each in entries.rows:
        name, changes = f"Entry {each['entry']}", []
        for holder, cards in gains(each):
            lost = {suit: -count for suit, count in cards.items() if count < 0}
            got = {suit: count for suit, count in cards.items() if count > 0}
            rows.append((name, holder, *(cards_told(part) if part else "" for part in (lost, got))))
            changes += [f"{holder} loses {cards_told(lost)}"] * bool(lost)
            changes += [f"{holder} gets {cards_told(got)}"] * bool(got)
        told.append((name, "; ".join(changes) or "no hand changed by it", _when(each["at"])))
    title, headings = "Cards on the move, by suit", ("Entry", "Whose", "Lost", "Got")
    return _listed(title, told, headings, rows, "No card has moved yet.", entries.total)


def _notices(notices: Newest) -> Picture:
    told = [(each["name"], each["text"], _when(each["at"])) for each in notices.rows]
    title, headings = "What contestants were told", ("Who", "Notice", "When")
    empty = "Nobody was told anything."
    return _listed(title, told, headings, list(told), empty, notices.total)


def _hidden_texts(sight: Sight) -> Picture:
    """The texts of regulations and proposals that are not for everybody, of those that came to be
    while the viewer has held the office."""
    told = [
        (each.title, each.visibility, each.text)
        for each in sight.state.regulations
        if not each.is_public and sight.may_read(each)
    ]
    told += [
        (f"{each} for Regulation {each.regulation_number}", each.visibility, text)
        for each in sight.state.proposals
        if each.visibility != "public" and each.effective_in is None
        if (text := sight.proposal_text(each)) is not None
    ]
    texts = [{"name": name, "what": visibility, "text": text} for name, visibility, text in told]
    facts = {
        "texts": texts,
        "empty": "Nothing private or secret has been written since you took the office.",
    }
    rows: list[Row] = list(told)
    return Picture(
        "Hidden regulations and proposals", _TEXTS, facts, ("What", "Visibility", "Text"), rows
    )


def _listed(
    title: str,
    told: list[tuple[str, str, str]],
    headings: tuple[str, ...],
    rows: list[Row],
    empty: str,
    total: int = 0,
) -> Picture:
    """A picture of the first of what is told; of `total`, where not all of it was read."""
    shown = [
        {"name": name, "what": what, "worth": worth} for name, what, worth in told[:_MOST_TOLD]
    ]
    facts = {"told": shown, "empty": empty, "more": max(total, len(told)) - len(shown)}
    return Picture(title, _TOLD, facts, headings, rows)


def _worth(answer: Answer | None, name: str) -> str:
    if answer is None:
        return _NOT_YET
    return marks(answer.worths[name]) if name in answer.worths else ""


def _when(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M}"


def _without_none(cards: Mapping[str, int]) -> dict[str, int]:
    return {suit: count for suit, count in cards.items() if count}


def _sum(answer: Answer | None, names: list[str]) -> str:
    if answer is None:
        return _NOT_YET
    return marks(sum(answer.worths.get(name, 0.0) for name in names))
