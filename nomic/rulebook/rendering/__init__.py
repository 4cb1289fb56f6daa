"""How the texts of rules are shown: as Markdown or wiki, in colours, and what differs."""
