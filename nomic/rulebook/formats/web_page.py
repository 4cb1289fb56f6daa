"""A page of HTML as Markdown: its headings, paragraphs, lists, tables and what is in bold."""

import re

from nomic.rulebook.units import with_signs, word_set

_BLOCKS = word_set(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption"
    " figure footer form header hr li main nav ol p pre section summary table tbody tfoot thead tr"
    " ul h1 h2 h3 h4 h5 h6"
)
_HEADING = re.compile(r"h[1-6]")
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "del": "~~", "s": "~~"}
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*+)"
    r"(?P<attributes>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>"
)
_START = re.compile(r"\bstart=[\"']?([0-9]{1,9})\b", re.IGNORECASE)
_HIDES = re.compile(r"<!--|<[!?]|<(?:script|style|template|title)\b", re.IGNORECASE)
_END_OF_DECLARATION = re.compile(">")
_ENDS = {"<!--": re.compile("-->")} | {
    f"<{tag}": re.compile(rf"</{tag}\s*>", re.IGNORECASE)
    for tag in ("script", "style", "template", "title")
}
_DEEPEST = 20  # lists within each other, as far as they are indented
_READS_AS_MARK = re.compile(r"#{1,6}(?: |$)|[-+*](?: |$)|>|={3,}$|-{3,}$|`{3}|~{3}|\|")


def as_markdown(page: str) -> str:
    """The words of the page that are shown, in Markdown. Links are their words."""
    reader, shown, at = _Page(), _shown(page), 0
    for tag in _TAG.finditer(shown):
        reader.read_words(with_signs(shown[at : tag.start()]))
        at = tag.end()
        if tag["end"]:
            reader.end_tag(tag["name"].lower())
        else:
            reader.begin_tag(tag["name"].lower(), tag["attributes"])
    reader.read_words(with_signs(shown[at:]))
    reader.end()
    return "\n".join(reader.lines).strip() + "\n"


def _shown(page: str) -> str:
    """The page without comments, declarations, scripts and such."""
    parts, at = [], 0
    endless: set[str] = set()  # what begins and does not end is looked for once, not each time
    for mark in _HIDES.finditer(page):
        kind = mark[0].lower()
        if mark.start() < at or kind in endless:
            continue
        parts.append(page[at : mark.start()])
        if end := _ENDS.get(kind, _END_OF_DECLARATION).search(page, mark.end()):
            at = end.end()
        else:
            endless.add(kind)
            at = mark.end()
    return "".join([*parts, page[at:]])


class _Page:
    """What is shown, line by line, as tag after tag is read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._words: list[str] = []  # of the block that is open
        self._prefix = ""  # what marks that block
        self._lists: list[int] = []  # the next number of each open list, 0 where it counts nothing
        self._cells: list[str] | None = None  # of the table's row that is open
        self._rows = 0  # of the table so far
        self._is_verbatim = False

    def begin_tag(self, tag: str, attributes: str) -> None:
        if tag in _MARKS:
            self._mark(tag)
        elif tag == "br":
            self._words.append("\0")
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in _BLOCKS:
            self._end_row() if tag == "tr" else self.end_block()
            self._begin(tag, attributes)

    def _begin(self, tag: str, attributes: str) -> None:
        if _HEADING.fullmatch(tag):
            self._prefix = "#" * int(tag[1]) + " "
        elif tag in ("ul", "ol"):
            start = _START.search(attributes)
            first = int(start[1]) if start else 1
            self._lists.append(first if tag == "ol" else 0)
        elif tag == "li":
            number = self._lists[-1] if self._lists else 0
            mark = f"{number}. " if number else "- "
            self._prefix = "  " * min(len(self._lists) - 1, _DEEPEST) + mark
            if number:
                self._lists[-1] += 1
        elif tag == "table":
            self._rows = 0
        elif tag == "tr":
            self._cells = []
        elif tag == "pre":
            self._is_verbatim = self._cells is None

    def end_tag(self, tag: str) -> None:
        if tag in _MARKS:
            self._mark(tag)
        elif tag in ("tr", "table"):
            self._end_row()
        elif tag in _BLOCKS:
            self.end_block()
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()

    def _mark(self, tag: str) -> None:
        """Begin or end what is in bold and such."""
        if not self._is_verbatim:
            self._words.append(_MARKS[tag])

    def read_words(self, words: str) -> None:
        self._words.append(words.replace("\0", ""))

    def end_block(self) -> None:
        """End the block that is open, if it has words."""
        if self._cells is not None:
            self._words.append(" ")  # blocks within a cell are words of it
            return
        text, self._words = "".join(self._words), []
        prefix, self._prefix = self._prefix, ""
        if self._is_verbatim:
            self._is_verbatim = False
            if text.strip():
                self._add(["```", *text.strip("\n").replace("\0", "\n").split("\n"), "```"])
            return
        lines = [" ".join(line.split()) for line in text.split("\0")]
        lines = [line for line in lines if line.strip("*`~ ")]
        if not lines:
            self._prefix = prefix if prefix.strip() else ""
            return
        if not prefix:
            lines = [f"\\{line}" if _READS_AS_MARK.match(line) else line for line in lines]
        elif prefix[0] == "#":
            lines = [" ".join(lines)]
        self._add([f"{prefix}{lines[0]}", *(f"{' ' * len(prefix)}{line}" for line in lines[1:])])

    def end(self) -> None:
        """End what is still open."""
        self._end_row()
        self.end_block()

    def _add(self, lines: list[str]) -> None:
        is_item = bool(self._lists) and bool(self.lines) and self.lines[-1].strip()
        if self.lines and self.lines[-1] and not is_item:
            self.lines.append("")
        self.lines += lines
        if not self._lists:
            self.lines.append("")

    def _end_cell(self) -> None:
        if self._cells is None:
            return
        self._cells.append(" ".join("".join(self._words).replace("\0", " ").split()))
        self._words = []

    def _end_row(self) -> None:
        if self._cells is None:
            self.end_block()
            return
        self._end_cell()
        # What stands before the first cell is one only where it has words.
        cells, self._cells = self._cells[not self._cells[0] :], None
        self._prefix = ""
        if not any(cells):
            return
        row = " | ".join(cell.replace("|", "\\|") for cell in cells)
        if not self._rows and self.lines and self.lines[-1].strip():
            self.lines.append("")
        self.lines.append(f"| {row} |")
        self._rows += 1
        if self._rows == 1:
            self.lines.append("|" + " --- |" * len(cells))
