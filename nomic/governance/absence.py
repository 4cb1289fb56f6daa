"""Players who are away: by their own word, or, where the rule “Absence” says so, by their silence.

What being away means is in nomic/engine/absence.py.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce, Greatest

from nomic.engine.absence import RETURN, come_back, go_away
from nomic.engine.actions import STANDSTILL, Action, action
from nomic.engine.coverage import know, tell_unread
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.events import appointment
from nomic.engine.forms import ActionForm, Day
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Follower, Table, follow
from nomic.games.calendars import midnight
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, enumerated, first_of
from nomic.governance.motions import settle_all
from nomic.record.models import Entry
from nomic.rulebook.charts import Columns, unless_broken
from nomic.rulebook.last_readable import Figure, RuleCharts, Unread, whole
from nomic.rulebook.shipped import ShippedRule, shipped_rules, texts_in

AWAY, BACK, SILENCE = "games.away", "games.back", "games.silence"
ABSENCE = "Absence"
RULEBOOK = Path(__file__).parent / "rulebook" / "absence"
_ABSENCE: Columns = ("ABSENCE", "DAYS")
_PAUSE: Columns = ("PAUSE", "TAKES")
_BY_HOST, _WORD, _SUPPORT = "A pause by the host", "the host's word", "support"
MOST_DAYS = 366
_DAY, _LATEST = timedelta(days=1), timedelta(days=MOST_DAYS)
_MOST_NAMED = 8
_DAYS_OF_SILENCE = re.compile(r"(?<=\| Silent for \| )[0-9]+(?= \|)")

know(RULEBOOK)


class AbsenceCharts(RuleCharts):
    """The tables of the rule “Absence”."""

    titles = (ABSENCE,)
    known: ClassVar = {ABSENCE: (_ABSENCE, _PAUSE)}
    shipped_texts = staticmethod(partial(texts_in, RULEBOOK, "governance"))
    silent_days = whole(ABSENCE, "ABSENCE", "Silent for", "DAYS", most=MOST_DAYS)

    @Figure
    def pause_takes_support(self) -> bool:
        """Whether the host pauses the game by the players' support, and not by their word."""
        table = self.tables.table(ABSENCE, "PAUSE")
        takes = table.cell(_BY_HOST, "TAKES").replace("’", "'").casefold()
        if takes not in (_WORD, _SUPPORT):
            raise table.unfit(takes, " under TAKES", f"“{_WORD}” or “{_SUPPORT}”")
        return takes == _SUPPORT


def rule_of_absence(days: int) -> ShippedRule:
    """The rule with which a game begins where who is silent for so many days is away."""
    (rule,) = shipped_rules(RULEBOOK, "governance")
    return replace(rule, text=_DAYS_OF_SILENCE.sub(str(days), rule.text))


def _charts(table: Table) -> AbsenceCharts | None:
    rules = table.rules
    if not rules.in_force(ABSENCE):
        return None
    return rules.figures(AbsenceCharts, rules.texts(AbsenceCharts.titles))


def silent_days(table: Table) -> int | None:
    """After how many days of the game somebody silent is away; None where no rule says it."""
    charts = _charts(table)
    return unless_broken(lambda: charts.silent_days, None) if charts else None


def pause_takes_support(table: Table) -> bool:
    """Whether the host needs the players' support to pause the game."""
    charts = _charts(table)
    return unless_broken(lambda: charts.pause_takes_support, False) if charts else False


def unread(table: Table) -> tuple[Unread, ...]:
    """The rule “Absence”, where it is played as of an earlier version."""
    charts = _charts(table)
    return tuple(charts.unread) if charts else ()


tell_unread(unread)

# By their own word


