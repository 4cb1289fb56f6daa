"""Acts that one player does on behalf of another: by a row of a rule's table, or since the other
lets them. They are judged as the acts of whom they are done for."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nomic.engine.actions import (
    Action,
    action,
    admission,
    all_actions,
    further_actions,
    is_dignity,
    judged,
)
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.additions import program_actions
from nomic.engine.subgames import all_subgames, in_play
from nomic.engine.table import Table
from nomic.engine.take import do_meanwhile
from nomic.games.models import Player
from nomic.games.names import with_name
from nomic.games.refusal import Refusal
from nomic.games.seating import seat_called
from nomic.games.wording import enumerated
from nomic.governance.acts_by_rows import (
    ANNOUNCE,
    act_rows,
    by_oneself,
    may_by_row,
    named,
    office_called,
    unfit_on_behalf,
)
from nomic.governance.declared_acts import ANY_ACT, OFFICERS, PLAYERS
from nomic.governance.deputies import OwedAction
from nomic.governance.models import Motion
from nomic.governance.motions import BEHALF, OF_OFFICE
from nomic.record.models import Entry

PRINCIPAL = "on_behalf_of"
MANDATES = "mandates"  # of a game's settings: by whom, for whom, which acts
LET, LET_NO_MORE = by_oneself("games.let_act"), by_oneself("games.let_act_no_more")
_MOST = 50  # acts that a player lets others do
_MOST_IN_ALL = 500  # of all players: each reading of the game's row has them

type Mandates = Mapping[str, Mapping[str, list[str]]]


def mandates(table: Table) -> Mandates:
    """The names of the acts that players let others do for them: by who lets, and by whom they
    let."""
    return table.game.setting(MANDATES, {})  # type: ignore[no-any-return]


def mandates_in_words(table: Table, principal: str) -> list[tuple[str, str]]:
    """Whom that player lets act for them, each with the titles of the acts."""
    lets = mandates(table).get(principal, {})
    return [
        (agent, enumerated([_title(table, act) for act in acts])) for agent, acts in lets.items()
    ]


def _title(table: Table, name: str) -> str:
    return next((f"“{act.title}”" for act in named(table, name)), name)


def _with(table: Table, principal: str, agent: str, acts: Iterable[str]) -> dict[str, Any]:
    """The game's settings, in which that player lets that other one do just these acts."""
    own_mandates = {**mandates(table).get(principal, {}), agent: sorted(acts)}
    others = {by: lets for by, lets in mandates(table).items() if by != principal}
    names_by_act = {name: names for name, names in own_mandates.items() if names}
    return {
        **table.game.settings,
        MANDATES: others | ({principal: names_by_act} if names_by_act else {}),
    }


def forget_mandates(table: Table, player: Player) -> None:
    """Let nobody act for that player, nor they for others: they have left."""
    remaining = {
        by: {agent: acts for agent, acts in acts_by_agent.items() if agent != player.name}
        for by, acts_by_agent in mandates(table).items()
        if by != player.name
    }
    remaining = {by: acts_by_agent for by, acts_by_agent in remaining.items() if acts_by_agent}
    if remaining != mandates(table):
        table.game.settings = {**table.game.settings, MANDATES: remaining}
        table.game.save(update_fields=["settings"])


def mandates_renamed(table: Table, former: str, name: str) -> None:
    """Let who may act for that player, and whom they may act for, be known by the new name."""
    new_mandates = {
        with_name(by, former, name): {
            with_name(agent, former, name): acts for agent, acts in acts_by_agent.items()
        }
        for by, acts_by_agent in mandates(table).items()
    }
    if new_mandates != mandates(table):
        table.game.settings = {**table.game.settings, MANDATES: new_mandates}
        table.game.save(update_fields=["settings"])


@dataclass(frozen=True, slots=True)
class LentAct:
    """An act that the `agents` may do on behalf of the `principals` since something else than a
    rule's row lets them, as a contract does."""

    act: Action
    rule: str
    agents: frozenset[str]
    principals: frozenset[str]


type Lender = Callable[[Table], Iterable[LentAct]]
_LENDERS: list[Lender] = []


