"""Who holds power in a game as its pages show it: offices, how they are filled, what is owed."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists
from django.template.defaultfilters import pluralize

from nomic.engine.actions import all_actions, find_action, is_dignity
from nomic.engine.requests import runs
from nomic.engine.subgames import office_refusal
from nomic.games.models import Game
from nomic.games.powers import Offices, offices_of, voters_of
from nomic.governance import doubts
from nomic.governance.breaches import breaches, telling
from nomic.governance.deputies import OwedAction, deputy_waits
from nomic.governance.desks import Duty
from nomic.governance.elections import has_elections, open_elections
from nomic.governance.models import Motion
from nomic.governance.motion_voting import MotionStanding, most_urgent_first, standings
from nomic.governance.motions import AskedOfAll, about
from nomic.governance.offices import APPOINT, RECALL, RESIGN, STAND, TAKE
from nomic.governance.powers import objection_time
from nomic.governance.reports import reports_of
from nomic.record.models import Entry
from nomic.web.game_context import GamePage, act_url

_SHOWN = 12
_LATELY = 3  # of what one office let go by


@dataclass(frozen=True)
class HeldOffice:
    """An office: who holds it ("" for nobody), why the viewer cannot come to it while it is vacant,
    what is owed there now, each duty with the address where the viewer does it ("" where they do
    not), what was let go by there lately, and what the viewer may do about the office."""

    office: str
    holder: str
    hindrance: str
    is_own: bool
    duties: list[tuple[Duty, str]]
    breaches: list[dict[str, Any]]
    ways: list[tuple[str, str]]

    @property
    def vacancy(self) -> str:
        """The state of the office while nobody holds it, as the end of a sentence."""
        if is_dignity(self.office):
            return "vacant: nobody has its powers"
        rest = "; the rest is asked of all players" if self.duties else ""
        return f"vacant: the system does what it can{rest}"


@dataclass(frozen=True, slots=True)
class Powers:
    """What was announced and is the most urgent; and, as values, who holds which office and how
    they come to it, who votes, and when an officer's correction happens."""

    motions: list[MotionStanding]
    facts: dict[str, Any]


def power_annotations(game: Game) -> dict[str, Exists]:
    """Whether anything was announced and is open, whether a report was ever doubted, and whether an
    office ever let something go by: to be read along with something that is read anyway, and then
    given to `powers`."""
    return {
        "has_motions": Exists(Motion.objects.filter(game=game, label=Motion.LABEL, end="")),
        "has_doubts": Exists(Entry.objects.filter(game=game, name=doubts.DOUBT)),
        "has_breaches": Exists(telling(game)),
    }


def powers(
    game_page: GamePage,
    *,
    has_motions: bool = True,
    has_doubts: bool = True,
    has_breaches: bool = True,
) -> Powers:
    """The powers in this game as the viewer sees them."""
    urgent = most_urgent_first(game_page.table)[:_SHOWN] if has_motions else []
    motions = standings(game_page.table, game_page.player, urgent)
    hours = objection_time(game_page.table) // timedelta(hours=1)
    waits = f"wait {hours} hour{pluralize(hours)} for objections"
    facts = {
        "held": list(_held(game_page, has_doubts, has_breaches)),
        "announced": bool(motions),
        "elections": [
            f"{election}, of the {election.office}" for election in open_elections(game_page.table)
        ],
        "has_elections": has_elections(game_page.table),
        "voters": voters_of(game_page.game).label,
        "mode": offices_of(game_page.game).label,
        "corrections": waits if hours else "happen at once",
    }
    return Powers(motions, facts)


def about_viewer(game_page: GamePage, part: str) -> list[MotionStanding]:
    """How the open motions of that subgame stand that name the viewer, who plays."""
    table, player = game_page.table, game_page.player
    if player is None or not game_page.seated:
        return []
    motions = about(table, player.name)
    of_part = [motion for motion in motions if motion.action.startswith(f"{part}.")]
    return standings(table, player, of_part)


