"""Who judges a case and for how long, what a judgement leaves behind, and what opens it again (the
rule “Cases”)."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from django.db.models import QuerySet

from nomic.cases.evidence import ReadPassage
from nomic.cases.models import Assignment, Case, CaseText, Exhibit, Reading
from nomic.cases.rules import Reopening
from nomic.cases.state import LATE, WAITS, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import unless_off
from nomic.rulebook.limits import NoSuchRule
from nomic.rulebook.passages import fingerprint, passages_of


def subject_of(table: Table, case: Case) -> str:
    """The subject of an appointment about the case: its number, and the entry that makes it, since
    one that was kept at this moment is not made again."""
    return f"{case.number}/{table.seq}"


def scheduled_in(table: Table, *kinds: str) -> set[int]:
    """The numbers of the cases of which such appointments are to come."""
    return {int(subject.partition("/")[0]) for subject in table.appointments.subjects(*kinds)}


def seek_judge(table: Table, case: Case) -> None:
    """Let the case be assigned: by its office within the days that it has, or by the system at
    once. Where no rule says so any more, it waits."""
    state, due = state_of(table), table.now
    if not unless_off(lambda: state.charts.assigned_by, ""):
        return
    if state.assigner:
        days = unless_off(lambda: state.charts.days_to_assign, None)
        if days is None:
            return
        due += timedelta(days=days)
    table.appointments.make(WAITS, due, subject_of(table, case))


def assign(table: Table, case: Case, judge: Player) -> None:
    """Make that player the judge of the case, which has none."""
    case.judge = judge
    case.save(update_fields=["judge"])
    number = case.assignments.count() + 1
    Assignment.objects.create(case=case, number=number, judge=judge, entry=table.seq)
    table.appointments.cancel_whole(WAITS, str(case.number))
    begin_term(table, case)


def begin_term(table: Table, case: Case) -> None:
    """Let the time begin in which the case is to be judged, where the rule gives one."""
    days = unless_off(lambda: state_of(table).charts.days_to_judge, None)
    if days is not None:
        table.appointments.make(LATE, table.now + timedelta(days=days), subject_of(table, case))


def take_off(table: Table, case: Case, end: Assignment.End) -> None:
    """Take the judge off the case for that reason, and let it be assigned anew."""
    case.assignments.filter(ended_in=None).update(end=end, ended_in=table.seq)
    case.judge = None
    case.save(update_fields=["judge"])
    table.appointments.cancel_whole(LATE, str(case.number))
    seek_judge(table, case)


def add_text(
    table: Table,
    case: Case,
    kind: CaseText.Kind,
    by: Player,
    text: str,
    exhibits: Sequence[Exhibit],
) -> CaseText:
    """Keep a text of the case with its evidence."""
    row = CaseText.objects.create(
        case=case,
        number=case.texts.count() + 1,
        kind=kind,
        by=by,
        text=text,
        verdict=case.verdict if kind == CaseText.Kind.JUDGEMENT else "",
        entry=table.seq,
    )
    for exhibit in exhibits:
        exhibit.text = row
    Exhibit.objects.bulk_create(exhibits)
    return row


def deliver(
    table: Table, case: Case, verdict: str, reasons: str, passages: Sequence[ReadPassage]
) -> None:
    """Let the judgement be made: the case is no longer open."""
    assert case.judge is not None
    case.verdict, case.judged_at, case.judged_in = verdict, table.now, table.seq
    case.save(update_fields=["verdict", "judged_at", "judged_in"])
    table.appointments.cancel_whole(LATE, str(case.number))
    judgement = add_text(table, case, CaseText.Kind.JUDGEMENT, case.judge, reasons, [])
    Reading.objects.bulk_create(
        Reading(
            judgement=judgement,
            place=place,
            rule_id=read.rule.pk,
            key=read.key,
            passage=read.passage.text,
        )
        for place, read in enumerate(passages, 1)
    )


def against(table: Table, case: Case, verdict: str, passages: Sequence[ReadPassage]) -> list[Case]:
    """The other cases whose standing judgements read one of these sentences with the opposite
    verdict, the oldest first."""
    charts = state_of(table).charts
    opposite = charts.verdicts[verdict].opposite if verdict in charts.verdicts else ""
    keys = {(read.rule.pk, read.key) for read in passages}
    if not opposite or not keys:
        return []
    readings = state_of(table).standing_readings({pk for pk, _ in keys})
    cases = {
        reading.judgement.case.number: reading.judgement.case
        for reading in readings
        if (reading.rule_id, reading.key) in keys
        and reading.judgement.verdict == opposite
        and reading.judgement.case_id != case.pk
    }
    return [*cases.values()]


def goes_back(case: Case, motion: Reopening) -> bool:
    """Whether the case is its judge's again once that motion opens it: if they are there."""
    judge = case.judge
    return motion.keeps_judge and judge is not None and judge.active and not judge.is_away


