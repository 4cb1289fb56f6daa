"""A bot that plays whatever a game has: `python -m nomic_client.bot ADDRESS TOKEN SLUG NAME`."""

import sys
from contextlib import suppress
from random import Random

from . import Failed, Game, Nomic, inputs_for


def play(game: Game, name: str, chance: Random) -> None:
    """Join as `name`, and do something that is allowed whenever somebody else has done
    something."""
    if name not in [player["name"] for player in game.get()["players"]]:
        game.act("games.join", name=name)
    for event in game.events():
        if event.content.get("actor") == name:
            continue
        actions = [
            action
            for action in game.actions()
            if action["allowed"] and not action["name"].startswith("games.")
        ]
        for action in chance.sample(actions, len(actions)):
            with suppress(Failed, ValueError):
                game.act(action["name"], **inputs_for(action["schema"], chance))
                break


if __name__ == "__main__":
    address, token, slug, name = sys.argv[1:]
    play(Nomic(address, token).game(slug), name, Random())  # noqa: S311 (it is a game)