def _held(game_page: GamePage, has_doubts: bool, has_breaches: bool) -> Iterator[HeldOffice]:
    let_go: dict[str, list[dict[str, Any]]] = {}
    for omission in breaches(game_page.game) if has_breaches else ():
        let_go.setdefault(omission["office"], []).append(omission)
    due: dict[str, list[Duty]] = {}
    if game_page.game.is_closed:
        for office, holder in game_page.table.directory.offices.items():
            lately = let_go.get(office, [])[:_LATELY]
            yield HeldOffice(office, holder, "", is_own=False, duties=[], breaches=lately, ways=[])
        return
    for desk in game_page.desks:
        due.setdefault(desk.office_in(game_page.game), []).extend(desk.duties(game_page.table))
    offices = game_page.table.directory.offices
    reports = reports_of(game_page.game)
    for report, duty in doubts.owed(game_page.game, reports, has_doubts=has_doubts):
        due.setdefault(report.office_in(game_page.game), []).append(duty)
    late = _late(game_page)
    for office, holder in offices.items():
        is_own = game_page.seated and str(game_page.player) == holder
        deputised = [] if is_own else late.get(office, [])
        duties = [(duty, "") for duty in due.get(office, ()) if duty not in deputised]
        duties += [
            (duty, _address(game_page, duty.action, **duty.inputs) if may else "")
            for duty in deputised
            for may in [game_page.seated and not _bars(game_page, duty)]
        ]
        if not holder:  # what players do meanwhile
            acts = [(duty, find_action(duty.action)) for duty, _ in duties if duty.action]
            duties = [
                (duty, _address(game_page, act.name, **duty.inputs) if game_page.seated else "")
                for duty, act in acts
                if isinstance(act, AskedOfAll) or not act.office or duty in deputised
            ]
        refusal = None if holder else office_refusal(game_page.table, office, game_page.player)
        ways = [] if refusal else list(_ways(game_page, office, holder))
        hindrance = refusal.sentence if refusal else ""
        lately = let_go.get(office, [])[:_LATELY]
        yield HeldOffice(office, holder, hindrance, is_own, duties, lately, ways)


def _late(game_page: GamePage) -> dict[str, list[Duty]]:
    """The first duties of each office that its holder is so late with that a deputy may do them."""
    late: dict[str, list[Duty]] = {}
    if deputy_waits(game_page.table):
        acts = [act for act in all_actions() if isinstance(act, OwedAction)]
        for office, duty in (owed for act in acts for owed in act.late(game_page.table)):
            late.setdefault(office, []).append(duty)
    return {office: duties[:_SHOWN] for office, duties in late.items()}


def _bars(game_page: GamePage, duty: Duty) -> bool:
    """Whether the viewer, who plays, is not the one to do that late duty as deputy."""
    act = find_action(duty.action)
    assert isinstance(act, OwedAction)
    assert game_page.player is not None
    return act.bars(game_page.table, game_page.player, dict(duty.inputs)) is not None


def _ways(game_page: GamePage, office: str, holder: str) -> Iterator[tuple[str, str]]:
    """The ways in which the viewer may fill or leave the office, each with its address."""
    mode, user = offices_of(game_page.game), game_page.request.user
    if mode is Offices.HOST and isinstance(user, User) and runs(game_page.game, user):
        yield "appoint", _address(game_page, APPOINT, office=office)
    if game_page.player is None or not game_page.player.active:
        return
    if holder == game_page.player.name:
        yield "resign", _address(game_page, RESIGN, office=office)
    elif mode is Offices.SUPPORT:
        way, act = ("recall", RECALL) if holder else ("stand for it", STAND)
        yield way, _address(game_page, act, office=office)
    elif mode is Offices.OPEN and not holder:
        yield "take it", _address(game_page, TAKE, office=office)


def _address(game_page: GamePage, name: str, **inputs: Any) -> str:
    return act_url(game_page.game.slug, name, **inputs, back=game_page.path)
