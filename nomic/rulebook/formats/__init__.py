"""Rulebooks kept elsewhere: read from their own shapes, and written in them again. Pure."""