@action
class GoAway(Action):
    """Say that nobody need wait for you, until a day or until you act again. No quorum and no
    electorate counts you, and no case is yours to judge. Your votes stay, and so do your offices.
    You get no letters about this game meanwhile."""

    name = AWAY
    title = "Go away for some time"
    sentence = "Be away until {until}"
    also_said = ("Go on holiday",)
    button = "Go away"
    leaves_away = True
    possible_while = STANDSTILL

    class Form(ActionForm):
        until = Day(required=False, label="Until the day, if you know it")

    def judge(self, table: Table, player: Player, **inputs: Any) -> Verdict:
        if player.bot:
            return Refusal("bot", "The program plays this seat, and is never away.")
        day = inputs.get("until")
        until = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
        if until is not None and not table.now < until <= table.now + _LATEST:
            latest = (table.now + _LATEST).date()
            return Refusal(
                "no_such_day",
                f"In the game it is {table.now:%-d %B %Y}. Name a later day, until"
                f" {latest:%-d %B %Y}, or none.",
            )
        if player.is_away and until == player.away_until:
            return Refusal("away", "You are away until then already.")

        def leave_for_a_while(at: Table) -> Outcome:
            go_away(at, [player], until)
            settle_all(at)
            end = f"until {until:%-d %B %Y}" if until else "until they act again"
            return Outcome(f"{player} is away {end}.")

        return Effects(Then(leave_for_a_while))


@action
class ComeBack(Action):
    """Say that you are back. Anything else that you do says so as well."""

    name = BACK
    title = "Say that you are back"
    sentence = "Be back"
    also_said = ("I am back",)
    button = "I am back"
    leaves_away = True
    possible_while = STANDSTILL

    def judge(self, table: Table, player: Player) -> Verdict:
        if not player.is_away:
            return Refusal("not_away", "You are not away.")
        return Effects(Then(lambda at: come_back(at, player)), say=f"{player} is back.")


@appointment(RETURN, title="Somebody is back who was away", of_entry=True)
def the_day_has_come(table: Table, subject: str) -> Outcome:
    """The day until which a player is away: they are waited for again. `subject` is the number of
    the entry in which they said so."""
    player = table.game.players.filter(away_in=int(subject)).first()
    if player is None:
        return Outcome("Nobody is away since then any more.")
    come_back(table, player)
    return Outcome(f"{player} is back: they were away until this day.")


# By their silence


def _last_acts(table: Table) -> Any:
    """The people who play and are not away, each with the game moment `acted` since which nothing
    that they did stands in the public record."""
    acts = Entry.objects.filter(game=table.game, actor=OuterRef("pk")).order_by("-seq")
    acted = Greatest(Coalesce(Subquery(acts.values("at")[:1]), F("joined_at")), F("joined_at"))
    people = table.game.players.filter(active=True, bot=False, away_in=None)
    return people.annotate(acted=acted)


def expect_silence(table: Table) -> None:
    """See to it that the first who may be silent for too long is looked at then, once a day at
    most; nobody is where no rule says so."""
    days = silent_days(table)
    if not days:
        if table.appointments.waiting(SILENCE):
            table.appointments.cancel(SILENCE)
        return
    acted = _last_acts(table).order_by("acted").values_list("acted", flat=True).first()
    first = (acted or table.now) + timedelta(days=days)
    table.appointments.expect(SILENCE, max(first, midnight(table.now) + _DAY))


@appointment(SILENCE, title="Silent players are away", rule=ABSENCE, routine=True)
def silence_is_noticed(table: Table, subject: str) -> Outcome:
    """Let everybody be away of whom the record has had nothing for the days of the rule."""
    days = silent_days(table)
    silent_players: list[Player] = []
    if days:
        silent_players = list(_last_acts(table).filter(acted__lte=table.now - timedelta(days=days)))
        silent_players.sort(key=lambda player: player.name)
        go_away(table, silent_players)
        settle_all(table)
    expect_silence(table)
    if not silent_players:
        return Outcome("Nobody is silent.")
    names = [player.name for player in silent_players]
    verb = "is" if len(names) == 1 else "are"
    people = enumerated(names) if len(names) <= _MOST_NAMED else first_of(names, _MOST_NAMED)
    text = f"{people} {verb} away: silent for {counted(days or 0, 'day')}."
    return Outcome(text, {"away": names})


class _Absence(Follower):
    def rules_changed(self, table: Table) -> None:
        expect_silence(table)


follow(_Absence())
