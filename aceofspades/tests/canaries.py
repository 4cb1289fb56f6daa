"""A contest in which every private thing has a canary in it, by acts of the record.

Murphy (`own`) has a hand, has voted, proposed, offered; Anna is Murphy's ally, Babe the party to
what Murphy offers and gives. Fran has full need to know for Regulation 340, Lim limited. Madrid is
a rival in all of it, Jason plays in the game and not in the contest, snail is the Contestmaster.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from aceofspades.events import moves
from aceofspades.models import Offer, Pact
from aceofspades.state.reading import state_of
from aceofspades.tests.stage import PRESET, give_cards, hours, join, open_the_contest
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.web.tokens import make_token
from tests.kit import WEDNESDAY, at_the_table, figure, seat

KEY = bytes(range(32))
MARKS = "```python\ndef mark(hands, worth, alliances):\n    return worth\n```"
SEATS = {
    "own": "Murphy",
    "rival": "Madrid",
    "ally": "Anna",
    "party": "Babe",
    "full": "Fran",
    "limited": "Lim",
    "player": "Jason",
    "contestmaster": "snail",
}
CONTESTANTS = ("Murphy", "Madrid", "Anna", "Babe", "Fran", "Lim")

# Words that stand in no other text, and numbers of cards that nobody else counts.
SECRET, PRIVATE, HINTED = "zebrafinch", "goldfinch", "greenfinch"
PROPOSED, PROPOSED_IN_SECRET, PUBLIC = "chaffinch", "bullfinch", "siskin"
HELD, IN_THE_DECK = 54_321, 76_543
MOVED, OFFERED, UNNAMED, SWAPPED, REMEDIED, FAILED = 7_654, 6_543, 6_789, 5_678, 4_567, 8_765
WORDS = (SECRET, PRIVATE, HINTED, PROPOSED, PROPOSED_IN_SECRET)
NUMBERS = (HELD, IN_THE_DECK, MOVED, OFFERED, UNNAMED, SWAPPED, REMEDIED, FAILED)

# What stands between two words that belong together, in a sentence, a table or JSON.
APART = r"(?:</\w+>|[\s\"':&a-z;]|<[^>]*>){0,40}"


def of_suit(count: int, suit: str) -> str:
    """A pattern of so many cards of that suit, in words or in JSON."""
    return rf"{figure(count)}{APART}{suit}|{suit}{APART}{figure(count)}"


def act(game: Game, name: str, action: str, /, key: str = "", **inputs: Any) -> Any:
    """Let the player of that name act in the contest; what was written."""
    who = game.players.select_related("holder", "user").get(name=name)
    return take(game.slug, who, f"aceofspades.{action}", inputs, key).entry


def post(game: Game, name: str | None, action: str, **inputs: Any) -> tuple[int, str]:
    """Let a program of that player act in the contest: status and answer."""
    headers = {}
    if name is not None:
        user = game.players.select_related("user").get(name=name).user
        assert user is not None
        headers = {"Authorization": f"Bearer {make_token(user, 'a program')[1]}"}
    answer = Client().post(
        f"/api/v1/games/{game.slug}/actions/aceofspades.{action}",
        json.dumps(inputs),
        content_type="application/json",
        headers=headers,
    )
    return answer.status_code, answer.content.decode()


def a_contest(
    slug: str = "table", preset: str = PRESET, secret: str = SECRET, host: User | None = None
) -> Game:
    """The contest has opened with two canaries in secret regulations; nobody has joined it.

    Offices are open, or filled by the host where there is one.
    """
    game = new_game(slug, preset, pace="manual", start=WEDNESDAY, dice_key=KEY, host=host)[0]
    for name in SEATS.values():
        seat(game, name)
    if host:
        take(slug, host, "games.appoint", {"office": "Contestmaster", "player": "snail"})
    else:
        master = game.players.get(name="snail")
        take(slug, master, "games.take_office", {"office": "Contestmaster"})
    open_the_contest(game)
    for place, word in ((340, PRIVATE), (350, secret)):
        act(game, "snail", "write_secret_regulation", regulation=place, text=f"{word}\n\n{MARKS}")
    return Game.objects.get(pk=game.pk)


def deal(game: Game) -> None:
    """Let the six join, and have the hands and the Deck that the canaries need."""
    join(game, *(game.players.get(name=name) for name in CONTESTANTS))
    hand = dict.fromkeys(("Mauve", "Red", "Black", "Green", "Hearts"), 2)
    for name in CONTESTANTS:
        give_cards(game, game.players.get(name=name), **hand)
    murphy, madrid = game.players.get(name="Murphy"), game.players.get(name="Madrid")
    give_cards(game, murphy, Hearts=HELD, Green=MOVED + SWAPPED + 1, Red=1)
    give_cards(game, madrid, Black=REMEDIED + 10, Red=2)
    with at_the_table(game) as table:
        state = state_of(table)
        had = moves.reader.deck_of(state)["Hearts"]
        to_come = 1  # Fran's fee
        moves.move(
            table, "to begin with", (None, state.deck, {"Hearts": IN_THE_DECK - had - to_come})
        )


def plant(game: Game) -> dict[str, str]:
    """Let all happen that is private; returns the codes, and what Murphy was answered."""
    act(game, "Fran", "reveal_regulation", regulation=340)
    act(game, "Fran", "grant_ntk", regulation=340, to="Lim", kind="limited")
    act(game, "Murphy", "propose", number=500, text=PROPOSED, visibility="private")
    act(game, "snail", "propose", number=700, text=PROPOSED_IN_SECRET, visibility="secret")
    act(game, "Madrid", "propose", number=510, text=PUBLIC, visibility="public")
    act(game, "Murphy", "vote", proposal=1, vote="FOR")
    act(game, "Babe", "vote", proposal=1, vote="AGAINST")
    act(game, "Murphy", "vote", proposal=3, vote="FOR")
    murphy = game.players.select_related("holder").get(name="Murphy")
    given = take(
        game.slug, murphy, "aceofspades.transfer", {"to": "Babe", "cards": {"Green": MOVED}}
    )
    codes = _bargain(game)
    _set_right(game)
    return {**codes, "receipt": given.sentences}


def _bargain(game: Game) -> dict[str, str]:
    """Offers, a pact, an alliance of Murphy and Anna."""
    codes = {}

    def offer(by: str, to: str, gives: dict[str, int], takes: dict[str, int], **more: Any) -> str:
        act(game, by, "offer", to=[to], gives=gives, takes=takes, **more)
        return Offer.objects.latest("pk").code

    codes["offer"] = offer("Murphy", "Babe", {"Hearts": OFFERED}, {"Black": 1})
    codes["unnamed"] = offer("Murphy", "Babe", {"Hearts": UNNAMED}, {"Black": 1}, anonymous=True)
    codes["failed"] = offer("Lim", "Fran", {"Mauve": FAILED}, {"Black": 1}, anonymous=True)
    act(game, "Fran", "accept_offer", offer=codes["failed"])
    codes["accepted"] = offer("Babe", "Murphy", {"Red": 1}, {"Green": SWAPPED})
    act(game, "Murphy", "accept_offer", offer=codes["accepted"], anonymous=True)
    act(game, "Murphy", "ally", others=["Anna"])
    act(game, "Anna", "ally", others=["Murphy"])
    act(game, "Murphy", "ally", others=["Anna", "Babe"])
    codes["pact"] = Pact.objects.latest("pk").code
    return codes


def _set_right(game: Game) -> None:
    """What the Contestmaster tables: a remedy that names suits, and a hint yet to be given."""
    act(game, "Madrid", "request_judgement", text="Too many cards?")
    act(game, "snail", "judge", request=1, judgement="Yes.")
    cards = {"Black": REMEDIED}
    act(game, "snail", "table_remedy", request=1, kind="destroy", giver="Madrid", cards=cards)
    act(game, "snail", "hint", regulation=350, hint=HINTED)


def decide(game: Game) -> None:
    """Let Murphy's private proposal be adopted, with four FOR and one AGAINST; Madrid's waits."""
    for name in ("Madrid", "Anna", "Fran"):
        act(game, name, "vote", proposal=1, vote="FOR")
    hours(game, 72)
    game.refresh_from_db()


def everywhere() -> str:
    """A pattern of all the canaries that are anywhere but in Murphy's own hand."""
    suits = [
        (HELD, "Hearts"),
        (IN_THE_DECK, "Hearts"),
        (MOVED, "Green"),
        (OFFERED, "Hearts"),
        (UNNAMED, "Hearts"),
        (SWAPPED, "Green"),
        (REMEDIED, "Black"),
        (FAILED, "Mauve"),
    ]
    return "|".join([*WORDS, *(of_suit(count, suit) for count, suit in suits)])
