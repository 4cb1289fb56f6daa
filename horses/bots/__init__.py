"""What practice players do at the races, and which of their rules they would change."""
