"""What simulated players try with documents."""

from nomic.simulation.bots import Bots

BOTS = Bots(
    worth_trying={
        "documents.publish": {
            "kind": ("Essay", "Pledge", "Notice", "Statement"),
            "title": ("On horses", "What I promise", "Come to the table"),
            "text": ("Horses run.\n\nThey run *far*.", "I vote as I said.", "All are welcome."),
        },
        "documents.revise": {
            "document": (1, 2, 3),
            "title": ("On horses", "On ponies"),
            "text": ("Ponies run.", "Horses walk."),
        },
        "documents.withdraw": {"document": (1, 2, 3)},
    }
)
