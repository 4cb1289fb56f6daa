"""Agora's horse races a second time, slow and plain, to compare the program with.

Written from the text of Proposal 8822 alone and from the readings in docs/readings.md, sentence by
sentence, with the charts as literals. It shares no line with the program, and uses nothing of it.
An action that is not legal returns False and changes nothing; a legal one returns True.
"""

from horses.tests.rules.slow_charts import PULLS


def step(positions: dict, horse: str, by: int) -> bool:
    """Change a position by 1 (`by` is 1 or -1). A step that would leave 0 to 16 cannot happen."""
    if positions[horse] + by < 0:
        return False
    if positions[horse] + by > 16:
        return False
    positions[horse] = positions[horse] + by
    return True


def resolve_movement(positions: dict, pulls: dict, galloper: str, distance: int) -> list:
    """The galloper by 1 a number of times, then each of its pulls by 1, in alphabetical order."""
    moves = []
    before = positions[galloper]
    for _ in range(distance):
        step(positions, galloper, 1)
    if positions[galloper] != before:
        moves.append([galloper, before, positions[galloper]])
    for horse in sorted(pulls[galloper]):
        before = positions[horse]
        if step(positions, horse, 1):
            moves.append([horse, before, positions[horse]])
    return moves


def cross(positions: dict, places: dict) -> tuple[list, bool]:
    """The crossings in alphabetical order, and whether the race ended: with it nobody crosses."""
    crossed = []
    for horse in sorted(positions):
        if positions[horse] == 16 and places[horse] is None:
            if 1 not in places.values():
                places[horse] = 1
                crossed.append([horse, 1])
            elif 2 not in places.values():
                places[horse] = 2
                crossed.append([horse, 2])
            else:
                places[horse] = 3
                crossed.append([horse, 3])
                return crossed, True
    return crossed, False


def slow_race(case: dict) -> dict:
    """Run a case of the race tool. After the end of a race, the next one starts anew."""
    positions = {}
    places = {}
    pulls = {}
    for horse in case["horses"]:
        positions[horse] = case["horses"][horse]["position"]
        places[horse] = case["horses"][horse]["place"]
        pulls[horse] = list(case["horses"][horse]["pulls"])
    runs = []
    for galloper, distance in case["runs"]:
        moves = resolve_movement(positions, pulls, galloper, distance)
        crossed, race_ended = cross(positions, places)
        runs.append({"moves": moves, "crossed": crossed, "race_ended": race_ended})
        if race_ended:
            for horse in positions:
                positions[horse] = 0
                places[horse] = None
                pulls[horse] = list(PULLS[horse])
    final = {}
    for horse in positions:
        final[horse] = {"position": positions[horse], "place": places[horse]}
    return {"runs": runs, "final": final}
