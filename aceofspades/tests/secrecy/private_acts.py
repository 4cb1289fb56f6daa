"""Acts of the contest of which others see nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aceofspades.models import Offer, Pact
from aceofspades.tests.canaries import act
from nomic.games.models import Game

PRIVATE_ACTS: dict[str, Callable[[Game], Any]] = {
    "a vote": lambda game: act(game, "Murphy", "vote", proposal=2, vote="FOR"),
    "an offer": lambda game: act(
        game, "Murphy", "offer", to=["Babe"], gives={"Hearts": 2}, takes={"Black": 1}
    ),
    "a withdrawal": lambda game: act(
        game, "Murphy", "withdraw_offer", offer=Offer.objects.filter(end="").earliest("pk").code
    ),
    "an acceptance that fails": lambda game: act(
        game, "Fran", "accept_offer", offer=Offer.objects.get(by__player__name="Lim").code
    ),
    "a pact": lambda game: act(game, "Fran", "ally", others=["Lim", "Babe"]),
    "an agreement that others wait for": lambda game: act(
        game, "Babe", "agree_pact", pact=Pact.objects.latest("pk").code
    ),
    "a pact declined": lambda game: act(
        game, "Babe", "decline_pact", pact=Pact.objects.latest("pk").code
    ),
}

# The same acts, few looks apart: none takes back what another before the same look has done.
IN_TURN = (
    ("a vote", "an offer", "an acceptance that fails", "a pact"),
    ("a withdrawal", "an agreement that others wait for"),
    ("a pact declined",),
)
