"""What programs of rules decide of the races. (What a gain is: nomic/engine/programs/tests.)"""

from horses.rules.payouts import FOR_PLACE
from horses.tests.conftest import Stage
from nomic.engine.take import take
from nomic.games.models import Game, Player

RULE = "Weekly Race Actions"


def test_what_a_prize_is_a_program_decides_as_far_as_it_can_be(
    game: Game, player: Player, rival: Player, stage: Stage
) -> None:
    program = """
@decide("horses.prize")
def prize(player, horse, place):
    return -1 if place == 3 else len(horse) * place

@decide("horses.score")
def score(player):
    return len(player)

@after("horses.race_ended")
def ended(event: Event):
    say(f"{len(event.figures['payouts'])} are paid.")
"""
    text = f"{game.rules.get(title=RULE).text}\n```python{program}```\n"
    take(game.slug, None, "rulebook.amend", {"rule": RULE, "text": text, "reason": "a test"})
    stage.give_horses(player, "Fargo", "Sugar", "Nacho")
    stage.put(Fargo=(16, 1), Sugar=(16, 2), Nacho=15)
    stage.motivated("Nacho", 1)
    stage.weeks()
    ran = stage.last("horses.run").outcome
    prizes = [each["amount"] for each in ran["payouts"] if each["of"] == FOR_PLACE]
    assert prizes == [5, 10, 15], "the third one is the rule's own"
    [failed] = ran["programs"]["failed"]
    assert failed["what"] == "prize decides horses.prize"
    assert [each["amount"] for each in ran["payouts"] if each["asset"] == "points"] == [6]
    assert stage.last("horses.run").text.endswith(
        f"The race starts anew. “{RULE}” says: “4 are paid.”"
    )
