"""What a proposal that waits would change of the texts, found on paper: at once, and without the
game's lock. What else follows from it the preview tells."""

from collections.abc import Collection, Iterator

from nomic.engine.table import Table
from nomic.rulebook.changes.applying import REASONS, carry, is_of_rules
from nomic.rulebook.changes.kinds import ByHand, Change
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.on_paper import ImaginedRules
from nomic.rulebook.in_force import RulesInForce
from proposals.events.effects import Effect
from proposals.models import Proposal
from proposals.state.bodies import Units, answers_by_proposal, read
from proposals.state.offices import RULEBOOK
from proposals.state.reading import state_of
from proposals.web.preview.told import BodyPreview, shown_changes

_MOST = 30  # changes
_MOST_GONE_THROUGH = 300_000  # characters of rules that these are about


def on_paper(table: Table, proposal: Proposal) -> BodyPreview:
    """The changes of a proposal to the texts as of now, as far as a page has patience for them."""

    def difference(body: str, remarks: Collection[str], units: Units) -> BodyPreview:
        return _difference(table, body, remarks, units)

    topic = f"on-paper:{table.game.rulebook_at}"
    return answers_by_proposal(topic, [proposal], difference).get(proposal.pk, BodyPreview())


def _difference(table: Table, body: str, remarks: Collection[str], units: Units) -> BodyPreview:
    try:
        reading = read(body, remarks, units)
    except Unreadable as unreadable:
        return BodyPreview(unreadable=unreadable.sentence)
    effects = list(_effects(table, reading.changes))
    left_out = len(reading.changes) - len(effects)
    officer = state_of(table).officer(RULEBOOK)
    return BodyPreview(**shown_changes(table, effects, left_out), officer=officer, is_tried=True)


def _effects(table: Table, changes: Collection[Change]) -> Iterator[Effect]:
    public = RulesInForce(table.rules.public)
    rules = ImaginedRules(public, share_titles=table.rules.shares_titles)
    for change in [*changes][:_MOST]:
        if rules.gone_through > _MOST_GONE_THROUGH:
            return
        if not is_of_rules(change):
            why = change.why if isinstance(change, ByHand) else ""
            yield Effect(change, not why, why or change.sentence)
            continue
        try:
            edit = carry(rules, change)
        except REASONS as reason:
            yield Effect(change, False, str(reason))
        else:
            facts = (edit.sentence, edit.rule, edit.version, edit.before, edit.after)
            yield Effect(change, True, *facts, touched=edit.touched, idle=edit.is_idle)
