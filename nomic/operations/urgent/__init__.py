"""Four commands by which the operator acts in a game that must not wait."""
