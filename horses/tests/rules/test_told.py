"""What bets, horses and powers are worth in words, from the tables in force."""

import pytest

from horses.rules.charts import Charts
from nomic.rulebook.tables import TableBroken

CHARTS = Charts.as_shipped()


def test_a_bet_says_what_it_pays_at_each_place():
    assert CHARTS.describe_payoff("Fargo", 3) == (
        "When the race ends it pays 21 if Fargo is first, 18 if second, 15 if "
        "third. Without a place it pays 3 from position 12 on, and nothing before it."
    )


def test_before_a_stake_is_chosen_a_bet_pays_for_each_dollary():
    told = CHARTS.describe_payoff("Sugar", None)
    assert told.startswith("When the race ends it pays for each dollary 9 if Sugar is first")


def test_a_horse_is_bought_with_its_power_and_its_prizes():
    assert CHARTS.describe_horse("Sugar") == (
        "Sugar's power: Race action: for 1 hoof, the owner gets a helmet for a "
        "horse, which goes 1 step forward. You also get 50, 30 or 15 dollaries if it comes first, "
        "second or third."
    )
    assert CHARTS.describe_horse(None).startswith("You get the horse's power, and 50, 30 or 15")


def test_every_number_is_the_table_s():
    texts = {
        "Weekly Race Actions": "| GAIN | DOLLARIES |\n| --- | --- |\n| By announcement | 1 |\n",
        "Horse Powers": (
            "| HORSE | COST |\n| --- | --- |\n| Comet | 1 |\n\n"
            "| POWER | FEE | STEPS | DOLLARIES |\n| --- | --- | --- | --- |\n"
            "| Comet | – | 2 | – |\n"
        ),
    }
    charts = Charts.of(texts)
    assert charts.gain == 1
    assert charts.describe_power("Comet") == "The rules tell what it does."
    with pytest.raises(TableBroken):
        charts.describe_power("Fargo")


@pytest.mark.parametrize("horse", CHARTS.names)
def test_every_horse_s_power_is_told(horse: str):
    assert "owner" in CHARTS.describe_power(horse)
