"""The subgames that this site has, and what each tells the rest of the house about itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from django.db.models import QuerySet

from nomic.engine.outcomes import Concern
from nomic.engine.table import Follower, Table, follow
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.games.search import Hit
from nomic.ledger.models import Asset
from nomic.record.models import Entry
from nomic.rulebook.cell_words import CellWords
from nomic.rulebook.clauses import Clause
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import RuleCharts, Unread
from nomic.rulebook.shipped import ShippedRule, shipped_rules
from nomic.rulebook.spots import Spot
from nomic.rulebook.tables import TableBroken

_MOST_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class Trace:
    """Something of a subgame that stands behind an entry of the record, with its page.

    `rules` are the titles of the rules that it changed there, casefolded.
    """

    entry: int
    text: str
    url: str
    title: str = ""
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True)
class QuickAct:
    """A button that does something at once: an action, by its name, with all that it asks for."""

    button: str
    action: str
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for a player until the game moment `due`, None where it waits for good.

    `url` is where it is done, `acts` are the buttons that do it without going there, `says` tells
    what would come of it.
    """

    what: str
    url: str
    due: datetime | None = None
    acts: tuple[QuickAct, ...] = ()
    says: str = ""


@dataclass(frozen=True, slots=True)
class PassageNote:
    """Something that is to be known of a passage of a rule wherever that is shown.

    `rule` is the rule's key, `key` the fingerprint of the passage, which reads `passage`. `label`
    says in a word or two what `text` says in sentences, `url` is its page. What `has_ended` is told
    of a passage that has changed since.
    """

    rule: int
    key: str
    passage: str
    label: str
    text: str
    url: str
    has_ended: bool = False


@dataclass(frozen=True, slots=True)
class Contribution:
    """Something that a player has brought before the others, with its page, and what it came to."""

    title: str
    url: str
    came_to: str


@dataclass(frozen=True)
class TourStep:
    """Something to try once, for who is new: `says` tells what and how, `url` is where it is done,
    `acts` are buttons that do the next of it at once. `place` is its place among all steps."""

    place: int
    title: str
    says: str
    url: str
    done: bool
    acts: tuple[QuickAct, ...] = ()