def open_again(table: Table, case: Case, judgement: CaseText, motion: Reopening) -> None:
    """Let the case be open again: its judge thinks again, or another one is sought."""
    judgement.overturned_by, judgement.overturned_in = motion.name, table.seq
    judgement.save(update_fields=["overturned_by", "overturned_in"])
    for reading in judgement.readings.filter(until=None).exclude(since=None):
        with suppress(NoSuchRule):
            table.rules.judge(reading.rule_id, reading.key, None)
        end_playing(table, reading.rule_id, reading.key)
    case.verdict, case.judged_at, case.judged_in = "", None, None
    case.save(update_fields=["verdict", "judged_at", "judged_in"])
    if goes_back(case, motion):
        begin_term(table, case)
    else:
        take_off(table, case, Assignment.End.OPENED)


def played_otherwise(table: Table) -> QuerySet[Reading]:
    """The readings whose sentences are played as judged, and not as they read."""
    return Reading.objects.filter(game=table.game, until=None).exclude(since=None)


def end_playing(table: Table, rule: int, key: str) -> None:
    """Note that the sentence of that key in the rule is played no longer as a judgement had it."""
    played_otherwise(table).filter(rule=rule, key=key).update(until=table.seq)


def end_all_playing(table: Table) -> bool:
    """Let every sentence be played as it reads: no rule lets cases be any more. Whether any was
    played otherwise."""
    readings = [*played_otherwise(table)]
    for reading in readings:
        with suppress(NoSuchRule):
            table.rules.judge(reading.rule_id, reading.key, None)
        end_playing(table, reading.rule_id, reading.key)
    return bool(readings)


def follow_the_rule(table: Table) -> None:
    """After a change of the rulebook: end the marks at sentences that are gone, and note which are
    played no more as they were judged; let what waits go on by the rule in force."""
    ended = [reading.pk for reading in _gone(table)]
    if ended:
        Reading.objects.filter(pk__in=ended).update(ended_in=table.seq)
    for reading in played_otherwise(table):
        with suppress(NoSuchRule):
            if reading.key in table.rules.find(reading.rule_id).judged:
                continue
        end_playing(table, reading.rule_id, reading.key)
    scheduled = scheduled_in(table, LATE, WAITS)
    for case in state_of(table).open:
        if case.number in scheduled:
            continue
        if case.judge is not None:
            begin_term(table, case)
        elif state_of(table).eligible(case):
            seek_judge(table, case)


def _gone(table: Table) -> list[Reading]:
    """The readings of sentences that their rules do not say any more."""
    gone, keys_of = [], dict[int, set[str]]()
    for reading in state_of(table).standing_readings():
        if reading.rule_id not in keys_of:
            keys_of[reading.rule_id] = set()
            with suppress(NoSuchRule):
                passages = passages_of(table.rules.text(reading.rule_id))
                keys_of[reading.rule_id] = {fingerprint(passage.text) for passage in passages}
        if reading.key not in keys_of[reading.rule_id]:
            gone.append(reading)
    return gone
