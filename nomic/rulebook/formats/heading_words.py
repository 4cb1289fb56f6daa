"""The words of a heading: number, revision, class and power of a rule beside its title."""

import re
from dataclasses import dataclass, field

_LONGEST_TITLE = 120
_LONGEST_READ = 2_000  # characters of a heading in which facts are looked for
_TAGS = "a|b|big|br|center|code|del|em|font|i|ins|kbd|nowiki|s|small|span|strong|sub|sup|tt|u"
_MARKUP = re.compile(
    r"'{2,5}|\*{2,3}|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`"
    rf"|</?(?:{_TAGS})\b[^<>]{{0,60}}>|\\(?=[!-/:-@\[-`{{-~])"
    r"|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]",
    re.IGNORECASE,
)
_TAG = re.compile(rf"</?(?:{_TAGS})\b[^<>]{{0,60}}>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\(([^()\s]{1,300})\)")
_ANCHOR = re.compile(
    r"""\{\#([\w.:-]{1,60})\}|<a\s+(?:name|id)=["']?([\w.:-]{1,60})["']?\s*/?>(?:\s*</a>)?""",
    re.IGNORECASE,
)
_POWER = re.compile(r"[(\[]\s*[Pp]ower\s*[=:]?\s*(-?[0-9.]+)\s*[)\]]")
_CLASS = re.compile(
    r"[(\[{]\s*(immutable|mutable)\s*[)\]}]|^(immutable|mutable)(?=\s+rule\s+[0-9])"
    r"|(?<=[0-9.:])\s*[–—:-]\s*(immutable|mutable)[.:]?$|(?<=\s)[–—-]\s*(immutable|mutable)$"
    r"|(?<=[0-9][.:)])\s+(immutable|mutable)$",
    re.IGNORECASE,
)
_CLASSED = re.compile(
    r"(?:(?:[0-9]{1,3}|[IVXLC]{1,6}|[A-Z])[.):]\s+)?(?:the\s+)?(?:initial\s+)?(immutable|mutable)"
    r"(?:\s+(?:articles?|laws?|regulations?|rules?|rule\s?set))?(?:\s*[(:[–—-].*)?"
    r"|[^(]*\((immutable|mutable)\)",
    re.IGNORECASE,
)
_FACT = re.compile(r"\(\s*([^\W\d_][\w ]{0,30}?)\s*=\s*([^()=]{1,40}?)\s*\)")
_NAMED = re.compile(
    r"(?:(?:Rule|RULE|rule|Regulation)\s+(?:[Nn](?:o|umber)\.?\s*|[\#№]\s*)?|§\s*)"
    r"(?P<number>-?[0-9](?:[\w.\-]{0,17}\w)?)(?:/(?P<revision>[0-9]{1,6}))?(?P<rest>.*)"
    r"|(?:Rule|RULE)\s+(?P<sign>[IVXLC]{1,8}|[A-Z])(?P<beside>\s*(?:[.:–—]|\s-|$).*)"
    r"|R\s?(?P<short>[0-9]{1,6}(?:\.[0-9]{1,4})*)(?!\w)(?P<behind>.*)",
    re.DOTALL,
)
_ALONE = re.compile(
    r"(?P<number>[0-9]{1,6}(?:\.[0-9]{1,4})+)(?P<rest>.*)"
    r"|(?:[(\[](?=[^)\]]*[)\]])|\#)(?P<sign>[0-9]{1,6}(?:\.[0-9]{1,4})*[a-z]?)"
    r"(?:[)\]]|(?![)\]\w]))(?P<beside>.*)"
    r"|(?P<short>-?[0-9]{1,6}[a-z]?)(?:/(?P<revision>[0-9]{1,6}))?"
    r"(?P<behind>\s*|(?:\s*§|\s*[.)–—]|\s*:(?![0-9])|\s+-|  +|\t)(?:\s.*|\s*[^\s0-9].*|))",
    re.DOTALL,
)
_LOOSE = re.compile(r"(?P<number>[0-9]{1,6}) (?P<rest>\S.*)", re.DOTALL)
_KIND = re.compile(
    r"(?P<kind>Act|Amendment|Article|Clause|Item|Law|No\.|Section|Statute)\s+\#?"
    r"(?P<number>[0-9]{1,6})(?P<rest>\s*[.:–—)-].*|)",
    re.DOTALL | re.IGNORECASE,
)
_SIGN = re.compile(r"([^\w\s!-/:-@\[-`{-~–—§]+)\s+")
_KEPT_BESIDE = ("anchor", "kind", "link", "rev", "sign")  # what is no part of a category's name
_STRUCK = re.compile(r"~~(?P<words>[^~]+)~~(?P<rest>[^~]*)")
_BEFORE, _BEHIND = " \t.:–—-)§,|", " \t:–—-"
_ABBREVIATED = re.compile(r"\W*(?:\w+\.[\w.]+|[A-Z]|etc|al|Co|Inc|Jr|Ltd|No|Sr|St|.*\.)\.")


