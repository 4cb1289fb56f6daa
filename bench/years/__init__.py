"""A year of a nomic that lived elsewhere, played in a game by its own ballots."""
