"""Who is allied with whom, and who has agreed to be: private to those concerned (220, 230)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models import Max

from aceofspades.actions.notices import Told, new_code, tell
from aceofspades.models import Alliance, Contestant, Pact
from aceofspades.rules import contest as rules
from aceofspades.secrecy.between import Band, Promise, let_be_read_anew, ties
from aceofspades.state.reading import State, state_of
from nomic.engine.table import Table


def bands_of(state: State, one: Contestant) -> list[Band]:
    """The alliances that contestant is in."""
    return [each for each in ties(state, one).bands if one.pk in each.members]


def named(state: State, keys: Collection[int]) -> list[Contestant]:
    """The current contestants of these keys, in the order of their first joining."""
    return [each for each in state.contestants if each.pk in keys]


def listed(contestants: Iterable[Contestant]) -> str:
    """Their names in words: “Alice, Bob and Carol”."""
    names = [str(each) for each in contestants]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def promise(table: Table, own: Contestant, members: Sequence[Contestant]) -> Promise:
    """Write down that `own` would be allied with these, themselves among them; tell the others."""
    state = state_of(table)
    code = new_code(table, state, Pact)
    pact = Pact.objects.create(contest=state.contest, code=code, at=table.now)
    pact.members.add(*members)
    pact.agreed.add(own)
    let_be_read_anew(table)
    others = [each for each in members if each.pk != own.pk]
    text = (
        f"{own} would form an alliance of {listed(members)}. Agree to pact {code}, or decline it."
    )
    tell(table, ((each, text) for each in others))
    return Promise(pact.pk, code, frozenset(each.pk for each in members), frozenset({own.pk}))


def agree(table: Table, own: Contestant, pact: Promise) -> int | None:
    """Let `own` agree to that pact. Returns the number of the alliance, once all have agreed."""
    state = state_of(table)
    agreed = pact.agreed | {own.pk}
    Pact.agreed.through.objects.create(pact_id=pact.pk, contestant=own)
    let_be_read_anew(table)
    others = named(state, pact.members - {own.pk})
    if not rules.agreed(_keys(pact.members), _keys(agreed)):
        missing = listed(named(state, pact.members - agreed))
        text = f"{own} has agreed to pact {pact.code}; it waits for {missing}."
        tell(table, ((each, text) for each in others))
        return None
    number = _form(table, named(state, pact.members))
    Pact.objects.filter(pk=pact.pk).update(over_at=table.now)
    names = listed(named(state, pact.members))
    text = f"All have agreed to pact {pact.code}: {names} are Alliance {number}."
    tell(table, ((each, text) for each in others))
    return number


def decline(table: Table, own: Contestant, pacts: Sequence[Promise]) -> None:
    """Let these pacts come to nothing, since `own` will not be in them; tell the others."""
    state = state_of(table)
    Pact.objects.filter(pk__in=[each.pk for each in pacts]).update(over_at=table.now)
    let_be_read_anew(table)
    tell(
        table,
        (
            (other, f"{own} declines pact {pact.code}: it comes to nothing.")
            for pact in pacts
            for other in named(state, pact.members - {own.pk})
        ),
    )


def leave(table: Table, own: Contestant, left: Sequence[Band]) -> None:
    """Let `own` be in these alliances no longer, and tell those who stay.

    Where one member is left it is over; where the members are those of another, the older stays.
    """
    state = state_of(table)
    gone = [each.pk for each in left]
    before = ties(state, own).bands
    Alliance.members.through.objects.filter(alliance__in=gone, contestant=own).delete()
    after = [
        Band(each.pk, each.number, each.members - ({own.pk} if each.pk in gone else set()))
        for each in before
    ]
    staying = {after[place].pk for place in rules.standing(_keys(each.members) for each in after)}
    over = [each for each in after if each.pk not in staying]
    Alliance.objects.filter(pk__in=[each.pk for each in over]).update(over_at=table.now)
    let_be_read_anew(table)
    told: list[Told] = [
        (other, f"{own} has left {band}.")
        for band in after
        if band.pk in gone
        for other in named(state, band.members)
    ]
    told += [
        (other, _why_over(band, after)) for band in over for other in named(state, band.members)
    ]
    tell(table, told)


def leave_all(table: Table, contestant: Contestant) -> None:
    """Let who leaves the contest be in no alliance any more, and no pact wait for them."""
    state = state_of(table)
    pacts, left = ties(state, contestant).promises, bands_of(state, contestant)
    if pacts:
        decline(table, contestant, pacts)
    if left:
        leave(table, contestant, left)


def _form(table: Table, members: Sequence[Contestant]) -> int:
    """Let these be an alliance. Its number, which everybody may know, counts all that ever were."""
    contest = state_of(table).contest
    last = Alliance.objects.filter(contest=contest).aggregate(last=Max("number"))["last"] or 0
    formed = Alliance.objects.create(contest=contest, number=last + 1, formed_at=table.now)
    formed.members.add(*members)
    return formed.number


def _why_over(band: Band, after: Iterable[Band]) -> str:
    older = next((each for each in after if each.members == band.members), band)
    if older.pk == band.pk:
        return f"{band} is over: nobody is left in it but you."
    return f"{band} has the same members as {older} now: they are one, {older}."


def _keys(members: Iterable[int]) -> frozenset[str]:
    """The members as the rules take them."""
    return frozenset(map(str, members))
