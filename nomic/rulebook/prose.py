"""A rule's text without its tables: what the machinery plays by as of a version."""


def prose(text: str) -> str:
    """The paragraphs of the text that are not tables, with white space folded."""
    return "\n\n".join(block for block, is_table in _blocks(text) if not is_table)


def has_another_table(text: str, amended: str) -> bool:
    """Whether the other text is this one but for one table, which is new in it or another."""
    before, after = _blocks(text), _blocks(amended)
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    one_for_one = len(after) == 1 and len(before) <= 1
    return one_for_one and all(is_table for _, is_table in (*before, *after))


def _blocks(text: str) -> list[tuple[str, bool]]:
    """The paragraphs with white space folded, each with whether it is a table."""
    blocks = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        has_ruler = any("---" in line and not line.strip("- :+") for line in lines)
        is_table = has_ruler or any(line.startswith(("|", "! ")) for line in lines)
        blocks.append((" ".join(block.split()), is_table))
    return blocks
