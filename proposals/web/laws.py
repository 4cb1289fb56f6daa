"""A law of one's own: the cards on a game's home by which an author learns that it holds, or that
its vote has failed and why."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from nomic.rulebook.rendering.diff import Differences
from nomic.web.game_context import GamePage
from proposals.models import Proposal, Success
from proposals.state.results import votes_cast
from proposals.web.lists import how_it_stands
from proposals.web.preview.told import ChangedPassage, changed_passages

_MOST_RULES, _MOST_REASONS = 3, 3  # whose differences, and which, a card shows
_MOST_TOLD = 5  # proposals, each on a card once the one before is put away


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that a proposal changed: its title, its page at what is new there, and the lines that
    differ."""

    title: str
    url: str
    passages: tuple[ChangedPassage, ...]


@dataclass(frozen=True, slots=True)
class OwnLaw:
    """A proposal of the viewer's that was adopted: the `rules` that it changed, `more` of them; the
    sentences of what else it `did` and of what was `left_undone`; and who voted, by word, but for
    the votes on a secret one."""

    proposal: Proposal
    rules: list[ChangedRule]
    more: int
    did: list[str]
    left_undone: list[str]
    votes: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """A proposal of the viewer's that a vote has not adopted, the sentences that say `why`, and who
    voted, by word, but for the votes on a secret one."""

    proposal: Proposal
    why: list[str]
    votes: dict[str, list[str]]


def newly_held(game_page: GamePage, since: int) -> Iterator[tuple[int, OwnLaw]]:
    """The viewer's newest proposals that were adopted after that entry, the newest first, each with
    the entry. A query, and one for each that is asked for."""
    adopted = Proposal.objects.filter(
        game=game_page.game,
        author=game_page.player,
        success=Success.WON,
        closed_in__gt=since,
        passed=True,
        takes_effect=None,
    )
    for proposal in adopted.order_by("-closed_in")[:_MOST_TOLD]:
        yield proposal.closed_in or 0, _law(game_page, proposal)


def newly_failed(game_page: GamePage, since: int) -> Iterator[tuple[int, OwnFailure]]:
    """The viewer's newest proposals that a vote after that entry has not adopted, the newest first,
    each with the entry of that: who withdraws theirs knows. A query, and one for each that is asked
    for."""
    failed = Proposal.objects.filter(
        game=game_page.game,
        author=game_page.player,
        closed_in__gt=since,
        passed=False,
        strength__isnull=False,  # a vote has decided it
    )
    for proposal in failed.order_by("-closed_in")[:_MOST_TOLD]:
        verdict = how_it_stands(proposal, None)
        why = [verdict] if verdict else proposal.reasons[:_MOST_REASONS]
        yield proposal.closed_in or 0, OwnFailure(proposal, why, _voters(proposal))


def _law(game_page: GamePage, proposal: Proposal) -> OwnLaw:
    """What an adopted proposal has changed, and who voted."""
    changed = [
        effect
        for effect in proposal.effects
        if effect.get("done") and effect.get("before", "") != effect.get("after", "")
    ]
    page = Differences()
    rules = [
        ChangedRule(
            effect.get("rule", ""),
            _at_the_new(
                game_page.rule_url(effect.get("rule", "")),
                effect.get("before", ""),
                effect.get("after", ""),
            ),
            changed_passages(effect.get("before", ""), effect.get("after", ""), page)[0],
        )
        for effect in changed[:_MOST_RULES]
    ]
    did = [
        str(effect.get("sentence", ""))
        for effect in proposal.effects
        if effect.get("done") and effect not in changed
    ]
    undone = [str(effect.get("sentence", "")) for effect in proposal.effects if not effect["done"]]
    return OwnLaw(proposal, rules, len(changed) - len(rules), did, undone, _voters(proposal))


def _voters(proposal: Proposal) -> dict[str, list[str]]:
    """Who voted on it, by word, the one that most have said first; nobody on a secret one."""
    votes: defaultdict[str, list[str]] = defaultdict(list)
    for cast in votes_cast(proposal, proposal.figures):
        if cast.stands and not proposal.secret:
            votes[cast.word].append(cast.voter)
    return dict(sorted(votes.items(), key=lambda vote: (-len(vote[1]), vote[0])))


def _at_the_new(url: str, before: str, after: str) -> str:
    """The address, leading browsers to the first row of a table that is new in a rule's text, and
    marking it there; the address as it is where no row is new."""
    earlier_lines = set(before.splitlines())
    new = (
        line for line in after.splitlines() if line.startswith("|") and line not in earlier_lines
    )
    cells = [cell.strip() for cell in next(new, "").strip("|").split("|")]
    if not url or not cells[0] or not cells[-1]:
        return url
    # A hyphen and a comma have meanings of their own in such an address.
    ends = (
        quote(cell, safe="").replace("-", "%2D")
        for cell in dict.fromkeys(cells[:: len(cells) - 1 or 1])
    )
    return f"{url}#:~:text={','.join(ends)}"
