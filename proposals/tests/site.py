"""A game as its players use it: through the addresses of the site, with a browser's requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.rulebook.changes.reading import read_changes
from proposals.actions.texts import open_sentences
from proposals.models import Proposal
from proposals.state.bodies import units_in
from tests.kit import seat, sign_in_client


def remarks_in(body: str) -> str:
    """What a body's author has to mark so that it is carried out, a sentence a line."""
    return "\n".join(remark.sentence for remark in read_changes(body).unread)


def units_taken(game: Game, body: str, remarks: str = "") -> str:
    """For what the site takes what a body counts or names, as its author would confirm it."""
    reading = read_changes(body, remarks.splitlines())
    units = units_in(glance(Game.objects.get(pk=game.pk)), reading, [])
    return "\n".join(json.dumps(unit.to_dict()) for unit in units)


class Site:
    """The players of a game, each with a browser of their own once they do something."""

    def __init__(self, game: Game, *names: str) -> None:
        self.game = game
        self._browsers: dict[str, Client] = {}
        for name in names:
            self.seat(name)

    def seat(self, name: str) -> Player:
        return seat(self.game, name)

    def do(self, name: str, action: str, **inputs: Any) -> None:
        """Send the action's form as that player; it must be accepted."""
        address = reverse("act", args=[self.game.slug, action])
        answer = self._browser(name).post(address, inputs)
        assert answer.status_code == 302, answer.content.decode()

    def _browser(self, name: str) -> Client:
        if name not in self._browsers:
            user = self.game.players.get(name=name).user
            assert user is not None
            self._browsers[name] = Client()
            sign_in_client(self._browsers[name], user)
        return self._browsers[name]

    def propose(self, name: str, body: str, **inputs: Any) -> Proposal:
        remarks = inputs.get("remarks", "")
        left = [remark.sentence for remark in open_sentences(body, remarks.splitlines(), ())]
        chosen = {"left": "\n".join(left), "units": units_taken(self.game, body, remarks)}
        self.do(name, "proposals.submit", body=body, **chosen, **inputs)
        return Proposal.objects.filter(game=self.game).latest("serial")

    def vote(self, proposal: Proposal, votes: Mapping[str, str]) -> None:
        for name, word in votes.items():
            self.do(name, "proposals.vote", proposal=str(proposal.handle), choice=word)

    def fresh(self, proposal: Proposal) -> Proposal:
        return Proposal.objects.get(pk=proposal.pk)

    def text(self, title: str) -> str:
        return self.game.rules.get(title=title, repealed_in=None).text
