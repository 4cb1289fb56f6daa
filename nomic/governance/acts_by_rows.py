"""Acts that a row of a rule's table lets be announced: any action of the game, by whom the row
names, with the method that it says. Where an act is nobody's office's, its row is the only way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from nomic.engine.actions import (
    ANY_OFFICE,
    HOST,
    OPERATOR,
    Action,
    HostAction,
    Inputs,
    NewcomerAction,
    PrivateAction,
    TwoSidedAction,
    UrgentAction,
    action,
    all_actions,
    bar,
    further_actions,
    is_dignity,
    makes_officer,
    obstacle,
)
from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.programs.additions import program_actions
from nomic.engine.programs.hooks import is_needed
from nomic.engine.programs.running import programs_at
from nomic.engine.subgames import keepers_of_secrets
from nomic.engine.table import Table
from nomic.engine.take import do_meanwhile
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.declared_acts import (
    ACTS,
    ANY_ACT,
    OFFICERS,
    PLAYERS,
    WHO_LETS_THEM,
    DeclaredAct,
    acts_in,
)
from nomic.governance.models import Motion, Voice
from nomic.governance.motion_voting import MotionAction, MotionField
from nomic.governance.motions import (
    CARRY_OUT,
    OBJECT,
    SUPPORT,
    WITHDRAW,
    WITHDRAW_VOICE,
    AnnouncedAction,
    CannotBeDone,
    decide_by_rows,
    lapses,
    open_motions,
    settle,
    voices,
)
from nomic.governance.rules import MotionTerms
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import declared
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import Unread

ANNOUNCE = "announce"
_ABOUT_MOTIONS = (OBJECT, SUPPORT, WITHDRAW, WITHDRAW_VOICE, CARRY_OUT)
_FOUND_BY_NAME = "reports."
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ActRow:
    """A row of a rule in force with the action that it names."""

    declared: DeclaredAct
    act: Action
    rule: str

    @property
    def terms(self) -> MotionTerms:
        """The terms on which it is done once it is announced."""
        wait, within = self.declared.wait, self.declared.within
        return MotionTerms(
            wait=wait * _DAY if wait else None,
            method=self.declared.method,
            lapse=None if within is None else within * _DAY,
            by_hand=self.declared.by_hand,
        )


@dataclass(frozen=True, slots=True)
class ActRows:
    """The rows of a game's rules: those that let acts be announced, by the acts' names; those that
    let them be done on behalf of others; the rules by which who is asked lets others do an act on
    their behalf, by its name, or any act by "any act"; and what is wrong with them."""

    announced: dict[str, ActRow]
    on_behalf: tuple[ActRow, ...]
    lent: dict[str, str]
    unread: tuple[Unread, ...]


def act_rows(table: Table) -> ActRows:
    """The rows as the rules read at that table now."""
    changes, rows = table.once(_read)
    if changes != table.rules.changes:
        table.drop(_read)
        _, rows = table.once(_read)
    return rows


def _declared_by(rules: Rulebook, rule: RuleText) -> tuple[Sequence[DeclaredAct], Unread | None]:
    return declared(acts_in, ACTS, rule, rules.earlier_versions)


def _read(table: Table) -> tuple[int, ActRows]:
    announced: dict[str, ActRow] = {}
    on_behalf: list[ActRow] = []
    lent: dict[str, str] = {}
    unread: list[Unread] = []
    for rule in table.rules.that_say(ACTS[0]):
        declarations, fault = _declared_by(table.rules, rule)
        unread += [fault] if fault else []
        for declaration in declarations:
            if declaration.act.casefold() == ANY_ACT:
                lent.setdefault(ANY_ACT, rule.title)
                continue
            act, obstacle = act_named_by(table, declaration)
            if act is not None and declaration.method and act.name in announced:
                obstacle = f"has a row in “{announced[act.name].rule}” already."
            if act is None or obstacle:
                sentence = f"The act “{declaration.act}” of {rule.title} {obstacle}"
                unread.append(Unread(rule.title, None, sentence, pk=rule.pk))
            elif declaration.method:
                announced[act.name] = ActRow(declaration, act, rule.title)
            elif declaration.behalf == WHO_LETS_THEM:
                lent.setdefault(act.name, rule.title)
            else:
                on_behalf.append(ActRow(declaration, act, rule.title))
    return table.rules.changes, ActRows(announced, tuple(on_behalf), lent, tuple(unread))


tell_unread(lambda table: act_rows(table).unread)


@play_tables
def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    declarations, fault = _declared_by(rules, rule)
    return TablePlayed(ACTS, fault is None) if declarations or fault else None


# Which action a row names, and whether it can be done so


def named(table: Table, words: str) -> list[Action]:
    """The actions that are called so, by name or title, those of programs among them."""
    key = name_key(words)
    acts = [*all_actions(), *program_actions(table)]
    by_name = [act for act in acts if act.name == words]
    return by_name or [act for act in acts if name_key(act.title) == key]


def act_named_by(table: Table, declaration: DeclaredAct) -> tuple[Action | None, str]:
    """The action that the row names, and why it cannot be done as the row says; "" where it can."""
    acts = named(table, declaration.act)
    if not acts:
        return None, "is no act of this game: name one by its title or its name."
    unfit = unfit_to_announce if declaration.method else unfit_on_behalf
    fit = [act for act in acts if not unfit(act)]
    if not fit:
        return acts[0], unfit(acts[0])
    possible = [act for act in fit if act.absence(table) is None] if len(fit) > 1 else fit
    if len(possible) > 1:
        names = " or ".join(act.name for act in possible)
        return None, f"is a title of several acts. Name one of them: {names}."
    return (possible or fit)[0], ""


def unfit_at_all(act: Action) -> str:
    """Why nobody can do it but who may, by themselves; "" where others can."""
    if isinstance(act, NewcomerAction | HostAction | UrgentAction) or act.office in (
        HOST,
        OPERATOR,
    ):
        return "is about accounts and who runs the game, and not about what is played."
    if isinstance(act, PrivateAction | TwoSidedAction):
        return "may be secret, so nobody announces it, or does it for others."
    if act.name in _ABOUT_MOTIONS:
        return "is how others decide what was announced."
    if act.name.startswith(_FOUND_BY_NAME):
        return "is looked for in the record as whoever does it does it by themselves."
    secret = {subgame.name for subgame in keepers_of_secrets()}
    if act.office and act.name.partition(".")[0] in secret:
        return "is an act of an office that knows secrets."
    return ""


def unfit_to_announce(act: Action) -> str:
    """Why a row cannot let it be announced; "" where it can."""
    if reason := unfit_at_all(act):
        return reason
    if is_needed(act) and not act.office and not isinstance(act, AnnouncedAction):
        return "is needed to mend the game, so that nothing stands before it."
    return ""


def unfit_on_behalf(act: Action) -> str:
    """Why nobody does it on behalf of others; "" where they can."""
    secret = {subgame.name for subgame in keepers_of_secrets()}
    if reason := unfit_at_all(act):
        return reason
    if act.name.partition(".")[0] in secret:
        return "belongs to a part of the game that has secrets."
    if isinstance(act, AnnouncedAction) or act.name in _OWN:
        return "is somebody's own to do."
    return ""


_OWN: set[str] = {
    *("games.leave", "games.away", "games.back", "games.take_over", "games.decline_offer")
}


def by_oneself(name: str) -> str:
    """Let nobody do that act on behalf of others; returns its name."""
    _OWN.add(name)
    return name


# Doing an act within an entry


def office_called(table: Table, name: str) -> str:
    """The office of that name, as the game spells it; the name where it has none."""
    key = name_key(name)
    return next((office for office in table.directory.offices if name_key(office) == key), name)


def offices_of_act(table: Table, act: Action) -> list[str]:
    """The offices of the game whose holders may do it; none where it is everybody's."""
    if not act.office:
        return []
    offices = table.directory.offices
    return [name for name in offices if act.is_of([name], table.game) and not is_dignity(name)]


