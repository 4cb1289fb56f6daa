"""The stream of events: entries of public records and own notices, told as they happen, to as many
as like, by a process of its own."""
