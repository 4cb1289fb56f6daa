"""B Nomic's Clock in a game: its row, its turns, and the appointments that hang on it."""

from contextlib import suppress
from datetime import timedelta

from nomic.engine.models import AppointmentStatus
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.tables import TableBroken
from proposals.events.opening import CLOSES
from proposals.models import NweekClock, Vote
from proposals.rules.terms import VESTED, NweekTerms
from proposals.state.reading import MAIN, drop_state, state_of

OPENS = "proposals.voting_opens"
CLOCK = "clock"


def start_the_clock(table: Table) -> None:
    """Begin the first nweek of a game now, with the Clock on; everybody is Vested in it."""
    NweekClock.objects.create(game=table.game, began_at=table.now, since=table.now)
    table.game.players.filter(active=True).update(vested=True)
    drop_state(table)
    appoint_the_voting_period(table)


def appoint_the_voting_period(table: Table, before: NweekTerms | None = None) -> None:
    """Appoint the beginning and the end of the Voting Period, as the Clock and the rules have it.

    While the Clock is off, or the rule not in force, neither is appointed; without a rule that
    says when they are, the Clock stands. After a close that was
    skipped the next nweek begins first, and with the same players Vested: no vote ended. Where a
    table cannot be read the terms of `before` serve, so that the game sticks at what is due next
    and can be mended; without them it raises TableBroken.
    """
    row = _clock(table)
    if not table.rules.in_force(MAIN):
        return
    try:
        terms: NweekTerms = state_of(table).terms
    except TableBroken as broken:
        if broken.is_missing:
            if table.appointments.waiting(CLOSES):  # no time of the nweek goes by
                row.turn(table.now, on=row.is_on)
                row.save(update_fields=["since", "gone"])
            table.appointments.cancel(OPENS)
            table.appointments.cancel(CLOSES)
            return
        if before is None:
            raise
        terms = before
    skipped = table.game.appointments.filter(
        kind=CLOSES, subject="", status=AppointmentStatus.SKIPPED, due__gt=row.began_at
    )
    if skipped.exists():
        row.go_on(table.now, on=True)
        _save(table, row, before)
        return
    stood = row.is_on and row.since < table.now and not table.appointments.waiting(CLOSES)
    if stood:  # the time in which no rule said when it ends
        row.since = table.now
        row.save(update_fields=["since"])
    nday = timedelta(hours=terms.nday_hours)
    begins = row.moment_after((terms.voting_from_nday - 1) * nday)
    ends = row.moment_after(terms.nweek_ndays * nday)
    for kind, due in ((OPENS, None if row.voting else begins), (CLOSES, ends)):
        table.appointments.cancel(kind)
        if due is not None:
            table.appointments.make(kind, max(due, table.now))


def _clock(table: Table) -> NweekClock:
    row = state_of(table).clock
    assert row is not None
    return row


def turn_the_clock(table: Table, *, on: bool) -> None:
    """Turn the Clock on or off now."""
    row = _clock(table)
    row.turn(table.now, on=on)
    _save(table, row)


def begin_the_next_nweek(table: Table, before: NweekTerms | None, *, on: bool) -> int:
    """End the nweek and begin the next; returns its number.

    While a rule says so, those who voted in it become Vested and the others cease to be (5E33).
    `before` are the terms by which the nweek ended; without them it raises TableBroken where the
    next one has none.
    """
    state, row = state_of(table), _clock(table)
    if state.has_rule(VESTED) or VESTED not in state.edition.rules:
        voted = Vote.objects.filter(
            proposal__game=table.game, at__gte=row.began_at, strike__isnull=True
        ).values("player")
        players = Player.objects.filter(game=table.game, active=True)
        players.filter(pk__in=voted).update(vested=True)
        players.exclude(pk__in=voted).update(vested=False)
    row.go_on(table.now, on=on)
    _save(table, row, before)
    return row.nweek


def voting_has_begun(table: Table) -> None:
    """Note that the nweek's Voting Period has begun."""
    row = _clock(table)
    row.voting = True
    row.save(update_fields=["voting"])


def skip(table: Table, kind: str) -> None:
    """Let that appointment not happen in this nweek; the Clock goes on to the next.

    After a close that was skipped the Open proposals are Open in the next nweek as well. Without
    tables that can be read everything waits until they are mended.
    """
    if kind == OPENS:
        voting_has_begun(table)
    if kind == CLOSES:
        with suppress(TableBroken):
            appoint_the_voting_period(table)


def _save(table: Table, row: NweekClock, before: NweekTerms | None = None) -> None:
    row.save()
    drop_state(table)
    appoint_the_voting_period(table, before)