def as_it_happens(act: Action) -> Action:
    """The action as it is when it is to be done and waits for nobody any more."""
    if not isinstance(act, AnnouncedAction):
        return act
    due = act.as_done  # a copy, since the registered action is that of all games and threads
    due.is_due = True
    return due


def may_by_row(table: Table, who: str, player: Player) -> bool:
    """Whether the player is one of those whom a row names so."""
    if who == PLAYERS:
        return True
    held = table.directory.held_by(player)
    if who == OFFICERS:
        return makes_officer(held)
    return office_called(table, who) in held


# Announcing it: an action of its own beside the one that is meant


class Announce(AnnouncedAction):
    """Announce an act that a rule lets be done so. It is done when its method is met."""

    row: ClassVar[ActRow]

    @property
    def about(self) -> str:
        declaration = self.row.declared
        return f"By “{self.rule}” this is announced, and done {declaration.how}."

    def absence(self, table: Table) -> Refusal | None:
        return obstacle(as_it_happens(self.row.act), table)

    def is_everybodys(self, table: Table) -> bool:
        return False

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms:
        return self.row.terms

    def row_columns(self, inputs: Inputs) -> dict[str, str]:
        words = self.intent(inputs)
        return {"action": self.row.act.name, "how": self.row.declared.how, "words": words}

    def intent(self, inputs: Inputs) -> str:
        act = self.row.act
        return act.intent(inputs) if isinstance(act, AnnouncedAction) else super().intent(inputs)

    def takes(self, table: Table, motion: Motion) -> str:
        return terms_in_words(self.row.terms, motion)

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        if player is None:
            return Refusal("not_a_player", "Players announce it.", self.rule)
        act = as_it_happens(self.row.act)
        with table.as_if_holding(player, offices_of_act(table, act)):
            return act.verdict(table, player, inputs)


