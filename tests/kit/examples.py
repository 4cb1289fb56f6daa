"""How much of what could be tried a test tries."""

from hypothesis import settings


def examples(most: int) -> int:
    """How many examples a test tries: `most` where slow tests are asked for, else a fifth."""
    return max(most * settings().max_examples // 100, min(most, 5))