def lends(lender: Lender) -> Lender:
    """Decorator: ask this function, too, which acts may be done on behalf of whom at a table."""
    _LENDERS.append(lender)
    return lender


def _lent_elsewhere(table: Table) -> Mapping[str, Sequence[LentAct]]:
    """The acts that something else than a rule's row lets be done for others, as the rules read
    now, by the acts' names."""
    changes, lent_acts = table.once(_read_lent)
    if changes != table.rules.changes:
        table.drop(_read_lent)
        _, lent_acts = table.once(_read_lent)
    return lent_acts


def _read_lent(table: Table) -> tuple[int, dict[str, list[LentAct]]]:
    by_act: dict[str, list[LentAct]] = {}
    for lender in _LENDERS:
        for lent_act in lender(table):
            by_act.setdefault(lent_act.act.name, []).append(lent_act)
    return table.rules.changes, by_act


def lent_by(table: Table, act: str) -> str:
    """The rule by which players let others do that act for them; "" where none lets them."""
    lent = act_rows(table).lent
    return lent.get(act) or lent.get(ANY_ACT, "")


def principals(table: Table, agent: Player, act: str) -> dict[str, str]:
    """The names of those for whom that player may do the act, each with the rule that lets them."""
    allowed: dict[str, str] = {}
    players = set(table.directory.players)
    for row in act_rows(table).on_behalf:
        if row.act.name == act and may_by_row(table, row.declared.who, agent):
            whom = row.declared.behalf
            holders = {office: name for office, name in table.directory.offices.items() if name}
            if whom == PLAYERS:
                names: set[str] = players
            elif whom == OFFICERS:
                names = {name for office, name in holders.items() if not is_dignity(office)}
            else:
                names = {holders.get(office_called(table, whom), "")}
            allowed |= dict.fromkeys(names & players, row.rule)
    if rule := lent_by(table, act):
        for by, lets in mandates(table).items():
            if act in lets.get(agent.name, ()) and by in players:
                allowed.setdefault(by, rule)
    for elsewhere in _lent_elsewhere(table).get(act, ()):
        if agent.name in elsewhere.agents:
            for name in elsewhere.principals & players:
                allowed.setdefault(name, elsewhere.rule)
    allowed.pop(agent.name, None)
    return dict(sorted(allowed.items()))


class PrincipalField(TextChoice):
    """Somebody for whom the player may do an act, by name."""

    noun = "player whom you may act for"
    names_players = True

    def __init__(self, act: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.act = act

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*principals(table, player, self.act)] if player else []


class OnBehalf(Action):
    """Do it on behalf of another player, who lets you or for whom a rule does."""

    act: ClassVar[Action]

    @property
    def about(self) -> str:
        return f"You do it on behalf of another player, and it counts as theirs. {self.act.about}"

    def absence(self, table: Table) -> Refusal | None:
        return self.act.absence(table)

    def judge(self, table: Table, player: Player, **inputs: Any) -> Verdict:
        allowed = principals(table, player, self.act.name)
        if not allowed:
            sentence = "There is nobody on whose behalf you may do this."
            return Refusal("not_on_behalf", sentence, self.rule)
        name = inputs.pop(PRINCIPAL, None)
        if name is None:
            return None
        principal = table.seat(name)
        verdict = judged_for(table, principal, self.act, inputs, self.rule)
        if isinstance(verdict, Refusal):
            return verdict

        def act(at: Table) -> Outcome:
            outcome = do_meanwhile(at, principal, self.act, inputs)
            text = f"{player} on behalf of {principal}: {outcome.text}"
            figures = {**outcome.figures, PRINCIPAL: principal.name}
            return Outcome(text, figures | ({OF_OFFICE: True} if self.act.office else {}))

        return Effects(Then(act, likely=verdict))


