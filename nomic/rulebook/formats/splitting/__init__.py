"""Where the headings of one text are, by the markup in which it is written. Pure."""
