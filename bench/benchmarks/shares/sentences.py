"""How rules with programs are written in a proposal."""


def enactment(title: str, program: str, words: str = "A rule.") -> str:
    """A sentence of a proposal by which there is a rule with that program."""
    return lasting(title, f"{words}\n```python\n{program}```")


def lasting(title: str, text: str) -> str:
    """A sentence of a proposal by which there is a rule with that text."""
    return f"Enact a new rule titled “{title}” with the following text:\n{{\n{text}\n}}\n"


def amendment(title: str, text: str) -> str:
    """A sentence of a proposal that gives a rule another text."""
    return f"Replace the text of the rule “{title}” with:\n{{\n{text}\n}}\n"
