"""What simulated players try in the lottery: numbers of tickets that they can pay for."""

from nomic.simulation.bots import Bots

BOTS = Bots(
    worth_trying={
        "lottery.buy_tickets": {"tickets": (1, 1, 2, 3, 5)},
        "lottery.correct_tickets": {"tickets": (0, 1, 4)},
    }
)