def terms_in_words(terms: MotionTerms, motion: Motion) -> str:
    """The sentence that says when and by whom it is done."""
    subject = f"{motion.by} does it" if terms.by_hand else "It is done"
    due = "" if motion.due is None else f", not before {motion.due:%Y-%m-%d %H:%M} UTC in the game"
    lapse = ""
    if terms.lapse is not None:
        lapse = f", and not after {motion.at + terms.lapse:%Y-%m-%d %H:%M}"
    return f"{subject} {terms.method}{due}{lapse}."


@further_actions(ANNOUNCE)
def _announcements(table: Table) -> Iterable[Action]:
    return [_announcing(table, row) for row in act_rows(table).announced.values()]


def _announcing(table: Table, row: ActRow) -> Action:
    doers, act = row.declared.who, row.act
    office = (
        "" if doers == PLAYERS else ANY_OFFICE if doers == OFFICERS else office_called(table, doers)
    )
    attributes = {
        "__doc__": Announce.__doc__,
        "name": f"{ANNOUNCE}.{act.name}",
        "title": f"Announce: {act.title}",
        "button": "Announce it",
        "sentence": act.sentence,
        "rule": row.rule,
        "office": office,
        "row": row,
        "Form": act.Form,
    }
    made: type[Announce] = type("AnnounceByRow", (Announce,), attributes)
    return made()


@bar
def _only_announced(act: Action, table: Table) -> Refusal | None:
    """What is nobody's office's, and has a row, is done as that says and not otherwise."""
    row = act_rows(table).announced.get(act.name)
    if row is None or act.office or isinstance(act, AnnouncedAction):
        return None
    doers = row.declared.who
    announce = f"{doers} announce" if doers in (PLAYERS, OFFICERS) else f"the {doers} announces"
    sentence = f"By “{row.rule}” this is done {row.declared.how}: {announce} it first."
    return Refusal("announced_only", sentence, row.rule)


# What becomes of it