@dataclass(frozen=True)
class Subgame:
    """A part of a game with machinery of its own; each subgame registers one instance of a
    subclass. What only the game's rulemaker does is `Rulemaking`, what only a keeper of secrets
    does `KeepsSecrets`, and `HasItems` is one whose state is a list.

    `name` is its app's label, `rulebook` the folder of the rule texts that it ships. `short` is its
    title where there is little room, `sign` the figure of `static/figures.svg` that stands for it,
    `for_example` something that a player may say there, as the players would put it. Of one that
    `acts_in_its_panel`, a game's home offers nothing beside the panel. `offices` are those that it
    may bring into a game. `clauses` are the sentences of rule texts that it reads numbers or words
    from. Of `open_tables`, by their first column, it reads any row, of others those that the
    shipped texts have. `cells` says what another word in a cell of its rules would mean.
    `sealing_acts` seal and open what is nobody else's to know, in a subgame that is public beside:
    they are not recalculated. In one that is `public_alone` what is public can be played again
    without what is sealed: it rolls and deals nothing in private. One that `classes_rules` says
    itself which of its own are immutable. The concerns of one that `hears_programs` are asked of
    every entry at which a program has run, too.
    """

    name: str
    title: str
    rulebook: Path
    short: ClassVar[str] = ""
    sign: ClassVar[str] = "board"
    for_example: ClassVar[str] = ""
    acts_in_its_panel: ClassVar[bool] = False
    offices: ClassVar[frozenset[str]] = frozenset()
    clauses: ClassVar[tuple[Clause, ...]] = ()
    open_tables: ClassVar[frozenset[str]] = frozenset()
    sealing_acts: ClassVar[frozenset[str]] = frozenset()
    public_alone: ClassVar[bool] = False
    hears_programs: ClassVar[bool] = False
    classes_rules: ClassVar[bool] = False
    cells: ClassVar[CellWords] = CellWords()

    # What it plays by

    def shipped(self, part: str = "") -> tuple[ShippedRule, ...]:
        """The rule texts with which a game may start, perhaps of one folder among several."""
        return shipped_rules(self.rulebook / part, self.name)

    def is_on(self, game: Game) -> bool:
        """Whether that game has this subgame's machinery in play."""
        raise NotImplementedError

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """Its code's knowledge of the rule of that title; None where it plays by none."""
        knowledge = machinery_in(self.rulebook, self.open_tables, self.clauses)
        return knowledge.get(name_key(title))

    def charts(self, table: Table) -> RuleCharts | None:
        """The figures of the rules in force, where it has them all in one."""
        return None

    def broken(self, table: Table) -> str:
        """The fault of a rule's table by which it plays, as a sentence; "" if all can be read."""
        charts = self.charts(table)
        wrong = charts and (charts.unread or charts.faults)
        return wrong[0].sentence if wrong else ""

    def unread(self, table: Table) -> Sequence[Unread]:
        """The rules that it plays as of an earlier version, or not, since they cannot be read."""
        charts = self.charts(table)
        return charts.unread if charts else ()

    # What it does when the game changes

    def rules_changed(self, table: Table) -> None:
        """Begin, adapt or switch off the machinery after a change of the rulebook.

        Called when a game begins as well, once its rulebook stands.
        """

    def joined(self, table: Table, player: Player) -> None:
        """A player has come to the game."""

    def left(self, table: Table, player: Player) -> None:
        """A player has left the game; their seat stays."""

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """A player goes by another name than the former one: what is kept by names follows."""

    def went_away(self, table: Table, player: Player) -> None:
        """A player is away: nobody waits for them."""

    def came_back(self, table: Table, player: Player) -> None:
        """A player who was away is back."""

    def office_changed(self, table: Table, office: str) -> None:
        """Somebody has come to that office, or has left it."""

    def corrected(self, table: Table) -> None:
        """An officer has moved assets by hand; do what the rules make follow from it at once."""

    def skipped(self, table: Table, kind: str) -> Mapping[str, Any] | None:
        """An event of that kind has been let not happen; make what it would have made.

        Returns the figures that the entry has of it, if there are any.
        """
        return None

    # Who keeps it

    def keeper(self, game: Game) -> str:
        """The office that keeps what happens in it; "" where none does."""
        return ""

    def may_seal(self, game: Game) -> bool:
        """Whether something of it could be sealed now, for all that anybody knows: not whether
        something is."""
        return False

    def keeps(self, game: Game, asset: Asset) -> str:
        """The office that corrects who has that public asset, where it is one of this subgame."""
        return ""

    # What is told of it

    def state(
        self, table: Table, player: Player | None
    ) -> Mapping[str, Any] | Sequence[Mapping[str, Any]] | None:
        """What that player, or somebody without a seat, may see of it, as JSON can hold it.

        None where the game does not play it. The API has an address of the subgame's name for
        this, and shows this text with it, and the shape that the function is said to return.
        """
        raise NotImplementedError

    def item_called(self, key: str) -> str:
        """What people call that of its state which has this key."""
        return key

    def waiting(self, table: Table, player: Player) -> Iterable[Waiting]:
        """The things that wait for that player here, who is seated; few queries for all of them."""
        return ()

    def tour(self, table: Table, player: Player) -> Iterable[TourStep]:
        """The first steps here of a newcomer, who is seated; a query or two for each."""
        return ()

    def disputing(self, table: Table, statement: str = "", entry: int | None = None) -> str:
        """The address at which a player calls for judgement of that statement, or of what that
        entry tells; "" for none."""
        return ""

    def parties_to(self, game: Game, kind: str, name: str, since: int) -> Collection[int]:
        """The keys of the players whose own affair the thing of that kind and name is, or was since
        that entry: they do not judge a case about it. One query."""
        return ()

    def owners_of(self, game: Game, holders: Collection[str]) -> Collection[int]:
        """The keys of the players who share in what these holders own, as the parties of a contract
        do in its account. One query."""
        return ()

    def ratifying(self, table: Table, player: Player) -> Iterable[tuple[str, str, dict[str, Any]]]:
        """Further ways in which that player may ratify a report: for each the text of its button,
        the name of an act that takes a report, and its other inputs. One or two queries."""
        return ()

    def traces_of(self, game: Game, entry: Entry) -> list[Trace]:
        """The things of this subgame to which the page of an entry leads."""
        return []

    def named(self, table: Table, player: Player | None, name: str) -> Trace | None:
        """The thing of this subgame that has that name at its address, as that player may see it:
        what can be named as evidence. A query or two."""
        return None

    def notes_on(self, table: Table, rules: Collection[int] | None) -> Iterable[PassageNote]:
        """The notes of it on passages of the public rules with these keys, or of all; a query."""
        return ()

    def finds(self, games: QuerySet[Game], words: str, limit: int) -> Sequence[Hit]:
        """The texts of it, in those games, that say these words, at most so many, the best first:
        public ones alone."""
        return ()

    def concerns(self, table: Table, entry: Entry) -> Iterable[Concern]:
        """Whom an entry of this subgame concerns, that was just written: what notices tell."""
        return ()

    def deadlines(self, table: Table) -> Iterable[Concern]:
        """The terms that run out for players who have not done their part: `until` when, `about`
        what."""
        return ()


