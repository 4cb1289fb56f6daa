"""What the operator does to a game that must not wait: four commands."""
