"""Who is allied with whom, and who has agreed to be: private to those concerned (220, 230)."""

from collections.abc import Collection, Sequence

from django.db.models import Max

from aceofspades.events.notices import Message, new_code, send_notices
from aceofspades.models import Alliance, Ally, Contestant, Pact, Partner
from aceofspades.rules import contest
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, drop_state, state_of
from nomic.engine.table import Table
from nomic.games.wording import enumerated


def _named(state: State, keys: Collection[int]) -> list[Contestant]:
    """The current contestants of these keys, in the order of their first joining."""
    return [contestant for contestant in state.contestants if contestant.pk in keys]


def names_in_words(state: State, keys: Collection[int]) -> str:
    """Their names in words: “Alice, Bob and Carol”."""
    return enumerated(reader.names_of(state, keys))


def make_pact(table: Table, contestant: Contestant, members: Collection[int]) -> str:
    """Write down that `own` would be allied with these, themselves among them; tell the others.
    Returns what `own` is told."""
    state = state_of(table)
    code = new_code(table, state, Pact)
    pact = Pact.objects.create(contest=state.contest, code=code, at=table.now)
    Partner.objects.bulk_create(
        Partner(pact=pact, contestant_id=key, agreed=key == contestant.pk) for key in members
    )
    names = names_in_words(state, members)
    text = f"{contestant} would form an alliance of {names}. Agree to pact {code}, or decline it."
    _tell_others(table, contestant, members, text)
    others = names_in_words(state, set(members) - {contestant.pk})
    return f"{contestant} agrees to an alliance with {others} (pact {code})."


def agree(table: Table, contestant: Contestant, pact: Pact) -> str:
    """Let `own` agree to that pact; once all have agreed, let them be an alliance. Returns what
    `own` is told."""
    state, code = state_of(table), pact.code
    agreed = {*pact.agreed_keys, contestant.pk}
    pact.partners.filter(contestant=contestant).update(agreed=True)
    if not contest.agreed(pact.member_keys, agreed):
        waited_for = names_in_words(state, set(pact.member_keys) - agreed)
        text = f"{contestant} has agreed to pact {code}; it waits for {waited_for}."
        _tell_others(table, contestant, pact.member_keys, text)
        return f"{contestant} agrees to pact {code}. It waits for {waited_for}."
    # The alliance's number, which everybody may know, counts all that ever were.
    alliances = state.contest.alliances
    last = alliances.aggregate(last=Max("number"))["last"] or 0
    formed = alliances.create(number=last + 1, formed_at=table.now)
    Ally.objects.bulk_create(Ally(alliance=formed, contestant_id=key) for key in pact.member_keys)
    Pact.objects.filter(pk=pact.pk).update(over_at=table.now)
    are_allied = f"{names_in_words(state, pact.member_keys)} are {formed}."
    text = f"All have agreed to pact {code}: {are_allied}"
    _tell_others(table, contestant, pact.member_keys, text)
    return f"{contestant} agrees to pact {code}: {are_allied}"


def decline(table: Table, contestant: Contestant, pacts: Sequence[Pact]) -> None:
    """Let these pacts come to nothing, since `own` will not be in them; tell the others."""
    state = state_of(table)
    Pact.objects.filter(pk__in=[pact.pk for pact in pacts]).update(over_at=table.now)
    drop_state(table, *(f"pacts of {key}" for pact in pacts for key in pact.member_keys))
    send_notices(
        table,
        (
            (other, f"{contestant} declines pact {pact.code}: it comes to nothing.")
            for pact in pacts
            for other in _named(state, set(pact.member_keys) - {contestant.pk})
        ),
    )


def leave(table: Table, contestant: Contestant, leaving: Sequence[Alliance]) -> None:
    """Let `own` be in these alliances no longer, and tell those who stay.

    Where one member is left it is over; where the members are those of another, the older stays.
    """
    state = state_of(table)
    left_keys = {alliance.pk for alliance in leaving}
    Ally.objects.filter(alliance__in=left_keys, contestant=contestant).delete()
    after: list[tuple[Alliance, frozenset[int]]] = []
    for alliance in reader.alliances(state):
        leavers = {contestant.pk} if alliance.pk in left_keys else set()
        after.append((alliance, frozenset(alliance.member_keys) - leavers))
    staying = contest.standing(keys for _, keys in after)
    over = [pair for place, pair in enumerate(after) if place not in staying]
    Alliance.objects.filter(pk__in=[alliance.pk for alliance, _ in over]).update(over_at=table.now)
    drop_state(table, "alliances")
    messages: list[Message] = [
        (other, f"{contestant} has left {alliance}.")
        for alliance, keys in after
        if alliance.pk in left_keys
        for other in _named(state, keys)
    ]
    for alliance, keys in over:
        older = next(league for league, members in after if members == keys)
        text = f"{alliance} has the same members as {older} now: they are one, {older}."
        if older.pk == alliance.pk:
            text = f"{alliance} is over: nobody is left in it but you."
        messages += [(other, text) for other in _named(state, keys)]
    send_notices(table, messages)


def _tell_others(table: Table, contestant: Contestant, members: Collection[int], text: str) -> None:
    """Tell the other members; who `own` is wrote or agreed to the pact, which is read anew."""
    state = state_of(table)
    drop_state(table, "alliances", *(f"pacts of {key}" for key in members))
    send_notices(
        table, ((member, text) for member in _named(state, set(members) - {contestant.pk}))
    )