@dataclass(frozen=True, slots=True)
class HeadingWords:
    """What a heading says; "" for what it does not. `text` is what is too long for a title."""

    number: str
    title: str
    power: str = ""
    rule_class: str = ""
    more: dict[str, str | int] = field(default_factory=dict)
    text: str = ""

    @property
    def name(self) -> str:
        """The title as a category's name, with what else the heading says of all its rules."""
        facts = [f"power {self.power}" if self.power else "", self.rule_class]
        facts += [f"{name}={fact}" for name, fact in self.more.items() if name not in _KEPT_BESIDE]
        return " ".join([self.title, *(f"({fact})" for fact in facts if fact)])

    @property
    def words(self) -> str:
        """All of it."""
        more = (f"{name} {fact}" for name, fact in self.more.items())
        facts = (self.number, self.title, self.power, self.rule_class, self.text, *more)
        return " ".join(facts)


def without_tags(line: str) -> str:
    """The line without the tags that are its markup."""
    return _TAG.sub(" ", line)


def class_of(category: str) -> str:
    """The class of the rules below headings such as “II. Immutable Rules”, "" where none says it.
    The nearest goes first."""
    for name in reversed(category.split(" / ")):
        if said := _CLASSED.fullmatch(name.strip()):
            return (said[1] or said[2]).lower()
    return ""


def heading_words(heading: str, *, loose: bool = False, of_kind: bool = False) -> HeadingWords:
    """What a heading such as “Rule 101/3 (Power=3): Title” says; where it is `loose`, a number and
    a space are a rule's number as well, and where it is `of_kind`, so is the one behind a word such
    as “Article”."""
    read, beyond = heading[:_LONGEST_READ], heading[_LONGEST_READ:]
    more: dict[str, str | int] = {}
    for name, pattern, shown in (("anchor", _ANCHOR, ""), ("link", _LINK, r"\1")):
        if match := pattern.search(read):
            more[name] = match[2] or match[1]
            read = pattern.sub(shown, read)
    words = _MARKUP.sub(lambda match: match[1] or "", read).replace("\xa0", " ").strip()
    if struck := _STRUCK.fullmatch(words):
        words = f"{struck['words']} {struck['rest']}".strip()
    if sign := _SIGN.match(words):
        more["sign"], words = sign[1], words[sign.end() :]
    words, power = _taken(_POWER, words)
    words, rule_class = _taken(_CLASS, words)
    while fact := _FACT.search(words):
        more[fact[1]] = fact[2]
        words = (words[: fact.start()] + " " + words[fact.end() :]).strip()
    numbered = _NAMED.fullmatch(words) or _ALONE.fullmatch(words)
    if numbered is None and (loose or of_kind):
        numbered = (_KIND if of_kind else _LOOSE).fullmatch(words)
    if numbered is None:
        title, text = " ".join(f"{more.pop('sign', '')} {words}{beyond}".split()), ""
        title = f"~~{title}~~" if struck else title
        if len(title) > _LONGEST_TITLE:
            text, title = title, title[: _LONGEST_TITLE - 1].rpartition(" ")[0] + "…"
        return HeadingWords("", title, power, rule_class.lower(), more, text)
    groups = numbered.groupdict()
    number = groups.get("number") or groups.get("short") or groups.get("sign") or ""
    number = number.rstrip(".-")
    if groups.get("revision"):
        more["rev"] = int(groups["revision"])
    rest = groups.get("rest") or groups.get("behind") or groups.get("beside") or ""
    rest = rest.lstrip(_BEFORE)
    if kind := groups.get("kind"):
        more["kind"] = kind
    title, text = _titled(rest) or f"{kind or 'Rule'} {number}", ""
    title = f"~~{title}~~" if struck else title
    if len(title) > _LONGEST_TITLE:
        title, text = f"Rule {number}", rest + beyond
    return HeadingWords(number, title, power, rule_class.lower(), more, text)


def _taken(pattern: re.Pattern[str], words: str) -> tuple[str, str]:
    """The words without what the pattern finds, and its group; "" where it finds nothing."""
    if not (match := pattern.search(words)):
        return words, ""
    return (words[: match.start()] + " " + words[match.end() :]).strip(), match[
        match.lastindex or 1
    ]


def _titled(rest: str) -> str:
    """The title behind a number, without a full stop, unless its last word is shortened by it."""
    title = " ".join(rest.split()).rstrip(_BEHIND)
    if title.endswith(".") and not _ABBREVIATED.fullmatch(title.rpartition(" ")[2][-40:]):
        return title.rstrip(_BEHIND + ".")
    return title
