"""A game of every subgame, filled by a host, in which every private thing has a canary in it.

The contest's canaries are those of `aceofspades.tests.canaries`. Besides, Murphy and Madrid are
Settlers and the Thug is their Visitor: Murphy has told a bribe, which Olga, the Onlooker since
before the visit, may read. Jason has a draft, and a vote that nobody may see before the close.
`Murphy again` is Murphy's second account: they have a seat, a hand of cards and a stockpile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import CharField, JSONField, Model, TextField

from aceofspades.tests import canaries
from aceofspades.tests.stage import hours, join
from nomic.cases.models import CaseDraft
from nomic.contracts.models import ContractDraft
from nomic.documents.models import DocumentDraft
from nomic.engine.subgames import all_subgames
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Game, Invitation, Player, way_to_the_game
from nomic.governance.models import Complaint
from nomic.notices.models import Channel, Delivery, Notice, Outgoing
from nomic.web.tests.watchers import Watcher, text_of
from proposals.models import Draft
from settlers.tests.stage import bring_the_thug, give, visitor_is
from tests.kit import at_the_table, figure, seat, user_of

HOST, SECOND = "landlord", "Murphy again"
BRIBE, DRAFTED = 81_394_276, "hawfinch"
THE_VOTE = re.compile(rf"Jason{canaries.APART}AGAINST|AGAINST{canaries.APART}Jason")
CANARIES = re.compile("|".join((canaries.everywhere(), figure(BRIBE), DRAFTED, THE_VOTE.pattern)))

# What stands in each thing that people write beside a game's record.
BESIDE: dict[type[Model], str] = {
    Invitation: "bullfinch",
    Admission: "chaffinch",
    Complaint: "goldfinch",
    Outgoing: "greenfinch",
    Notice: "brambling",
    Delivery: "crossbill",
}

# What stands instead of each text and number that a model of a subgame says it hides.
DECLARED = re.compile(rf"qz\d{{6}}|{figure(746_521_039)}")


def begin(first: Callable[[Game], None] = lambda game: None) -> Game:
    """The game as its host has set it up, before any office but the Contestmaster's is held; what
    is done `first` comes before anything private."""
    host = user_of(HOST)
    game = canaries.a_contest(preset="demo", host=host)
    first(game)
    second = seat(game, SECOND)
    join(game, second)
    canaries.deal(game)
    canaries.plant(game)
    return Game.objects.get(pk=game.pk)


def tell_the_bribe(game: Game) -> None:
    """Let the Thug come while Olga is the Onlooker, and Murphy tell what they would give him."""
    appoint(game, "Onlooker", seat(game, "Olga").name)
    with at_the_table(game) as table:
        bring_the_thug(table)
    murphy = player(game, "Murphy")
    for name in ("Murphy", "Madrid", SECOND):
        take(game.slug, player(game, name), "settlers.join")
    with at_the_table(game) as table:
        give(table, murphy, wheat=5, stone=2)
    visitor_is(game, "Thug")
    take(game.slug, murphy, "settlers.bribe", {"items": {"wheat": BRIBE}})


def vote_in_secret(game: Game) -> None:
    """Let Jason write a draft, and vote on a proposal where nobody sees the votes."""
    jason = player(game, "Jason")
    text = game.rules.get(title="Voting").text
    hidden = text.replace("| While voting lasts | yes |", "| While voting lasts | no |")
    assert hidden != text
    amended = {"rule": "Voting", "text": hidden, "reason": "secrecy"}
    take(game.slug, None, "rulebook.amend", amended)
    take(game.slug, player(game, "Madrid"), "proposals.submit", {"title": "Spoons", "body": "Yes."})
    hours(game, 0)
    take(game.slug, jason, "proposals.vote", {"proposal": 1, "choice": "AGAINST"})
    drafted: dict[str, Any] = {"player": jason, "title": DRAFTED, "saved_at": wall_now()}
    Draft.objects.create(**drafted, body=DRAFTED)
    DocumentDraft.objects.create(**drafted, kind="Essay", text=DRAFTED)
    ContractDraft.objects.create(**drafted, text=DRAFTED)
    case: dict[str, Any] = {"act": "cases.call", "fields": {"statement": DRAFTED}}
    CaseDraft.objects.create(player=jason, saved_at=wall_now(), **case)
    letter = {"kind": "Letter", "title": DRAFTED, "text": DRAFTED, "readers": "Babe"}
    take(game.slug, jason, "documents.seal", letter)


def write_beside(game: Game) -> None:
    """Let people write to one another beside the game's record, a canary in each thing."""
    game_and_moment: dict[str, Any] = {"game": game, "at": wall_now()}
    link = Invitation.objects.create(
        game=game, made_by=user_of(HOST), name=BESIDE[Invitation], most=3, made_at=wall_now()
    )
    Admission.objects.create(
        **game_and_moment,
        user=user_of("a stranger"),
        invitation=link,
        state=Admission.State.ASKED,
        words=BESIDE[Admission],
    )
    murphy, words = player(game, "Murphy"), BESIDE[Complaint]
    about = player(game, "Babe")
    Complaint.objects.create(
        **game_and_moment, by=murphy.user, about=about, quoted=words, words=words, answer=words
    )
    letter = {**game_and_moment, "kind": "named", "url": "/g/table/", "about": "named/1/beside"}
    Outgoing.objects.create(**letter, text=BESIDE[Outgoing], to=[murphy.pk])
    told = Notice.objects.create(**letter, text=BESIDE[Notice], user=user_of("Murphy"))
    Delivery.objects.create(
        notice=told, way=Channel.MAIL, due_at=wall_now(), problem=BESIDE[Delivery]
    )