def judged_for(
    table: Table, principal: Player, act: Action, inputs: dict[str, Any], rule: str
) -> Refusal | Effects:
    """The effects of the act where it is done on behalf of that player, by that rule; or why it
    cannot be."""
    if refusal := admission(act, table, principal):
        return replace(refusal, sentence=f"It counts as {principal}'s act. {refusal.sentence}")
    if isinstance(act, OwedAction) and act.deputises(table, principal, inputs):
        sentence = (
            f"{principal} would do this as somebody's deputy, and a deputy has no deputy: they do"
            " it themselves."
        )
        return Refusal("deputy_of_a_deputy", sentence, rule)
    return judged(act, table, principal, inputs)


def _acts_on_behalf(table: Table) -> Iterator[Action]:
    """The acts that may be done for others at that table, by rows or since players let others."""
    rows = act_rows(table)
    acts = {row.act.name: row.act for row in rows.on_behalf}
    acts |= {name: lent_acts[0].act for name, lent_acts in _lent_elsewhere(table).items()}
    if rows.lent:
        lent_acts = {
            act for lets in mandates(table).values() for acts in lets.values() for act in acts
        }
        for name in sorted(lent_acts - acts.keys()):
            candidates = named(table, name) if lent_by(table, name) else []
            acts |= {act.name: act for act in candidates if not unfit_on_behalf(act)}
    yield from acts.values()


@further_actions(BEHALF)
def _on_behalf(table: Table) -> list[Action]:
    rules = {name: lent_acts[0].rule for name, lent_acts in _lent_elsewhere(table).items()}
    rules |= {row.act.name: row.rule for row in act_rows(table).on_behalf}
    actions: list[Action] = []
    for act in _acts_on_behalf(table):
        principal = PrincipalField(act.name, label="On behalf of")
        attributes = {
            "__doc__": OnBehalf.__doc__,
            "name": f"{BEHALF}.{act.name}",
            "title": f"On behalf of somebody: {act.title}",
            "button": "Do it for them",
            "sentence": act.sentence,
            "rule": rules.get(act.name) or lent_by(table, act.name),
            "act": act,
            "Form": type("Form", (act.Form,), {PRINCIPAL: principal}),
        }
        actions.append(type("ActOnBehalf", (OnBehalf,), attributes)())
    return actions


# Letting others act for oneself


class ActField(TextChoice):
    """An act that others may do for somebody, by its title where no other is called so."""

    noun = "deed that others may do for you"

    def titles(self, table: Table, player: Player | None) -> dict[str, str]:
        """The titles of the acts among which that player chooses, by their names."""
        return {act.name: act.title for act in lendable(table)}

    def options(self, table: Table, player: Player | None) -> list[str]:
        titles = self.titles(table, player)
        times = Counter(titles.values())
        self.called = {name: title if times[title] == 1 else name for name, title in titles.items()}
        return [*self.called.values()]

    def to_python(self, value: Any) -> str:
        """Also by its name, and in whatever case."""
        typed = str(super().to_python(value))
        called = self.called.get(typed, typed)
        return next((word for word in self.words if word.casefold() == called.casefold()), called)


def lendable(table: Table) -> Iterator[Action]:
    """The acts that players may let others do for them at that table."""
    if not act_rows(table).lent:
        return
    elsewhere = {subgame.name for subgame in all_subgames()}
    elsewhere -= {subgame.name for subgame in in_play(table.game)}
    for act in (*all_actions(), *program_actions(table)):
        is_here = act.name.partition(".")[0] not in elsewhere
        if is_here and lent_by(table, act.name) and not unfit_on_behalf(act):
            yield act


def _lent_act(table: Table, words: str | None) -> Action | None:
    acts = [act for act in named(table, words or "") if not unfit_on_behalf(act)]
    return acts[0] if acts else None


def _title_of(table: Table, name: str) -> str:
    """The title of the act of that name; the name where it is an act no more."""
    return next((act.title for act in named(table, name)), name)


class _LentField(ActField):
    """An act that the player lets somebody do."""

    noun = "deed that you let others do"

    def titles(self, table: Table, player: Player | None) -> dict[str, str]:
        lets = mandates(table).get(player.name, {}) if player else {}
        names = sorted({name for names in lets.values() for name in names})
        return {name: _title_of(table, name) for name in names}


class _MandateAction(Action):
    class Form(ActionForm):
        player = PlayerField()
        act = ActField()

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(act_rows(table).lent)


