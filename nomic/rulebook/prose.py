"""A rule's text without its tables: what the machinery plays by as of a version."""


def prose(text: str) -> str:
    """The paragraphs of the text that are not tables, with white space folded."""
    return "\n\n".join(block for block, is_table in _blocks(text) if not is_table)


def differ_in_one_table(text: str, other: str) -> bool:
    """Whether two texts are the same but for one paragraph, which is a table where it stands."""
    one, two = _blocks(text), _blocks(other)
    while one and two and one[0] == two[0]:
        one, two = one[1:], two[1:]
    while one and two and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    return max(len(one), len(two)) == 1 and all(is_table for _, is_table in (*one, *two))


def _blocks(text: str) -> list[tuple[str, bool]]:
    """The paragraphs with white space folded, each with whether it is a table."""
    blocks = text.replace("\r\n", "\n").split("\n\n")
    return [(" ".join(block.split()), _is_table(block)) for block in blocks]


def _is_table(block: str) -> bool:
    lines = [line.strip() for line in block.splitlines()]
    return any(line.startswith(("|", "! ")) or _is_ruler(line) for line in lines)


def _is_ruler(line: str) -> bool:
    return len(line) >= 3 and set(line) <= {"-", " ", ":", "+"} and "---" in line