def player(game: Game, name: str) -> Player:
    """The player of that name."""
    return game.players.select_related("holder", "user").get(name=name)


def appoint(game: Game, office: str, name: str) -> Any:
    """Let the host say who holds that office, or nobody."""
    return take(game.slug, user_of(HOST), "games.appoint", {"office": office, "player": name})


def heard(watcher: Watcher, where: list[str], canary: re.Pattern[str]) -> list[tuple[str, str]]:
    """The addresses at which that watcher hears a canary, and the first that they hear there."""
    found = []
    for address in where:
        answer = watcher.get(address)
        assert answer.status_code not in {429, 500}, address
        sings = canary.search(text_of(answer))
        if sings:
            found.append((address, sings[0]))
    return found


def models_of_subgames() -> list[type[Model]]:
    """The models whose rows are the subgames' own state."""
    names = {subgame.name for subgame in all_subgames()}  # of tests, too, which have no models
    return [model for model in apps.get_models() if model._meta.app_label in names]


def plant_what_is_declared(game: Game) -> None:
    """Write a canary into every text and number that a subgame's models say they hide of the game.

    What stands for others words (who, which, when, or one of few words) stays as it is.
    """
    words = (f"qz{number:06}" for number in count())
    _let_triggers_guard(False)
    for model in models_of_subgames():
        if hides := getattr(model, "hides", None):
            rows = model._base_manager.filter(**{way_to_the_game(model): game.pk})
            hidden = [*rows.exclude(hides.unless)]
            assert hidden, f"The game has nothing of what {model._meta.label} hides."
            fields = [f for f in model._meta.concrete_fields if f.name in hides.fields]
            for row in hidden:
                for field in fields or model._meta.concrete_fields:
                    setattr(row, field.attname, _planted(field, getattr(row, field.attname), words))
                row.save()
    _let_triggers_guard(True)


def _let_triggers_guard(on: bool) -> None:
    """Whether triggers guard what is kept for good, in this transaction."""
    with connection.cursor() as cursor:
        role = "origin" if on else "replica"
        cursor.execute("SELECT set_config('session_replication_role', %s, true)", [role])


def _planted(field: Any, value: Any, words: Iterator[str]) -> Any:
    """The value of that field with canaries for texts, and for the numbers in JSON."""
    if isinstance(field, JSONField):
        return dict.fromkeys(value, 746_521_039)
    return next(words) if isinstance(field, CharField | TextField) and not field.choices else value