@action
class LetAct(_MandateAction):
    """Let another player do an act for you, until you let them no more. It counts as yours."""

    name = LET
    title = "Let somebody act for you"
    sentence = "Let {player} do this for me: {act}"
    button = "Let them"

    def judge(self, table: Table, by: Player, player: str | None, act: str | None) -> Verdict:
        if player == by.name:
            return Refusal("oneself", "You act for yourself anyway. Choose somebody else.")
        if player is None or act is None:
            return None
        lent_act = _lent_act(table, act)
        if lent_act is None:
            return _no_such_act(act)
        lets = mandates(table).get(by.name, {})
        acts = lets.get(player, [])
        if lent_act.name in acts:
            return Refusal("so_already", f"{player} may do that for you already.")
        if sum(map(len, lets.values())) >= _MOST:
            sentence = f"You let others do {_MOST} acts already. Let them do some no more first."
            return Refusal("too_many", sentence)
        in_all = (
            acts for acts_by_agent in mandates(table).values() for acts in acts_by_agent.values()
        )
        if sum(map(len, in_all)) >= _MOST_IN_ALL:
            sentence = (
                f"The players of this game let others do {_MOST_IN_ALL} acts already: somebody has"
                " to let others do some no more first."
            )
            return Refusal("too_many", sentence)
        return Effects(
            Set(table.game, settings=_with(table, by.name, player, [*acts, lent_act.name])),
            say=f"{by} lets {player} do “{lent_act.title}” on their behalf.",
            figures={"act": lent_act.name},
        )


@action
class LetActNoMore(_MandateAction):
    """Let another player do an act for you no more."""

    name = LET_NO_MORE
    title = "Let somebody act for you no more"
    sentence = "Let {player} do this for me no more: {act}"
    button = "Let them no more"

    def absence(self, table: Table) -> Refusal | None:
        return None if mandates(table) else super().absence(table)

    class Form(ActionForm):
        player = PlayerField()
        act = _LentField()

    def judge(self, table: Table, by: Player, player: str | None, act: str | None) -> Verdict:
        lets = mandates(table).get(by.name, {})
        if not lets:
            return Refusal("lets_nobody", "You let nobody act for you.")
        if player is None or act is None:
            return None
        acts = {name: _title_of(table, name) for name in lets.get(player, [])}
        chosen = next((name for name, title in acts.items() if act in (name, title)), None)
        if chosen is None:
            return Refusal("not_let", f"You do not let {player} do that.")
        rest = [name for name in acts if name != chosen]
        return Effects(
            Set(table.game, settings=_with(table, by.name, player, rest)),
            say=f"{by} lets {player} do “{acts[chosen]}” on their behalf no more.",
            figures={"act": chosen},
        )


def _no_such_act(act: str) -> Refusal:
    if act.partition(".")[0] in (BEHALF, ANNOUNCE):
        sentence = "Who acts for somebody has no deputy of their own: name the act itself."
        return Refusal("deputy_of_a_deputy", sentence)
    return Refusal("no_such_act", "Nobody may do that on behalf of others.")


# As who reads the record by its acts sees them


def as_done(entry: Entry) -> Entry:
    """The entry as if its act had been done by itself, where it was done on behalf of somebody, or
    was announced first by a row: with its name, its inputs and whose it is. Else as it is."""
    if entry.name.startswith(f"{BEHALF}."):
        by_itself = copy(entry)
        by_itself.name = entry.name.removeprefix(f"{BEHALF}.")
        by_itself.inputs = {name: sent for name, sent in entry.inputs.items() if name != PRINCIPAL}
        by_itself.actor = seat_called(entry.game, entry.inputs[PRINCIPAL])
        return by_itself
    if entry.outcome.get("end") != Motion.End.DONE:
        return entry
    ended = entry.game.motions.exclude(how="").filter(ended_in=entry.seq).select_related("by")
    if (motion := ended.first()) is None:
        return entry
    by_itself = copy(entry)
    by_itself.name, by_itself.inputs, by_itself.actor = motion.action, motion.data, motion.by
    return by_itself
