"""Edits of a rule's text that name no more of it than they change. Pure."""
