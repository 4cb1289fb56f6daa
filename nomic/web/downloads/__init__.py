"""Downloads of a game: its rulebook, its record, its ledger; of an own game more."""
