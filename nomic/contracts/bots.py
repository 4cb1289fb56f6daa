"""What simulated players try with contracts."""

from nomic.simulation.bots import Bots

_TERMS = "| CONTRACT | SAYS |\n| --- | --- |\n| Pays by | most parties |\n"

BOTS = Bots(
    worth_trying={
        "contracts.make": {
            "title": ("A pool", "We vote alike"),
            "text": (f"We share what we win.\n\n{_TERMS}", "Its parties vote alike."),
        },
        "contracts.enter": {"contract": (1, 2, 3)},
        "contracts.leave": {"contract": (1, 2, 3)},
        "contracts.change": {
            "contract": (1, 2, 3),
            "title": ("A pool", "A deeper pool"),
            "text": ("We share what we win and what we lose.",),
        },
        "contracts.give": {"contract": (1, 2, 3), "amount": (1, 2)},
        "contracts.pay": {"contract": (1, 2, 3), "amount": (1, 2)},
        "contracts.consent": {"request": (1, 2, 3, 4)},
        "contracts.withdraw": {"request": (1, 2, 3)},
    }
)
