"""What a player may do, and the sentence why not: every refusal with its rule."""

import pytest

from horses.rules import legality
from horses.rules.charts import Charts
from horses.rules.legality import Seat
from horses.rules.race import Field, Horse, started_anew
from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, POWERS

CHARTS = Charts.as_shipped()
EVERY = frozenset(CHARTS.names)


def field_with(**horses: tuple[int, int | None]) -> Field:
    field = started_anew(CHARTS.track, CHARTS.pulls)
    for name, (position, place) in horses.items():
        field = field.with_horse(Horse(name, position, place, field[name].pulls))
    return field


ALL_HOME = field_with(**dict.fromkeys(CHARTS.names, (16, None)))
LATE = field_with(Fargo=(12, None), Sugar=(16, None), Nacho=(16, 1), Rubert=(11, None))

ALLOWED = {
    "a first action": legality.weekly_refusal(Seat(), False),
    "one more through Alexia": legality.weekly_refusal(
        Seat(horses=frozenset({"Alexia"}), acted=True), True
    ),
    "Alexia before the week's own": legality.weekly_refusal(
        Seat(horses=frozenset({"Alexia"})), True
    ),
    "a bet below 12": legality.bet_refusal(LATE, CHARTS, Seat(), "Rubert"),
    "a bet with a helmet": legality.bet_refusal(
        LATE, CHARTS, Seat(helmets=frozenset({"Fargo"})), "Fargo"
    ),
    "a bet on some horse": legality.bet_refusal(LATE, CHARTS, Seat(), None),
    "a stake of the table": legality.stake_refusal(CHARTS, 3),
    "no stake yet": legality.stake_refusal(CHARTS, None),
    "a jersey beside a helmet": legality.jersey_refusal(
        LATE, Seat(helmets=frozenset({"Fargo"})), "Fargo"
    ),
    "a helmet beside a jersey": legality.helmet_refusal(
        LATE, Seat(jerseys=frozenset({"Fargo"})), "Fargo"
    ),
    "a horse of Agora's": legality.buy_refusal(LATE, {"Alexia": "snail"}, "Fargo"),
    "some horse of Agora's": legality.buy_refusal(LATE, {"Alexia": "snail"}, None),
    "a nudge back from the finish": legality.nudge_refusal(LATE, "Sugar", "back"),
    "a nudge some way": legality.nudge_refusal(LATE, "Sugar", None),
    "a nudge with one step left": legality.nudge_refusal(
        field_with(Sugar=(15, None)), "Sugar", "forward"
    ),
    "Fargo's bet from 12 on": legality.fargo_refusal(
        LATE, Seat(horses=frozenset({"Fargo"})), "Fargo"
    ),
    "Nacho's two horses": legality.nacho_refusal(
        LATE, Seat(horses=frozenset({"Nacho"})), "Fargo", "Sugar"
    ),
    "Rubert's bet without steps": legality.rubert_refusal(
        LATE, CHARTS, Seat(horses=frozenset({"Rubert"})), "Rubert"
    ),
    "Rubert's bet with no step left": legality.rubert_refusal(
        ALL_HOME, CHARTS, Seat(horses=EVERY, helmets=EVERY), "Fargo"
    ),
    "Sugar's helmet and step": legality.sugar_refusal(
        LATE, Seat(horses=frozenset({"Sugar"})), "Fargo"
    ),
    "Cannon's step": legality.cannon_refusal(LATE, Seat(horses=frozenset({"Cannon"}))),
    "Destructor's steps": legality.destructor_refusal(
        LATE, Seat(horses=frozenset({"Destructor"})), "Sugar"
    ),
    "motivating": legality.motivate_refusal(None),
    "a gift": legality.transfer_refusal(
        LATE, Seat(horses=frozenset({"Sugar"})), "snail", "Sugar", "Murphy"
    ),
}


@pytest.mark.parametrize("what", ALLOWED)
def test_what_is_legal_is_not_refused(what):
    assert ALLOWED[what] is None


