"""Who is allied with whom, and who has agreed to be: private to those concerned (220, 230)."""

from collections.abc import Collection, Sequence

from django.db.models import Max

from aceofspades.events.notices import Message, new_code, tell
from aceofspades.models import Alliance, Ally, Contestant, Pact, Partner
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, forget, state_of
from nomic.engine.table import Table
from nomic.games.wording import listed


def _named(state: State, keys: Collection[int]) -> list[Contestant]:
    """The current contestants of these keys, in the order of their first joining."""
    return [each for each in state.contestants if each.pk in keys]


def in_words(state: State, keys: Collection[int]) -> str:
    """Their names in words: “Alice, Bob and Carol”."""
    return listed(reader.names_of(state, keys))


def make_pact(table: Table, own: Contestant, members: Collection[int]) -> str:
    """Write down that `own` would be allied with these, themselves among them; tell the others.
    Returns what `own` is told."""
    state = state_of(table)
    code = new_code(table, state, Pact)
    pact = Pact.objects.create(contest=state.contest, code=code, at=table.now)
    Partner.objects.bulk_create(
        Partner(pact=pact, contestant_id=key, agreed=key == own.pk) for key in members
    )
    names = in_words(state, members)
    text = f"{own} would form an alliance of {names}. Agree to pact {code}, or decline it."
    _tell_others(table, own, members, text)
    others = in_words(state, set(members) - {own.pk})
    return f"{own} agrees to an alliance with {others} (pact {code})."


def agree(table: Table, own: Contestant, pact: Pact) -> str:
    """Let `own` agree to that pact; once all have agreed, let them be an alliance. Returns what
    `own` is told."""
    state, code = state_of(table), pact.code
    agreed = {*pact.agreed_keys, own.pk}
    pact.partners.filter(contestant=own).update(agreed=True)
    if not contest.agreed(pact.member_keys, agreed):
        waited_for = in_words(state, set(pact.member_keys) - agreed)
        text = f"{own} has agreed to pact {code}; it waits for {waited_for}."
        _tell_others(table, own, pact.member_keys, text)
        return f"{own} agrees to pact {code}. It waits for {waited_for}."
    # The alliance's number, which everybody may know, counts all that ever were.
    alliances = state.contest.alliances
    last = alliances.aggregate(last=Max("number"))["last"] or 0
    formed = alliances.create(number=last + 1, formed_at=table.now)
    Ally.objects.bulk_create(Ally(alliance=formed, contestant_id=key) for key in pact.member_keys)
    Pact.objects.filter(pk=pact.pk).update(over_at=table.now)
    are_allied = f"{in_words(state, pact.member_keys)} are {formed}."
    text = f"All have agreed to pact {code}: {are_allied}"
    _tell_others(table, own, pact.member_keys, text)
    return f"{own} agrees to pact {code}: {are_allied}"


def decline(table: Table, own: Contestant, pacts: Sequence[Pact]) -> None:
    """Let these pacts come to nothing, since `own` will not be in them; tell the others."""
    state = state_of(table)
    Pact.objects.filter(pk__in=[each.pk for each in pacts]).update(over_at=table.now)
    forget(table, *(f"pacts of {key}" for pact in pacts for key in pact.member_keys))
    tell(
        table,
        (
            (other, f"{own} declines pact {pact.code}: it comes to nothing.")
            for pact in pacts
            for other in _named(state, set(pact.member_keys) - {own.pk})
        ),
    )


def leave(table: Table, own: Contestant, left: Sequence[Alliance]) -> None:
    """Let `own` be in these alliances no longer, and tell those who stay.

    Where one member is left it is over; where the members are those of another, the older stays.
    """
    state = state_of(table)
    gone = {each.pk for each in left}
    Ally.objects.filter(alliance__in=gone, contestant=own).delete()
    after = [
        (each, frozenset(each.member_keys) - ({own.pk} if each.pk in gone else set()))
        for each in reader.alliances(state)
    ]
    staying = contest.standing(keys for _, keys in after)
    over = [found for place, found in enumerate(after) if place not in staying]
    Alliance.objects.filter(pk__in=[each.pk for each, _ in over]).update(over_at=table.now)
    forget(table, "alliances")
    told: list[Message] = [
        (other, f"{own} has left {each}.")
        for each, keys in after
        if each.pk in gone
        for other in _named(state, keys)
    ]
    for each, keys in over:
        older = next(alliance for alliance, members in after if members == keys)
        why = f"{each} has the same members as {older} now: they are one, {older}."
        if older.pk == each.pk:
            why = f"{each} is over: nobody is left in it but you."
        told += [(other, why) for other in _named(state, keys)]
    tell(table, told)


def _tell_others(table: Table, own: Contestant, members: Collection[int], text: str) -> None:
    """Tell the other members; who `own` is wrote or agreed to the pact, which is read anew."""
    state = state_of(table)
    forget(table, "alliances", *(f"pacts of {key}" for key in members))
    tell(table, ((each, text) for each in _named(state, set(members) - {own.pk})))
