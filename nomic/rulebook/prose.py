"""A rule's text without its tables: what the machinery plays by as of a version."""


def prose(text: str) -> str:
    """The paragraphs of the text that are not tables, with white space folded."""
    blocks = text.replace("\r\n", "\n").split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks if not _is_table(block))


def _is_table(block: str) -> bool:
    lines = [line.strip() for line in block.splitlines()]
    return any(line.startswith(("|", "! ")) or _is_ruler(line) for line in lines)


def _is_ruler(line: str) -> bool:
    return len(line) >= 3 and set(line) <= {"-", " ", ":", "+"} and "---" in line