class Rulemaking(Subgame):
    """The subgame in which players change the rulebook by votes: the game's rulemaker.

    No part of it is kept by hand while its sentence reads otherwise: else no vote could mend it.
    """

    def keeps_the_rulebook(self, game: Game) -> str:
        """The office of it that corrects rule texts, and what no other office keeps; "" if none."""
        raise NotImplementedError

    def has_decided(self, table: Table) -> bool:
        """Whether a vote of the players has been closed in this game."""
        return False

    def amending(self, table: Table, rule: RuleText) -> str:
        """The address at which a player begins to write an amendment of the rule, or the
        transmutation of an immutable one; "" for none."""
        return ""

    def tapping(self, table: Table, rule: RuleText, spot: Spot) -> str:
        """The address of the small form in which a player changes that spot of the rule, "" for
        none."""
        return ""

    def mandates(self, table: Table) -> Collection[str]:
        """The changes that officers have still to carry out by hand: how a correction's reason
        cites each."""
        return ()

    def traces(self, game: Game, entries: Collection[int]) -> list[Trace]:
        """The proposals that changed rules in these entries; few queries for all of them."""
        return []

    def contributions(self, player: Player, limit: int) -> Sequence[Contribution]:
        """The newest that the player has brought before the others, as everybody may see it."""
        return ()

    def votes_told(self, game: Game) -> Iterable[tuple[tuple[bool, int], dict[str, Any]]]:
        """The effects that votes told by `Table.tell`, as its tables have them: whether the entry
        is sealed and its number, and the effect."""
        return ()


class KeepsSecrets(Subgame):
    """A subgame in which players keep something from each other, and an office knows it.

    `counted_later` names what a worker counts in `state`: two looks at one game may differ in it.
    """

    counted_later: ClassVar[frozenset[str]] = frozenset()

    def office_refusal(self, table: Table, office: str, player: Player | None) -> Refusal | None:
        """Why nobody, or not this player, can come to that office now; None if they can.

        Asked whichever way an office is filled, and of a game that does not play it as well.
        """
        return None

    def uncorrected(self, table: Table, rule: RuleText, text: str) -> Refusal | None:
        """Why nobody gives that rule this text by hand; None where it is no such rule or text."""
        return None

    def proofs(self, game: Game) -> Iterable[tuple[str, str]]:
        """The checks that anybody can make of it by now, beside the dice and the record: what was
        checked, and what is wrong, "" if nothing is."""
        return ()


@runtime_checkable
class HasItems(Protocol):
    """The further protocol of a subgame whose `state` is a list of things that can be seen whole,
    each at an address of the API."""

    title: str

    def item(self, table: Table, player: Player | None, name: str) -> Mapping[str, Any] | None:
        """One of them, whole, as that player may see it; None if none."""


_SUBGAMES: dict[str, Subgame] = {}


def register[Own: Subgame](subgame: Own) -> Own:
    """Make a subgame known, as its module does when the AppConfig.ready() of its app imports it."""
    _SUBGAMES[subgame.name] = subgame
    return subgame


def all_subgames() -> list[Subgame]:
    """The subgames in the order of the settings' apps."""
    return list(_SUBGAMES.values())


def is_classed_elsewhere(rule: RuleText) -> bool:
    """Whether rules of the subgame that has shipped it say whether it is immutable."""
    return any(subgame.classes_rules and subgame.name == rule.origin for subgame in all_subgames())


