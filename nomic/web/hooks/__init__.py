"""Webhooks for all entries of a game: the calls, and the page of who has them."""
