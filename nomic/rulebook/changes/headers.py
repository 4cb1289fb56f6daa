"""The lines at a body's beginning that name the proposal, who wrote and who voted it."""

import re

_NAMES = r"[\w.'’-]{1,30}(?:[ ][\w.'’-]{1,30}){0,2}"
_FIGURES = r"[\d.,/ ]{1,20}(?:\(AI=[\d.]{1,6}\))?"
_FEWEST = 3  # one alone, such as a title, may be meant otherwise
_LINES = re.compile(
    rf"""
      (?:title|proposal)[ ]*:[ ]*[^\n:]{{1,120}}
    | proposal[ ]\#?\d{{1,9}}(?:[ ]?\([^()\n]{{1,120}}\)|[ ]?:[ ]*[^\n:]{{1,120}})?
    | id[ ]*:[ ]*\#?\d{{1,9}}
    | (?:adoption[ ]index|ai|power|index|ballots|popularity)[ ]*(?:\(f/a\))?[ ]*:[ ]*-?{_FIGURES}
    | (?:class|chamber)[ ]*:[ ]*\w{{1,30}}
    | (?:authors?|co-?authors?|(?:for|against|present|abstain)[ ]*\(\d{{1,4}}\))[ ]*:[ ]*
      (?:{_NAMES}(?:,[ ]*{_NAMES}){{0,60}})?
    | outcome[ ]*:[ ]*(?:adopted|rejected|failed[ ]quorum)
    | reached[ ]quorum[ ]\d{{1,4}}[ ]votes[ ]to[ ]\d{{1,4}}\.[ ]enacted[ ]by[ ]{_NAMES}
    | adminned[ ]at[ ]\d{{1,2}}[ ][a-z]{{3}}[ ]\d{{4}}[ ][\d:]{{5,8}}(?:[ ]utc)?
    | resolved[ ]at[ ]*:[ ]*https?://[^\s]{{1,200}}
    """,
    re.IGNORECASE | re.VERBOSE,
)


def header_ends(text: str) -> int:
    """Behind the last of these lines; 0 where the body does not begin with a few of them."""
    at = end = many = 0
    while at < len(text):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        line = text[at:line_end].strip().removesuffix(".")
        if line and not _LINES.fullmatch(line):
            break
        end = line_end if line else end
        many += bool(line)
        at = line_end + 1
    return end if many >= _FEWEST else 0
