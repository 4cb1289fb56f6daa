"""The answers of the API, as the OpenAPI document tells them. Moments are ISO 8601 in UTC."""

from base64 import b64encode
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import (
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from nomic.web.proof.witness import MOST
from nomic.web.record_shapes import Commitment as Commitment
from nomic.web.record_shapes import Entry as Entry
from nomic.web.record_shapes import Moment as Moment
from nomic.web.record_shapes import Name as Name
from nomic.web.record_shapes import NameOrNull as NameOrNull
from nomic.web.record_shapes import OpenedEntry as OpenedEntry
from nomic.web.record_shapes import Receipt as Receipt
from nomic.web.record_shapes import Statement as Statement
from nomic.web.record_shapes import name_of


def _public_title(rule: Any) -> Any:
    return None if getattr(rule, "visibility", "public") != "public" else name_of(rule)


_CALLED_CLASS = {"serialization_alias": "class"}


def read_at(path: str, name: str = "", **kwargs: Any) -> Any:
    """A field that is read there, or by its own name."""
    return Field(validation_alias=AliasChoices(path, name or path.rpartition(".")[2]), **kwargs)


class Refusal(Schema):
    """Why an action may not be done now. Nothing has changed."""

    code: str
    sentence: str
    rule: str


class Unit(Schema):
    """What a sentence of a text counts or names (“the first sentence”): the passage that is meant,
    "" where an officer is to carry it out."""

    sentence: str
    passage: str


class Problem(Schema):
    """What is wrong with the request, as a sentence (RFC 9457)."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    detail: str


class Refused(Problem):
    """Why an action may not be done now; `detail` is the sentence. Nothing has changed."""

    title: Literal["Conflict"] = "Conflict"
    status: Literal[409] = 409
    detail: str
    refusal: Refusal
    code: str
    sentence: str
    rule: str

    @staticmethod
    def resolve_detail(refusal: Any) -> str:
        return str(refusal.sentence)

    @staticmethod
    def resolve_refusal(refusal: Any) -> Any:
        return {name: getattr(refusal, name) for name in Refusal.model_fields}


class Unconfirmed(Refused):
    """Why a text may not be submitted yet: `units` are for what the site would take what it counts
    or names. Send them with it, or others."""

    units: list[Unit] = Field(min_length=1)


class Unchosen(Refused):
    """Why a text may not be submitted yet: nothing carries out these `sentences`. Send each of them
    along in one of the inputs that `choices` names, or write it as an instruction."""

    sentences: list[str] = Field(min_length=1)
    choices: list[str] = Field(min_length=1)


class Nothing(Schema):
    """Nothing has to be said: {}."""

    model_config = ConfigDict(extra="forbid")


class ActSent(Schema):
    """An act: the action's name, and its inputs in the shape that its `schema` gives."""

    model_config = ConfigDict(extra="forbid")

    action: str = Field(max_length=80)
    inputs: dict[str, Any] = {}


class RefusedAct(Problem):
    """Why none of several acts is done: the one at the place `act`, counted from 0, is refused. It
    may have `units` to be confirmed, as `Unconfirmed` has, or `sentences` and `choices`, as
    `Unchosen` has."""

    act: int
    refusal: Refusal
    code: str
    sentence: str
    rule: str
    units: list[Unit]
    sentences: list[str]
    choices: list[str]

    @classmethod
    def of(cls, refusal: Any, act: int) -> "RefusedAct":
        """The refusal of the act at that place."""
        names = ("code", "sentence", "rule")
        facts = {name: getattr(refusal, name) for name in names}
        problem: dict[str, Any] = {"title": "Conflict", "status": 409, "detail": refusal.sentence}
        units = [Unit.model_validate(unit) for unit in refusal.units]
        unchosen: dict[str, Any] = {
            "sentences": [*refusal.sentences],
            "choices": [*refusal.choices],
        }
        return cls(**problem, **facts, **unchosen, act=act, refusal=Refusal(**facts), units=units)


class Complaint(Schema):
    """One thing that is wrong with what was sent, and where."""

    type: str
    loc: list[str | int]
    msg: str


class Malformed(Schema):
    """What was sent does not have the shape that was asked for. Nothing has changed."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: Literal[422] = 422
    detail: list[Complaint]


class BalanceShift(Schema):
    """A holder's amount of a public asset before and after."""

    holder: str
    asset: str
    before: int
    after: int


class Rewording(Schema):
    """A rule's text before and after: empty where it is new, or is repealed. `was` is what it was
    called before, if that is another title."""

    title: str
    was: str
    before: str
    after: str


class Attempt(Schema):
    """What comes of an act that is not done. `text` is its announcement, `outcome` and `effects`
    are those of its entry; `balances` and `rules` tell what it changes of them, and `more` that
    there is more of that. What is not known beforehand is absent, and a sentence of `unknown` says
    why."""

    model_config = ConfigDict(extra="forbid")

    unknown: list[str]
    text: str | None = None
    outcome: dict[str, Any] | None = None
    effects: list[dict[str, Any]] | None = None
    balances: list[BalanceShift] | None = None
    rules: list[Rewording] | None = None
    more: bool | None = None

    # Without the type that it returns, the document tells the fields as they are declared.
    @model_serializer(mode="wrap")
    def _as_told(self, serialize: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        """It without what is not known."""
        return {name: fact for name, fact in serialize(self).items() if fact is not None}


class DryRun(Attempt):
    """What an act would do; nothing has changed. `price` and `outlook` are what its form tells of
    it, "" where nothing. Where it is announced first, `later` is what it does when it happens, as
    things stand."""

    price: str
    outlook: str
    later: Attempt | None = None


class Record(Schema):
    """Entries in their order. `last` is the number of the newest entry that there is."""

    entries: list[Entry]
    last: int


class Opened(Schema):
    """Opened entries in the order of the sealed book; an empty list after the last."""

    entries: list[OpenedEntry]


class GameLine(Schema):
    """A game in the list of games. `now` is its moment in game time. One that `rests` is a
    demonstration at which nobody looks: its time stands still, and goes on some seconds after
    somebody has asked for anything of it. `set_aside` says why nothing happens in it, be it that it
    cannot keep up with its rules or that the site was restored from a backup; "": it goes on."""

    slug: str
    title: str
    preset: str
    edition: str
    pace: Literal["real", "fast", "manual"]
    now: Moment
    rests: bool
    state: Literal["running", "paused", "stuck"]
    set_aside: str


class NextAppointment(Schema):
    """What happens next by itself, and when (game time)."""

    name: str = read_at("kind", "name")
    due: Moment


class Player(Schema):
    """A player. One who has left is not active; for one who is away nobody waits, until the game
    moment `away_until` where they named one; the program plays for a bot. `vested` is null in a
    game whose rules make nobody Vested."""

    name: str
    active: bool
    away: bool
    away_until: Moment | None
    vested: bool | None
    bot: bool


class Breach(Schema):
    """Something that an officer let go by, as the entry of that moment `says`."""

    entry: int
    at: Moment
    office: str
    officer: str
    says: str


class Office(Schema):
    """An office and the player who holds it; null where it is vacant."""

    office: str
    holder: str | None


class Motion(Schema):
    """Something that was announced and waits: what `action` it is to do. The inputs of that stand
    in the `entry` that announced it.

    It is done at the game moment `due`, unless it is objected to; at once when `needed` players
    support it. Null and 0 where time, or support, does not do it. Where a row of a rule's table
    lets it be done, `how` is the method of that row, and `terms` are its terms in a sentence.
    """

    number: int = read_at("motion.number")
    action: str = read_at("motion.action")
    intent: str
    by: Name = read_at("motion.by")
    entry: int = read_at("motion.entry")
    at: Moment = read_at("motion.at")
    due: Moment | None
    supports: list[str]
    objections: list[str]
    needed: int
    how: str = read_at("motion.how")
    terms: str = read_at("standing")


class Election(Schema):
    """An election of an `office`: its candidates stand until `closes`, and players vote until
    `ends`, null while or where they do not. `ballots` have whom each voter names, in their order;
    `rounds` what each candidate had as it was counted; `ending` says how it ended, in the entry
    `ended_in`."""

    number: int
    office: str
    by: str | None
    entry: int
    rule: str
    count: Literal["plurality", "approval", "instant runoff"]
    closes: Moment
    ends: Moment | None
    candidates: list[str]
    ballots: dict[str, list[str]]
    rounds: list[dict[str, int]]
    elected: str | None
    ending: str
    ended_in: int | None


class Mandate(Schema):
    """A player `by` whom another one is let do acts, by their names, on their behalf."""

    by: str
    to: str
    acts: list[str]


class Win(Schema):
    """A player won the game `how` it says, by that rule, in that entry of the record, at a moment
    in game time. The game goes on."""

    player: Name
    how: str
    rule: str
    entry: int
    at: Moment


class Game(GameLine):
    """A game: its clock, its players, its offices, what was announced and is open, and each win in
    the order of the record. `objection_hours` is how long corrections wait, in game time;
    `mandates` tell who may act for whom, and `breaches` are the newest of what officers let go
    by."""

    next_appointment: NextAppointment | None
    players: list[Player]
    offices: list[Office]
    seen_by: Literal["everybody", "link"]
    joined_by: Literal["everybody", "invitation", "host"]
    voters: Literal["everybody", "seated", "host", "support"]
    closed: bool
    offices_by: Literal["support", "host", "open"]
    objection_hours: int
    motions: list[Motion]
    mandates: list[Mandate]
    breaches: list[Breach]
    wins: list[Win]


class Action(Schema):
    """An action, the JSON Schema of its inputs, and whether the caller may do it now."""

    name: str = read_at("action.name")
    title: str = read_at("action.title")
    rule: str = read_at("action.rule")
    inputs: dict[str, Any] = read_at("form.schema", serialization_alias="schema")
    allowed: bool
    refusal: Refusal | None


class PassageNote(Schema):
    """What is to be known of a passage: a case that has read it, in sentences, and its page."""

    label: str
    text: str
    url: str


class Passage(Schema):
    """A sentence, list item, table row or program block of a rule, and who carries it out.

    Where it does not fit, it is not carried out as it reads: `by` tells who does what it is about
    all the same, and `key` names it to the actions that end that. `parts` are the actions and
    events that have to do with it. `claimed` is what the rule's program says it carries out: nobody
    has checked that, so it is not said to fit. `notes` tell how cases have read it. Of these four
    an answer has what is not as it is given here.
    """

    text: str
    by: Literal["table", "clause", "program", "built in", "people"]
    fits: bool
    claimed: bool = False
    key: str = ""
    parts: list[str] = []
    notes: list[PassageNote] = []


class Rule(Schema):
    """A rule in force with its current text.
    `gone` are the actions and events that the program does still though no sentence says them any
    more. `unread` tells, where the text cannot be read, what is wrong with it, and as of which
    version it is played."""

    title: str
    number: Annotated[str | None, BeforeValidator(lambda number: number or None)]
    parent: Annotated[str | None, BeforeValidator(_public_title)]
    power: float | None
    category: str | None
    rule_class: Literal["mutable", "immutable"] = read_at("rule_class", "class", **_CALLED_CLASS)
    visibility: str
    version: int
    text: str
    passages: list[Passage]
    gone: list[str]
    unread: str


class RuleCause(Schema):
    """What led to a change: a proposal and the like, with its page."""

    text: str
    url: str


class RuleChange(Schema):
    """What became of a rule in an `entry`: it was enacted, amended, repealed and so on. `version`
    is the number of the version that it gave, null where the text stayed."""

    verb: str
    version: int | None
    title: str | None
    entry: int
    at: Moment | None
    by: list[RuleCause]


class WholeRule(Rule):
    """A rule with its history, the newest change first. One that was repealed tells the entry in
    which, and nobody carries it out; `disclosed_in` is the entry that made a secret rule public.
    `subrules` are the titles of those under it; `told` is what was told of it where it lived
    before. `key` names it in addresses, whatever it is called."""

    key: str
    repealed_in: int | None
    disclosed_in: int | None
    subrules: list[str]
    history: list[RuleChange]
    told: dict[str, Any]


class RuleVersion(Schema):
    """The text that a rule had from the end of an entry on."""

    number: int
    title: str
    rule_class: Literal["mutable", "immutable"] = read_at("rule_class", "class", **_CALLED_CLASS)
    text: str
    enacted_in: int


class DiffSpan(Schema):
    """A part of a line; with `changed`, words that the other version does not have here."""

    text: str
    changed: bool


class DiffLine(Schema):
    """A line of the older version (`removed`), of the newer (`added`) or of both (`same`)."""

    kind: Literal["same", "added", "removed"]
    spans: list[DiffSpan]


class Difference(Schema):
    """What differs between two versions: the lines of both in their order."""

    older: int = Field(serialization_alias="from")
    newer: int = Field(serialization_alias="to")
    lines: list[DiffLine]


class ProgramFailure(Schema):
    """What of a program came to nothing, in the entry of that number, and why."""

    what: str
    entry: int
    sentence: str


class Program(Schema):
    """What the program of a rule adds: the names of its actions, what happens by itself and when
    next, its hooks and its views. `problem` is why it adds nothing."""

    rule: str
    actions: list[str]
    appointments: list[NextAppointment]
    hooks: list[str]
    decisions: list[str]
    views: list[str]
    failures: list[ProgramFailure]
    problem: NameOrNull

    @staticmethod
    def resolve_actions(added: Any) -> list[str]:
        return [name for name, _ in added.actions]

    @staticmethod
    def resolve_hooks(added: Any) -> list[str]:
        return [f"{hook.when} {hook.of}" for hook in added.hooks]


class Decision(Schema):
    """A decision that a program may take over: what it is given, by name and type, and the type of
    what it returns."""

    name: str
    takes: dict[str, str]
    gives: str
    about: str


class SwitchedOff(Schema):
    """A rule of whose program nothing runs since that `entry` of the record, whose `text` says
    why."""

    rule: str
    entry: int
    text: str


class Machinery(Schema):
    """`hooks` are the actions and events that a program may run before or after in this game,
    `programs` those of the rules in force in the order in which they run, without those that are
    `switched_off`, and behind them those of contracts, whose `rule` is the contract."""

    hooks: list[str]
    decisions: list[Decision]
    programs: list[Program]
    switched_off: list[SwitchedOff]


class ReportLine(Schema):
    """A report that a game has. `entry` published the newest one; null before the first."""

    report: str
    title: str
    office: str
    entry: int | None


class Report(ReportLine):
    """An officer's report as the record's `entry` published it, at a moment in game time."""

    entry: int
    at: Moment
    facts: dict[str, Any]
    text: str


class Roll(Schema):
    """One decision of chance: `options[value]` came up for that entry of the record.

    Where `options` is a number, it was among the numbers from 1 to it, so `value` + 1 came up.
    Where it is `sealed`, the entry counts in that sealed `book`.
    """

    entry: int
    sealed: bool
    label: str
    options: list[Any] | int
    value: int
    book: str | None = None
    seat: int
    count: int
    after: str


class Period(Schema):
    """The span of a game that one seed serves. The seed is null until it is published.

    A private period's rolls are listed once its seed is published. Where it serves one `purpose`
    alone, that is told; else it is empty.
    """

    number: int
    private: bool
    purpose: str
    commitment: str
    opened_in: int
    seed: str | None
    closed_in: int | None
    rolls: list[Roll]


class Dice(Schema):
    """Everything that is needed to check the dice. `game` is the name that each roll is made with.

    Periods are given in the order in which they were opened; `last` is the entry that opened
    the newest.
    """

    game: str
    periods: list[Period]
    last: int


Balances = dict[str, dict[str, int]]


class Range(Schema):
    """The whole numbers between two, both among them."""

    least: int
    most: int


class SwitchHeld(Schema):
    """A switch that a table of the `rule` declares, or that the program keeps, without a rule. It
    has one of the `values`; the office that is its `keeper` sets it, `at_once` or by a correction;
    one that the program keeps follows the rules and is set by votes. `held` is how it stands, by
    whose it is: a player's, the game's, an asset's, or what else the program knows (“horse”)."""

    name: str
    of: str
    values: list[str] | Range | None
    default: int | str | None
    keeper: str | None
    at_once: bool
    rule: str | None
    held: dict[str, int | str]


class Key(Schema):
    """The public half of a key by which this site signs (Ed25519), in use from a wall moment until
    the next one began. What an old one has signed stays signed."""

    name: str
    public: str
    begun_at: Moment


class Witness(Schema):
    """Somebody has seen a head, at a wall moment; `holds` tells whether it is of the record. One
    that is not, with a signature of this site, proves that two histories were told."""

    who: str
    head: Annotated[str, BeforeValidator(str)]
    at: Moment
    holds: bool
    entry: int | None


class Stamped(Schema):
    """A service outside (RFC 3161) has said that it saw this head at that wall moment; what it has
    stamped is the `digest`, the SHA-256 of the head's statement."""

    number: int
    head: Annotated[str, BeforeValidator(str)]
    digest: str
    service: str
    at: Moment


class Stamp(Stamped):
    """It with the service's answer, whole, in base64. Whether the service has signed it, `openssl
    ts -verify` tells with the service's certificate."""

    answer: Annotated[str, BeforeValidator(lambda answer: b64encode(answer).decode())]


class Heads(Schema):
    """The head of the record, who has seen which, and which were stamped, the newest first.
    `published_in` is the entry by which the operator has published the whole game, whose file is at
    …/whole; null where there is none."""

    head: str
    seen: list[Witness]
    published_in: int | None
    stamps: list[Stamped]


class Brought(Schema):
    """Heads, or receipts as files, to be checked; with `seen` it is kept that the caller has seen
    them."""

    model_config = ConfigDict(extra="forbid")

    heads: list[str] = Field([], max_length=MOST)
    receipts: list[dict[str, Any]] = Field([], max_length=MOST)
    seen: bool = False


class Strike(Schema):
    """A past without that entry."""

    model_config = ConfigDict(extra="forbid")

    strike: int = Field(ge=1, le=2**31 - 1)


class Change(Schema):
    """A past in which the act of that entry had other inputs."""

    model_config = ConfigDict(extra="forbid")

    change: int = Field(ge=1, le=2**31 - 1)
    inputs: dict[str, Any]


class InsertedAct(Schema):
    """An act that is put in; without `actor` it is the operator's."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=80)
    actor: str | None = Field(None, max_length=60)
    inputs: dict[str, Any] = {}


class Insert(Schema):
    """A past with one more act after that entry."""

    model_config = ConfigDict(extra="forbid")

    insert: InsertedAct
    after: int = Field(ge=1, le=2**31 - 1)


Revision = Strike | Change | Insert


class RecalculationLine(Schema):
    """A recalculation that somebody asked for, at a wall moment. In the end it has the `hash` of
    its report, or a `refusal` that says why there is none; until then both are empty. Where it
    `awaits` that something is opened in these parts, it is made anew by itself then."""

    number: int = read_at("pk")
    by: Name
    asked_at: Moment
    revision: dict[str, Any]
    hash: str
    refusal: str
    awaits: list[str]


class Recalculation(RecalculationLine):
    """The same with its `report`, and with how many acts of how many are played so far, where that
    is known."""

    progress: tuple[int, int] | None
    report: dict[str, Any] | None


class Verdict(Schema):
    """What one of these is worth. `holds`: it is of this record; `is_signed`: this site has signed
    it; where it is signed and does not hold, two histories were told."""

    brought: str
    sentence: str
    holds: bool
    is_signed: bool


class Receipts(Schema):
    """The caller's acts, newest first, each with what the site has signed of it."""

    receipts: list[dict[str, Any]]
    older: int | None
