"""The Contestmaster's desk: what is due, public figures, books; secrets to them alone.

There is no book of offers, votes, notices, pacts or alliances. What nobody else sees comes from a
`View`, so that an eye that may not see it finds nothing to draw.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice

from aceofspades.api import public_figures, status_of
from aceofspades.events.carrying import TABLED_ACTS
from aceofspades.events.scoring import last_marking, marks
from aceofspades.rules.contest import describe_cards
from aceofspades.rules.marks import Answer
from aceofspades.secrecy.scoring import worths_of_hands
from aceofspades.secrecy.view import View
from aceofspades.state.reading import CONTESTMASTER, DECK, TABLED_ACT, State, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.desks import MOST_SHOWN, Desk, Duty, Picture, bars, desk, lines
from nomic.governance.motion_voting import most_urgent_first

R106, R108, R112, R114 = "Regulation 106", "Regulation 108", "Regulation 112", "Regulation 114"
_MOST_DUTIES = 20  # of a kind


@desk
class ContestmastersDesk(Desk):
    """The desk of the office that keeps the contest (Regulations 101 to 125)."""

    subgame = "aceofspades"
    office = CONTESTMASTER

    def duties(self, table: Table) -> Iterable[Duty]:
        state = state_of(table)
        if state.contest_or_none is None:
            return
        if not state.is_reckoned:
            for due in (_proposals, _requests, _yet_to_be_written, _tabled):
                yield from islice(due(state), _MOST_DUTIES)

    def pictures(self, table: Table) -> Iterable[Picture]:
        state = state_of(table)
        figures = public_figures(state)
        hands = sorted(figures["hand_counts"].items(), key=lambda row: -row[1])
        counts = [(DECK, figures["deck_count"]), *hands]
        yield bars("Cards", "cards", ("Whose", "Cards"), counts, MOST_SHOWN + 1)
        # Where the last proposals stand, with the votes of those that are decided.
        view = View(table, None)
        rows = [
            (
                str(proposal),
                proposal.regulation_number,
                proposal.visibility,
                proposal.by.name if proposal.by else CONTESTMASTER,
                status_of(state, proposal),
                *(view.counts(proposal) or ("", "")),
            )
            for proposal in state.proposals[: -MOST_SHOWN - 1 : -1]
        ]
        in_words = [
            (
                name,
                f"for Regulation {number} ({visibility}), by {by}: {status}",
                f"{fors} FOR, {against} AGAINST" if fors != "" else "",
            )
            for name, number, visibility, by, status, fors, against in rows
        ]
        headings = ("Proposal", "Regulation", "Visibility", "By", "Status", "FOR", "AGAINST")
        empty = "Nobody has proposed a regulation yet."
        yield lines("The last proposals", in_words, headings, rows, empty)

    def private(self, table: Table, viewer: Player) -> Iterable[Picture]:
        return secret_pictures(View(table, viewer))


def _proposals(state: State) -> Iterator[Duty]:
    """Proposals that the Contestmaster has received, and those whose adoption waits to be told."""
    for proposal in state.proposals:
        subject = f"{proposal}, for Regulation {proposal.regulation_number},"
        inputs = {"proposal": proposal.number}
        if proposal.up_in is None:
            title = f"{subject} waits to be put up for vote"
            yield Duty(title, rule=R108, action="aceofspades.put_up_for_vote", inputs=inputs)
        elif proposal.waits_for_effect:
            title = f"{subject} is adopted: its regulation takes effect when that is announced"
            yield Duty(title, rule=R112, action="aceofspades.announce", inputs=inputs)


def _requests(state: State) -> Iterator[Duty]:
    for request in state.requests:
        if request.judgement:
            continue
        title, inputs = f"{request} waits for a judgement", {"request": request.number}
        yield Duty(title, rule=R114, action="aceofspades.judge", inputs=inputs)


def _yet_to_be_written(state: State) -> Iterator[Duty]:
    """The secret regulations that may be written anew as long as nobody has joined."""
    if not state.contest.opened or not state.has_contestmaster or state.has_begun:
        return
    numbers = [regulation.number for regulation in state.regulations_of("secret")]
    if numbers:
        title = (
            f"Chance drew the secret Regulations {', '.join(map(str, numbers))}. Until somebody"
            " joins, the Contestmaster may write others in their places, and reads those alone"
        )
        inputs = {"regulation": numbers[0]}
        yield Duty(title, rule=R106, action="aceofspades.write_secret_regulation", inputs=inputs)


def _tabled(state: State) -> Iterator[Duty]:
    for act in most_urgent_first(state.table, TABLED_ACT):
        title = f"{TABLED_ACTS.description(act)}, is done unless enough object"
        yield Duty(title, act.due, rule=R114)


# The pictures


_TEXTS = "aceofspades/_texts.html"
_MOST_READ, _MOST_OFFERS = 20, 60
_NOT_YET = "not counted yet"

type Row = tuple[object, ...]


def secret_pictures(view: View) -> Iterator[Picture]:
    """Every picture for who is Contestmaster; none for anybody else. Until the Moment of Reckoning
    each says that nobody else sees it, and where it begins for who took the office in the midst of
    the contest."""
    if not view.is_contestmaster:
        return
    begins = f", since entry {view.since.seq}" if view.since else ""
    for picture in _pictures(view):
        title = f"{picture.title}{begins}: for your eyes only"
        yield picture if view.state.is_reckoned else replace(picture, title=title)


def _pictures(view: View) -> Iterator[Picture]:
    # The worth of each hand; what the Moment of Reckoning has made of them is not counted again.
    # None until the worker has counted it, and where not all hands are known.
    if view.state.contest.worths_in is None:
        answer = worths_of_hands(view)
    else:
        marked = last_marking(view.state)
        errors = {int(number): error for number, error in marked["errors"].items()}
        answer = Answer(dict(marked["worths"]), errors)
    yield from _hands(view, answer)
    up = [
        (proposal, counts)
        for proposal in view.state.up_for_vote
        if (counts := view.counts(proposal))
    ]
    yield lines(
        "Votes until now",
        [
            (
                str(proposal),
                f"for Regulation {proposal.regulation_number}",
                f"{fors} FOR, {against} AGAINST",
            )
            for proposal, (fors, against) in up
        ],
        ("Proposal", "For", "FOR", "AGAINST"),
        [
            (str(proposal), f"Regulation {proposal.regulation_number}", *counts)
            for proposal, counts in up
        ],
        "No proposal is up for vote.",
    )
    allied = [
        (
            f"Alliance {alliance.number}",
            ", ".join(alliance.members),
            "" if view.deck_suits is None else _worth(answer, alliance.members),
        )
        for alliance in view.alliances
        if alliance.members is not None
    ]
    headings = "Alliance", "Contestants", "Worth in all"
    yield lines("Who is allied", allied, headings, allied, "There is no alliance.")
    yield from _waiting(view)
    yield _moved(view)
    yield from _hidden_texts(view)


def _hands(view: View, answer: Answer | None) -> Iterator[Picture]:
    """The Deck, and every hand by suit with its worth. Who does not know all hands is not told what
    those that they know are worth: it may hang on the others. Who does is also told the errors of
    the marking regulations that they may read: the hands concerned are worth 0 by it (118)."""
    deck = view.deck_suits
    held = view.hands if deck is None else {DECK: deck, **view.hands}
    suits = list(dict.fromkeys(suit for cards in held.values() for suit in cards))
    worths = {
        name: _worth(answer, [name]) if deck is not None and name in view.hands else ""
        for name in held
    }
    in_words = [
        (name, _in_words(cards) or "no cards", worths[name]) for name, cards in held.items()
    ]
    rows: list[Row] = [
        (name, *(cards.get(suit, 0) for suit in suits), worths[name])
        for name, cards in held.items()
    ]
    title = "Cards by suit, and what the hands are worth"
    yield lines(title, in_words, ("Whose", *suits, "Worth"), rows, "There are no cards.")
    if deck is None:
        return
    unread = {regulation.number for regulation in view.state.regulations} - view.readable
    errors = sorted(answer.errors.items()) if answer else []
    wrong = [(f"Regulation {number}", error) for number, error in errors if number not in unread]
    in_words = [(regulation, error, "") for regulation, error in wrong]
    empty = f"They are {_NOT_YET}." if answer is None else "Every marking regulation is sound."
    headings = ("Regulation", "What is wrong")
    yield lines("Errors of marking regulations", in_words, headings, wrong, empty)


def _waiting(view: View) -> Iterator[Picture]:
    """Open offers, and the sealed parts of tabled acts: the suits of cards, the words of a hint."""
    rows: list[Row] = []
    in_words = []
    for offer in view.offers(_MOST_OFFERS, only_open=True):
        by = f"{offer.by}{', without their name' if offer.anonymous else ''}"
        to = ", ".join(offer.to)
        rows.append((offer.code, by, to, offer.given, offer.taken))
        in_words.append((offer.code, f"{by} to {to}: {offer.given} for {offer.taken}", ""))
    title, headings = "Open offers, the newest first", ("Offer", "By", "To", "Gives", "For")
    yield lines(title, in_words, headings, rows, "No offer is open.", view.open_offers())
    acts = view.sealed_acts()
    in_words = []
    for act in acts[:_MOST_READ]:
        sealed, intent = act.sealed, TABLED_ACTS.intent(act.inputs)
        hidden = f"“{sealed['hint']}”" if "hint" in sealed else describe_cards(sealed["cards"])
        in_words.append((str(act), f"to {intent}: {hidden}", act.end or "open"))
    title, empty = "Tabled acts, with what is sealed of them", "No tabled act has a sealed part."
    yield lines(title, in_words, ("Act", "Sealed", "Now"), in_words, empty, acts.count())


def _moved(view: View) -> Picture:
    """Which suits moved in an entry, for each whose cards became more or fewer."""
    rows: list[Row] = []
    in_words = []
    entries, total = view.moved_cards(_MOST_READ)
    for moved in entries:
        name, changes = f"Entry {moved.entry}", []
        for holder, cards in moved.gains.items():
            lost = _in_words({suit: -count for suit, count in cards.items() if count < 0})
            got = _in_words({suit: count for suit, count in cards.items() if count > 0})
            rows.append((name, holder, lost, got))
            changes += [f"{holder} loses {lost}"] * bool(lost)
            changes += [f"{holder} gets {got}"] * bool(got)
        in_words.append((name, "; ".join(changes) or "no hand changed by it", _when(moved.at)))
    title, headings = "Cards on the move, by suit", ("Entry", "Whose", "Lost", "Got")
    return lines(title, in_words, headings, rows, "No card has moved yet.", total)


def _hidden_texts(view: View) -> Iterator[Picture]:
    """What contestants were told, and the texts of regulations and proposals that are not for
    everybody, of those that came to be while the viewer has held the office."""
    notices = view.every_notice()
    messages = [
        (notice.contestant.player.name, notice.text, _when(notice.at))
        for notice in notices[:_MOST_READ]
    ]
    title, empty = "What contestants were told", "Nobody was told anything."
    yield lines(title, messages, ("Who", "Notice", "When"), messages, empty, notices.count())
    hidden = [
        (regulation.title, regulation.visibility, regulation.text)
        for regulation in view.state.regulations
        if not regulation.is_public and view.may_read(regulation)
    ]
    # What took effect stands above, as the regulation that it has become.
    hidden += [
        (f"{proposal} for Regulation {proposal.regulation_number}", proposal.visibility, text)
        for proposal in view.state.proposals
        if proposal.visibility != "public" and proposal.effective_in is None
        if (text := view.proposal_text(proposal)) is not None
    ]
    texts = [{"name": name, "what": visibility, "text": text} for name, visibility, text in hidden]
    facts = {
        "texts": texts,
        "empty": "Nothing private or secret has been written since you took the office.",
    }
    headings = ("What", "Visibility", "Text")
    yield Picture("Hidden regulations and proposals", _TEXTS, facts, headings, list(hidden))


def _in_words(cards: Mapping[str, int]) -> str:
    held = {suit: count for suit, count in cards.items() if count}
    return describe_cards(held) if held else ""


def _when(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _worth(answer: Answer | None, names: list[str]) -> str:
    if answer is None:
        return _NOT_YET
    return marks(sum(answer.worths.get(name, 0.0) for name in names))