def find_subgame(name: str) -> Subgame:
    """The subgame of that app label; KeyError if this site has none."""
    return _SUBGAMES[name]


def rulemakers() -> Iterator[Rulemaking]:
    """The subgames by which rules are made, of which a game plays one at most."""
    return (subgame for subgame in all_subgames() if isinstance(subgame, Rulemaking))


def keepers_of_secrets() -> Iterator[KeepsSecrets]:
    """The subgames in which players keep something from each other."""
    return (subgame for subgame in all_subgames() if isinstance(subgame, KeepsSecrets))


def shipped_in(rulebooks: Iterable[str]) -> Iterator[ShippedRule]:
    """The rule texts of these rulebooks, each a subgame's, or behind a slash a folder of it."""
    for name in rulebooks:
        app, _, part = name.partition("/")
        yield from find_subgame(app).shipped(part)


def office_refusal(table: Table, office: str, player: Player | None) -> Refusal | None:
    """The first subgame's refusal of anybody's, or this player's, coming to that office now; None
    if they can."""
    refusals = (subgame.office_refusal(table, office, player) for subgame in keepers_of_secrets())
    return next(filter(None, refusals), None)


class OfOffice:
    """An office's desk or report, in games that play the subgame of that name."""

    subgame: ClassVar[str]
    office: ClassVar[str]

    def office_in(self, game: Game) -> str:
        """The office's name in that game."""
        return self.office

    def is_on(self, game: Game) -> bool:
        """Whether the game has what the office keeps."""
        return find_subgame(self.subgame).is_on(game)


PLAYED: dict[tuple[int, int], list[Subgame]] = {}  # by a game and the entry of its rulebook


def in_play(game: Game) -> list[Subgame]:
    """The subgames that the game plays. Only a change of the rulebook changes them; in the entry
    that makes it, they are still those of before."""
    place = (game.pk, game.rulebook_at)
    played = PLAYED.get(place)
    if played is None:
        if len(PLAYED) >= _MOST_KNOWN:
            PLAYED.clear()
        played = PLAYED[place] = [subgame for subgame in all_subgames() if subgame.is_on(game)]
    return played


def passage_notes(table: Table, rules: Collection[int] | None = None) -> list[PassageNote]:
    """What is to be known of passages of the public rules with these keys, or of all, also by what
    the game plays no more."""
    return [note for subgame in all_subgames() for note in subgame.notes_on(table, rules)]


def rulemaker_of(game: Game) -> Rulemaking | None:
    """The subgame by which that game's rules are made; None where no vote changes them."""
    return next((part for part in in_play(game) if isinstance(part, Rulemaking)), None)


def of_those_in_play[Part: OfOffice](game: Game, parts: Iterable[Part]) -> list[Part]:
    """Those desks or reports whose subgame the game plays."""
    names = {subgame.name for subgame in in_play(game)}
    return [part for part in parts if part.subgame in names]


class _Subgames(Follower):
    def rules_changed(self, table: Table) -> None:
        for subgame in all_subgames():
            subgame.rules_changed(table)

    def renamed(self, table: Table, player: Player, former: str) -> None:
        for subgame in all_subgames():
            subgame.renamed(table, player, former)

    def office_changed(self, table: Table, office: str) -> None:
        for subgame in in_play(table.game):
            subgame.office_changed(table, office)


follow(_Subgames())


def switched_off(subgame: Subgame, table: Table) -> Iterable[str]:
    """The parts of a subgame in play that are off since no rule in force says them any more: a
    sentence for each."""
    charts = subgame.charts(table)
    return charts.off if charts and subgame.is_on(table.game) else ()


def rulebook_keeper(game: Game) -> str:
    """The office that corrects the game's rule texts; "" where no office does."""
    rulemaker = rulemaker_of(game)
    return rulemaker.keeps_the_rulebook(game) if rulemaker else ""


def keeper_of(game: Game, asset: Asset) -> str:
    """The office that corrects who has that public asset; "" where no office does."""
    office = next(filter(None, (subgame.keeps(game, asset) for subgame in in_play(game))), "")
    return office or rulebook_keeper(game)


# Switches that subgames offer by name, so that a proposal can set them


