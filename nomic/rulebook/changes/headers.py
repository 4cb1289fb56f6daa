"""The lines at a body's beginning that name the proposal, who wrote and who voted it.

Each has the form of its kind, so that none can be read as a sentence about the proposal: a title is
two words or more, each with a capital (“Void” may be a statement), and neither it nor a name holds
one of the words that make a sentence of others.
"""

import re
from collections.abc import Iterator

_SENTENCES = (  # English has no others that do, but for verbs and names of things
    r"(?!(?i:proposals?|instructions?|changes?|th(?:is|at|ese|ose|ey|em|ere|en|an)|its?|i|we|you|he"
    r"|she|wh(?:o|om|ose|ich|at|ere|y)|how|here\w*|above|below|following|preceding|all|any\w*|each"
    r"|every\w*|some|none|not?|nor|never|nothing|nobody|n?either|only|except|unless|if|when\w*"
    r"|while|until|till|before|after|during|since|once|or|but|so|as|on|at|by|to|from|in|for"
    r"|with\w*|instead|otherwise|provided|yet|again|now|later|soon|today|tomorrow|next|is|are|was"
    r"|were|be|been|being|am|do|does|did|done|has|have|had|can\w*|could|may|might|must|shall"
    r"|should|will|would|ought)\b)"
)
_LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
_WORD = rf"{_SENTENCES}[A-ZÀ-ÖØ-Þ][{_LETTERS}]*(?:['’-][{_LETTERS}]+)*"
_TITLE = rf"(?-i:{_WORD}(?:[ ](?:(?:of|the|and|an?)[ ]){{0,2}}{_WORD}){{1,5}})"
_LETTER = rf"[{_LETTERS}\d_.'’-]"
_NAME = (
    rf"(?-i:{_SENTENCES}(?:[a-zß-öø-ÿ\d]{_LETTER}{{0,29}}"
    rf"|[A-ZÀ-ÖØ-Þ]{_LETTER}{{0,29}}(?:[ ]{_SENTENCES}[A-ZÀ-ÖØ-Þ\d]{_LETTER}{{0,29}}){{0,2}}))"
)
_ONE_NAME = re.compile(_NAME, re.IGNORECASE)
_NAMES = rf"(?:{_NAME}(?:,[ ]*{_NAME}){{0,60}})?"
_FIGURES = r"-?[\d.,]{1,12}(?:[ ]?/[ ]?[\d.,]{1,12})?(?:[ ]?\(AI=[\d.]{1,6}\))?"
_FORMS = {
    "title": rf"[ ]*:[ ]*{_TITLE}",
    "proposal": rf"[ ]*:[ ]*{_TITLE}|[ ]\#?\d{{1,9}}(?:[ ]?\({_TITLE}\)|[ ]?:[ ]*{_TITLE})?",
    "id": r"[ ]*:[ ]*\#?\d{1,9}",
    "(?:adoption )?index|ai|power|ballots|popularity": rf"[ ]*(?:\(f/a\))?[ ]*:[ ]*{_FIGURES}",
    "class": r"[ ]*:[ ]*(?:ordinary|democratic)",
    "chamber": r"[ ]*:[ ]*(?:economy|efficiency|justice|legislation|participation)",
    "(?:co-?)?authors?": rf"[ ]*:[ ]*{_NAMES}",
    "for|against|present|abstain": rf"[ ]*\(\d{{1,4}}\)[ ]*:[ ]*{_NAMES}",
    "outcome": r"[ ]*:[ ]*adopted",
    "reached quorum": rf"[ ]\d{{1,4}} votes to \d{{1,4}}\.[ ]enacted by {_NAME}",
    "adminned at": r"[ ]\d{1,2} [a-z]{3} \d{4} [\d:]{5,8}(?: utc)?",
    "resolved at": r"[ ]*:[ ]*https?://[\w./-]{1,200}",
}
_FEWEST = 3  # one alone, such as a title, may be meant otherwise
_LINE = re.compile(
    "|".join(f"(?:{label})(?:{form})" for label, form in _FORMS.items()), re.IGNORECASE
)
_LABEL = re.compile(rf"(?:{'|'.join(_FORMS)})\b", re.IGNORECASE)


def header_lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each of these lines begins and ends, and whether it has its form; none where the body
    does not begin with a few that have."""
    lines: list[tuple[int, int, bool]] = []
    for line in re.finditer(r"[^\n]*\S[^\n]*", text):
        words = line[0].strip().removesuffix(".")
        if not _LABEL.match(words):
            break
        lines.append((*line.span(), _LINE.fullmatch(words) is not None))
    fitting = [place for place, (_, _, fits) in enumerate(lines) if fits]
    return iter(lines[: fitting[-1] + 1] if len(fitting) >= _FEWEST else ())


def is_name(words: str) -> bool:
    """Whether these words have the form of one name, and can be no sentence."""
    return _ONE_NAME.fullmatch(words) is not None