class ByRow(AnnouncedAction):
    """What rows of rules let be announced, whichever act it is."""

    name = ""
    title = "Something that a rule lets be announced"
    failing = "cannot be done"

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms:
        return _row_of(table, motion).terms

    def act_in_words(self, motion: Motion) -> str:
        return motion.words

    def concerned(self, inputs: Inputs) -> set[str]:
        return {content for content in inputs.values() if isinstance(content, str)}

    def hears(self, motion: Motion, terms: MotionTerms | None, side: Voice.Side) -> bool:
        method = terms.method if terms else None
        if method is None:
            return False
        if side == Voice.Side.OBJECTS:
            return method.hears_objections
        return method.hears_support

    def takes(self, table: Table, motion: Motion) -> str:
        try:
            return terms_in_words(self.terms_of(table, motion), motion)
        except CannotBeDone as cannot:
            return str(cannot)

    def may_be_done(self, table: Table, motion: Motion) -> bool:
        return not _hindrance(table, motion)

    def prevented(self, motion: Motion) -> str:
        return f"{self.description(motion)}, comes to nothing: it was not done {motion.how}."

    def waiting(self, table: Table, motion: Motion) -> Outcome:
        terms = self.terms_of(table, motion)
        if terms.lapse is not None:
            lapses(table, motion, terms.lapse)
        does = f"{motion.by} may do it" if terms.by_hand else "it is done"
        text = f"{self.description(motion)}, has waited its days: {does} {terms.method}."
        return Outcome(text, {"motion": motion.number})

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        row, player = _row_of(table, motion), motion.by
        assert player is not None, "Players announce what rows let be announced."
        if not may_by_row(table, row.declared.who, player):
            doer = "an officer" if row.declared.who == OFFICERS else f"the {row.declared.who}"
            raise CannotBeDone(f"{player} is not {doer} any more.")
        act = as_it_happens(row.act)
        try:
            with programs_at(table).tentatively():
                offices = offices_of_act(table, act)
                return do_meanwhile(table, player, act, motion.data, as_holding=offices)
        except Refused as refused:
            raise CannotBeDone(refused.refusal.sentence) from refused


decide_by_rows(ByRow())


def _row_of(table: Table, motion: Motion) -> ActRow:
    row = act_rows(table).announced.get(motion.action)
    if row is None:
        raise CannotBeDone("No rule in force lets that be announced any more.")
    return row


def _hindrance(table: Table, motion: Motion) -> str:
    """Why who announced it cannot do it now, as a sentence; "" where they can."""
    try:
        terms = _row_of(table, motion).terms
    except CannotBeDone as cannot:
        return str(cannot)
    if not terms.by_hand:
        return "It is done by itself as soon as its method is met."
    if motion.due is not None and table.now < motion.due:
        return f"It waits until {motion.due:%Y-%m-%d %H:%M} UTC in the game."
    heard, _ = voices(table, [motion])
    objections, supports = (heard[motion.number, str(side)] for side in ("objects", "supports"))
    assert terms.method is not None
    if terms.method.is_met(objections, supports):
        return ""
    counts = f"{supports} support it, and {objections} object"
    return f"It is done {terms.method}, and {counts}."


class _OwnMotionField(MotionField):
    unknown = (
        "You have announced no such thing that you could do yourself. Those that you have: {}."
    )

    def options(self, table: Table, player: Player | None) -> list[int]:
        if player is None:
            return []
        own_motions = (motion for motion in open_motions(table) if motion.by_id == player.pk)
        return [motion.number for motion in own_motions if motion.how]


@action
class CarryOut(MotionAction):
    """Do what you have announced, once its method is met."""

    name = CARRY_OUT
    title = "Do what was announced"
    sentence = "Do Motion {motion}"
    possible_while = ()

    class Form(MotionAction.Form):
        motion = _OwnMotionField()

    def absence(self, table: Table) -> Refusal | None:
        sentence = "Nothing that was announced waits for whoever announced it."
        is_any = any(motion.how for motion in open_motions(table))
        return None if is_any else Refusal("no_motion", sentence, self.rule)

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if why := _hindrance(table, motion):
            return Refusal("not_ripe", why, self.rule)
        return Effects(Then(lambda at: settle(at, motion, is_decided=True)))
