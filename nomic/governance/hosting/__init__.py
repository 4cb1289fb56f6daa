"""Who runs a game: who may come to it, what its host does, and what is said at its table."""
