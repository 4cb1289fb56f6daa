"""The charts of Proposal 8822 as literals, for slow_race.py; the program shares none of them."""

HORSES = ["Alexia", "Baxter", "Cannon", "Destructor", "Fargo", "Nacho", "Rubert", "Sugar"]

PULLS = {
    "Alexia": ["Nacho"],
    "Baxter": ["Fargo"],
    "Cannon": ["Alexia"],
    "Destructor": ["Baxter"],
    "Fargo": ["Alexia", "Destructor"],
    "Nacho": ["Baxter", "Cannon"],
    "Rubert": ["Alexia", "Cannon"],
    "Sugar": ["Baxter", "Destructor"],
}

COSTS = {
    "Alexia": 10,
    "Baxter": 10,
    "Cannon": 8,
    "Destructor": 8,
    "Fargo": 6,
    "Nacho": 6,
    "Rubert": 4,
    "Sugar": 4,
}

MULTIPLIERS = {
    "Alexia": {"1": 5, "2": 4, "3": 3, "O": 1, "X": 0},
    "Baxter": {"1": 5, "2": 4, "3": 3, "O": 1, "X": 0},
    "Cannon": {"1": 6, "2": 5, "3": 4, "O": 1, "X": 0},
    "Destructor": {"1": 6, "2": 5, "3": 4, "O": 1, "X": 0},
    "Fargo": {"1": 7, "2": 6, "3": 5, "O": 1, "X": 0},
    "Nacho": {"1": 7, "2": 6, "3": 5, "O": 1, "X": 0},
    "Rubert": {"1": 9, "2": 8, "3": 7, "O": 1, "X": 0},
    "Sugar": {"1": 9, "2": 8, "3": 7, "O": 1, "X": 0},
}

AGORA = "Agora"
