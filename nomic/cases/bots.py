"""What simulated players try with cases."""

from nomic.simulation.bots import Bots

_CASES = (1, 2, 3, 4)

BOTS = Bots(
    worth_trying={
        "cases.call": {
            "statement": ("Horses run.", "Case 1 is judged FALSE.", "Nobody owes anything."),
            "arguments": ("", "They *run*."),
            "evidence": ([], [{"entry": "1"}, {"rule": "Cases"}]),
        },
        "cases.assign": {"case": _CASES},
        "cases.recuse": {"case": _CASES},
        "cases.judge": {
            "case": _CASES,
            "reasons": ("It says so.",),
            "passages": ([], [{"rule": "Cases", "passage": "A judgement changes no rule."}]),
        },
        "cases.argue": {
            "case": _CASES,
            "arguments": ("It does *not*.",),
            "evidence": ([], [{"documents": "1"}]),
        },
        "cases.file": {"case": _CASES},
        "cases.attach": {"case": _CASES, "entry": (40, 80, 160)},
    },
)
