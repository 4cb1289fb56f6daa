"""Switches that the tables of a game's rules declare: what they are, how they stand, and what
becomes of their values when the rules change.

A value stays when its rule goes, and is told nowhere until a rule in force declares that switch
again. What a player had goes with their seat.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import Switch, further_switches, keeps_switch, switch_key
from nomic.engine.table import Follower, Table, follow
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import (
    ASSET,
    GAME,
    PLAYER,
    SWITCHES,
    DeclaredSwitch,
    declared,
    switches_in,
)
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Unread

MOST = 100  # switches of a game
_LONGEST_QUOTED = 60


class RuleSwitch(Switch):
    """A switch that a table of the `rule` declares."""

    def __init__(self, declared: DeclaredSwitch, rule: RuleText) -> None:
        self.declared, self.rule = declared, rule
        self.name = declared.name
        self.of = "" if declared.of == GAME else declared.of
        self.key = switch_key(declared.name)

    @property
    def about(self) -> str:
        """What it is, as a sentence."""
        whose = {PLAYER: "Each player", ASSET: "Each thing that can be owned"}
        owner = whose.get(self.declared.of, "The game")
        declared = self.declared
        return f"{owner} has a switch {self.name}: {declared.range}, {declared.default} at first."

    def subjects(self, table: Table) -> Sequence[str]:
        if self.declared.of == PLAYER:
            return table.directory.players
        if self.declared.of == ASSET:
            return [asset.name for asset in table.ledger.public_assets()]
        return [""]

    def value(self, table: Table, subject: str) -> str:
        """How it stands: the default, where it was never set, or to what is no value of it now."""
        setting = table.once(_settings).get((self.key, subject), "")
        return self.declared.reads(setting) or self.declared.default

    def held(self, table: Table) -> dict[str, str]:
        """How it stands, by whose it is."""
        return {subject: self.value(table, subject) for subject in self.subjects(table)}

    def is_at(self, table: Table, subject: str, setting: str) -> bool:
        return self.declared.reads(setting) == self.value(table, subject)

    def why_not(self, table: Table, subject: str, setting: str) -> Refusal | None:
        if self.declared.reads(setting) is not None:
            return None
        quoted = setting[:_LONGEST_QUOTED]
        sentence = f"{self.name} is {self.declared.range}, and not “{quoted}”."
        return Refusal("no_such_value", sentence, self.rule.title)

    def set(self, table: Table, subject: str, setting: str) -> None:
        columns = {"value": self.declared.reads(setting), "entry": table.seq}
        table.game.switch_settings.update_or_create(switch=self.key, of=subject, defaults=columns)
        table.drop(_settings)


@dataclass(frozen=True, slots=True)
class RuleSwitches:
    """The switches that a game's rules declare, by their keys in the rulebook's order; and what is
    wrong with the tables that declare them."""

    by_key: Mapping[str, RuleSwitch]
    unread: tuple[Unread, ...] = ()


def rule_switches(table: Table) -> RuleSwitches:
    """The switches that the rules declare as they read at that table now."""
    changes, switches = table.once(_read)
    if changes != table.rules.changes:
        table.drop(_read)
        _, switches = table.once(_read)
    return switches


def _read(table: Table) -> tuple[int, RuleSwitches]:
    """With how many changes the rulebook had by then in the entry that is being made."""
    by_key: dict[str, RuleSwitch] = {}
    unread: list[Unread] = []
    for rule in table.rules.that_say(SWITCHES[0]):
        declarations, fault = _declared_by(table.rules, rule)
        unread += [fault] if fault else []
        assets = _names_of_assets(table) if declarations else frozenset()
        for declaration in declarations:
            switch = RuleSwitch(declaration, rule)
            obstacle = _obstacle(table, switch, by_key, assets)
            if not obstacle:
                by_key[switch.key] = switch
                continue
            sentence = f"The switch “{switch.name}” of {rule.title} {obstacle}"
            unread.append(Unread(rule.title, None, sentence, pk=rule.pk))
            if len(by_key) == MOST:  # a table may have thousands of rows more
                break
    return table.rules.changes, RuleSwitches(by_key, tuple(unread))


def _names_of_assets(table: Table) -> frozenset[str]:
    return frozenset(
        name.casefold() for asset in table.ledger.public_assets() for name in asset.names
    )


def _obstacle(
    table: Table, switch: RuleSwitch, earlier: Mapping[str, RuleSwitch], assets: Collection[str]
) -> str:
    """Why that is none here, behind its name; "" where it is one."""
    if switch.key in earlier:
        return f"is declared by “{earlier[switch.key].rule.title}” already."
    if len(earlier) >= MOST:
        return f"is one too many: {MOST} are the most, and none after it is played."
    if keeps_switch(switch.name, table):
        return "is the program's own in this game. Give it another name."
    if switch.name.casefold() in assets:
        return "has the name of something that is owned. Give it another name."
    return ""


def _declared_by(rules: Rulebook, rule: RuleText) -> tuple[Sequence[DeclaredSwitch], Unread | None]:
    """The switches that the rule declares, and what is wrong with its table."""
    return declared(switches_in, SWITCHES, rule, rules.earlier_versions)


def _settings(table: Table) -> dict[tuple[str, str], str]:
    rows = table.game.switch_settings.values_list("switch", "of", "value")
    return {(switch, of): value for switch, of, value in rows}


def forget_settings(table: Table, player: Player) -> None:
    """Let every switch of that player be at its default again: they have left."""
    table.game.switch_settings.filter(of=player.name).delete()
    table.drop(_settings)


further_switches(lambda table: rule_switches(table).by_key)


def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    switches, fault = _declared_by(rules, rule)
    return TablePlayed(SWITCHES, fault is None) if switches or fault else None


play_tables(_table_played)
tell_unread(lambda table: rule_switches(table).unread)


class _Renames(Follower):
    """Lets the values of a switch go with its name, where a rule's table changes nothing else in
    its row."""

    def rules_changed(self, table: Table) -> None:
        for before, now in _renamed(table):
            settings = table.game.switch_settings
            if settings.filter(switch=before.key).exists():
                settings.filter(switch=now.key).delete()
                settings.filter(switch=before.key).update(switch=now.key, entry=table.seq)
                table.drop(_settings)

    def rules_told(self, table: Table, outcome: Outcome) -> Outcome:
        renamed = [f"{before.name} is {now.name} now" for before, now in _renamed(table)]
        if not renamed:
            return outcome
        text = f"{outcome.text} The switch {enumerated(renamed)}, and stands as it did."
        return replace(outcome, text=text)

    def renamed(self, table: Table, player: Player, former: str) -> None:
        table.game.switch_settings.filter(of=former).update(of=player.name)


def _renamed(table: Table) -> Iterator[tuple[RuleSwitch, RuleSwitch]]:
    """The switches whose name alone the entry that is being made has changed, as they were and as
    they are."""
    now = rule_switches(table).by_key
    if not now:
        return
    was_at = Table(table.game, table.now, table.wall, locked=False)
    before = rule_switches(was_at).by_key
    new = [switch for key, switch in now.items() if key not in before]
    for gone in (switch for key, switch in before.items() if key not in now):
        heirs = [
            switch
            for switch in new
            if switch.rule.pk == gone.rule.pk
            and replace(switch.declared, name=gone.name) == gone.declared
        ]
        if len(heirs) == 1:
            yield gone, heirs[0]


follow(_Renames())
