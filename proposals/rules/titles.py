"""The titles of the rules by which the editions are played."""

PROPOSALS = "Proposals"
VOTING = "Voting"
CLOCK = "The Clock"
VESTED = "Vested Players"
EMPEROR = "The Emperor"
DECISIONS = "Decisions"
POWER = "Power"