class Switch:
    """One thing that has a value, of the whole game or of each of several subjects.

    `name` is what players call it; `of` is what it is a switch of (“horse”, “player”), empty for
    one of the whole game, whose subject is then "". Values are texts, as a proposal has them:
    “3”, “none”, “first”.
    """

    name: str
    of: str = ""

    def subjects(self, table: Table) -> Sequence[str]:
        """Those that have this switch now, by name; nothing where the game does not have it."""
        raise NotImplementedError

    def no_subject(self, named: str) -> str:
        """Why nothing of that name has this switch, as a sentence."""
        if not self.of:
            return f"{self.name} is a switch of the whole game, not of “{named[:60]}”."
        if not named:
            return f"{self.name} is a switch of every {self.of}: say whose."
        return f"There is no {self.of} “{named[:60]}”."

    def value(self, table: Table, subject: str) -> str:
        """How it stands. Raises TableBroken where a rule's table is needed and cannot be read."""
        raise NotImplementedError

    def is_at(self, table: Table, subject: str, setting: str) -> bool:
        """Whether it stands at that value, which is not refused, as it is."""
        return setting.strip().casefold() == self.value(table, subject).casefold()

    def refusal(self, table: Table, subject: str, setting: str) -> Refusal | None:
        """Why it cannot be set to that; None if it can. A table that cannot be read refuses it."""
        try:
            return self.why_not(table, subject, setting.strip())
        except TableBroken as broken:
            return broken.refusal

    def why_not(self, table: Table, subject: str, setting: str) -> Refusal | None:
        """Why it cannot be set to that; None if it can. Raises TableBroken where a rule's table is
        needed and cannot be read."""
        raise NotImplementedError

    def set(self, table: Table, subject: str, setting: str) -> str | None:
        """Set it at a locked table, to a value that is not refused; what else is to be said. `turn`
        calls it."""
        raise NotImplementedError

    def turn(self, table: Table, subject: str, setting: str) -> tuple[str, str | None]:
        """Set it, and let the entry that is being made tell so among its effects; how it stands
        then, and what else is to be said."""
        remark = self.set(table, subject, setting)
        standing = self.value(table, subject)
        table.tell(switch=[self.name, subject, standing])
        return standing, remark


class NoSuchSwitch(LookupError):
    """Neither a part of this program nor a rule in force offers a switch of that name."""


_SWITCHES: dict[str, Switch] = {}
_OF_GAMES: list[Callable[[Table], Mapping[str, Switch]]] = []
_NOUNS = frozenset({"switch", "list", "flag", "value"})  # may stand behind a name, or be left out


def switch(cls: type[Switch]) -> type[Switch]:
    """Register the switch under its name, which must be new."""
    key = switch_key(cls.name)
    if key in _SWITCHES:
        raise ValueError(f"There are two switches named {cls.name}.")
    _SWITCHES[key] = cls()
    return cls


def further_switches(read: Callable[[Table], Mapping[str, Switch]]) -> None:
    """Ask this as well for the switches of a game, by their keys."""
    _OF_GAMES.append(read)


def find_switch(name: str, table: Table | None = None) -> Switch:
    """The switch of that name, in whatever case; raises NoSuchSwitch with a sentence. Of a game its
    own rules may declare some, under names of which the program keeps none there."""
    try:
        return _switches_of(table)[switch_key(name)]
    except KeyError:
        names = ", ".join(offered.name for offered in all_switches(table)) or "none"
        raise NoSuchSwitch(
            f"The program keeps no switch “{name[:60]}”. Those that it keeps: {names}."
        ) from None


def all_switches(table: Table | None = None) -> list[Switch]:
    """Every switch, in the order in which the subgames registered them; with those that rules of a
    game declare."""
    return list(_switches_of(table).values())


def keeps_switch(name: str, table: Table) -> bool:
    """Whether a subgame keeps a switch of that name in the game, whatever its rules declare."""
    built_in = _SWITCHES.get(switch_key(name))
    return built_in is not None and bool(built_in.subjects(table))


def _switches_of(table: Table | None) -> Mapping[str, Switch]:
    switches = dict(_SWITCHES)
    if table is not None:
        for read in _OF_GAMES:
            switches |= read(table)
    return switches


def switch_key(name: str) -> str:
    """The form in which names of switches are compared: “the Visitor list” is the Visitor."""
    words = name.casefold().split()
    words = words[1:] if words[:1] == ["the"] else words
    return " ".join(words[:-1] if words[1:] and words[-1] in _NOUNS else words)