REFUSED = [
    (legality.weekly_refusal(Seat(acted=True), False), ACTIONS, "Wait for the next week."),
    (
        legality.weekly_refusal(Seat(horses=EVERY, acted=True), False),
        ACTIONS,
        "or take one more through Alexia's power",
    ),
    (legality.weekly_refusal(Seat(), True), POWERS, "Only Alexia's owner can use its power"),
    (
        legality.weekly_refusal(Seat(horses=EVERY, powers_used=frozenset({"Alexia"})), True),
        POWERS,
        "You can use it again next month.",
    ),
    (
        legality.bet_refusal(LATE, CHARTS, Seat(), "Fargo"),
        ACTIONS,
        "Fargo is at position 12, and from 12 on a bet needs a helmet",
    ),
    (
        legality.bet_refusal(ALL_HOME, CHARTS, Seat(), None),
        ACTIONS,
        "Every horse is at position",
    ),
    (legality.stake_refusal(CHARTS, 4), ACTIONS, "You can bet 1, 2, 3 dollaries, not 4."),
    (
        legality.jersey_refusal(LATE, Seat(jerseys=EVERY), "Fargo"),
        ACTIONS,
        "You have a jersey for Fargo in this race",
    ),
    (
        legality.helmet_refusal(LATE, Seat(helmets=EVERY), None),
        ACTIONS,
        "You have a helmet for every horse.",
    ),
    (
        legality.buy_refusal(LATE, {"Fargo": "Murphy"}, "Fargo"),
        ACTIONS,
        "Murphy owns Fargo",
    ),
    (
        legality.buy_refusal(LATE, dict.fromkeys(CHARTS.names, "Murphy"), None),
        ACTIONS,
        "Every horse has an owner",
    ),
    (
        legality.nudge_refusal(LATE, "Nacho", "back"),
        ACTIONS,
        "Nacho has crossed the finish line",
    ),
    (
        legality.nudge_refusal(LATE, "Sugar", "forward"),
        ACTIONS,
        "Sugar is at position 16, the finish, and cannot go further forward",
    ),
    (
        legality.nudge_refusal(LATE, "Alexia", "back"),
        ACTIONS,
        "Alexia is at position 0, the start, and cannot go further back",
    ),
    (legality.fargo_refusal(LATE, Seat(), "Fargo"), POWERS, "Only Fargo's owner can use its power"),
    (
        legality.fargo_refusal(LATE, Seat(horses=EVERY, helmets=EVERY), "Fargo"),
        ACTIONS,
        "a helmet for Fargo",
    ),
    (
        legality.nacho_refusal(LATE, Seat(), "Fargo", "Sugar"),
        POWERS,
        "Only Nacho's owner",
    ),
    (
        legality.nacho_refusal(LATE, Seat(horses=EVERY, jerseys=EVERY), "Fargo", "Sugar"),
        ACTIONS,
        "a jersey for Fargo",
    ),
    (
        legality.nacho_refusal(LATE, Seat(horses=EVERY), "Fargo", "Fargo"),
        POWERS,
        "another horse than Fargo",
    ),
    (
        legality.rubert_refusal(LATE, CHARTS, Seat(), "Alexia"),
        POWERS,
        "Only Rubert's owner",
    ),
    (
        legality.rubert_refusal(LATE, CHARTS, Seat(horses=EVERY), "Fargo"),
        ACTIONS,
        "needs a helmet",
    ),
    (legality.sugar_refusal(LATE, Seat(), "Fargo"), POWERS, "Only Sugar's owner can use its power"),
    (
        legality.sugar_refusal(LATE, Seat(horses=EVERY, helmets=EVERY), "Fargo"),
        ACTIONS,
        "a helmet for Fargo",
    ),
    (
        legality.sugar_refusal(LATE, Seat(horses=EVERY), "Sugar"),
        POWERS,
        "Sugar is at position 16, the finish",
    ),
    (legality.cannon_refusal(LATE, Seat()), POWERS, "Only Cannon's owner can use its power"),
    (
        legality.cannon_refusal(LATE, Seat(horses=EVERY, powers_used=EVERY)),
        POWERS,
        "You have used Cannon's power this month",
    ),
    (
        legality.cannon_refusal(field_with(Cannon=(16, 1)), Seat(horses=EVERY)),
        POWERS,
        "Cannon has crossed the finish line",
    ),
    (
        legality.cannon_refusal(field_with(Cannon=(16, None)), Seat(horses=EVERY)),
        POWERS,
        "Cannon is at position 16",
    ),
    (
        legality.destructor_refusal(LATE, Seat(), "Sugar"),
        POWERS,
        "Only Destructor's owner",
    ),
    (
        legality.destructor_refusal(LATE, Seat(horses=EVERY), "Alexia"),
        POWERS,
        "Alexia is at position 0, the start",
    ),
    (
        legality.destructor_refusal(LATE, Seat(horses=EVERY), "Nacho"),
        POWERS,
        "Nacho has crossed the finish line",
    ),
    (
        legality.motivate_refusal("Murphy"),
        MOTIVATING,
        "Murphy has motivated the horses this week",
    ),
    (
        legality.transfer_refusal(LATE, Seat(), "snail", "Sugar", "Murphy"),
        HORSES,
        "You do not own Sugar",
    ),
    (
        legality.transfer_refusal(LATE, Seat(horses=EVERY), "snail", "Sugar", "snail"),
        HORSES,
        "yours already",
    ),
]


@pytest.mark.parametrize(
    ("refusal", "rule", "words"), REFUSED, ids=[f"{rule}: {words}" for _, rule, words in REFUSED]
)
def test_a_refusal_says_why_and_by_which_rule(refusal, rule, words):
    assert words in refusal.sentence
    assert refusal.rule == rule
    assert refusal.code
    assert refusal.sentence.endswith(".")
