"""Bodies composed of known changes, and bodies composed of anything."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.changes import (
    AddBullets,
    AddRows,
    AddSubrule,
    Append,
    Change,
    ChangeBy,
    Destroy,
    Enact,
    Give,
    HandOver,
    Reading,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
    Transfer,
    Unreadable,
    read_changes,
)

WORDS = [
    "Horses",
    "hoof",
    "race",
    "of",
    "the",
    "Running",
    "Injured",
    "settler’s",
    "16",
    "Zoë",
    "and,",
    "again;",
    "it:",
    "gains",
    "SHALL",
]
prose = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
texts = st.lists(prose, min_size=1, max_size=4).map("\n\n".join)
titles = st.sampled_from(["Horses", "The Dice Deck", "Give and Take", "Rule of Text", "Ünder 16"])
numbers = st.from_regex(r"[1-9][0-9]{0,3}(-[1-9])?", fullmatch=True)
players = st.sampled_from(["Peter", "ais523", "R. Lee", "Agent 47", "Jean-Luc", "The Big Cheese"])
amounts = st.integers(1, 10**6)
things = st.sampled_from(["Alexia", "Mr Ed", "Ünder"])
currencies = st.sampled_from(["points", "dollaries", "gold coins", "hooves"])
rules = st.one_of(
    titles.map(lambda title: RuleRef(title=title)),
    numbers.map(lambda number: RuleRef(number=number)),
)
rows = st.lists(
    st.tuples(st.integers(1, 99), titles).map(lambda row: f"| {row[0]} || {row[1]}"),
    min_size=1,
    max_size=3,
).map("\n".join)
bullets = st.lists(prose.map(lambda line: f"* {line}"), min_size=1, max_size=3).map("\n".join)

changes = st.one_of(
    st.builds(Enact, titles, numbers | st.just(""), texts),
    st.builds(ReplaceText, rules, texts),
    st.builds(ReplacePassage, rules, prose, prose),
    st.builds(AddBullets, rules, bullets),
    st.builds(AddRows, rules, titles, rows),
    st.builds(AddSubrule, rules, titles, st.just(""), texts),
    st.builds(Repeal, rules),
    st.builds(Retitle, rules, titles),
    st.builds(Renumber, rules, numbers),
    st.builds(Give, players, amounts, currencies),
    st.builds(Take, players, amounts, currencies),
    st.builds(Transfer, players, players, amounts, currencies),
    st.builds(Destroy, players, st.none() | amounts, currencies),
    st.builds(Append, rules, texts),
    st.builds(Take, players, st.none(), currencies),
    st.builds(Destroy, st.just(""), st.none(), currencies),
    st.builds(HandOver, things, players | st.just(""), players),
    st.builds(ChangeBy, currencies, players, amounts | amounts.map(lambda by: -by)),
    st.builds(SetSwitch, currencies, players, amounts.map(str)),
    st.builds(SetSwitch, st.just("Race Position"), players, amounts.map(str)),
)


def named(rule: RuleRef) -> str:
    return f"rule {rule.number}" if rule.number else f"the rule “{rule.title}”"


def written(change: Change) -> str:
    """A change in the words that a player could use for it."""
    match change:
        case Enact(title=title, number=number, text=text):
            numbered = f" and number {number}" if number else ""
            return f"Enact a new rule with title “{title}”{numbered} and the text {{\n{text}\n}}"
        case ReplaceText(rule=rule, text=text):
            return f"Replace the text of {named(rule)} with: {{{{ {text} }}}}"
        case ReplacePassage(rule=rule, old=old, new=new):
            return f"In {named(rule)}, replace “{old}” with {{ {new} }}."
        case AddBullets(rule=rule, text=text):
            return f"In {named(rule)}, add these bullets to the end of the bullet list:\n{text}"
        case AddRows(rule=rule, table=table, rows=rows):
            return f"In {named(rule)}, add the following rows to the table “{table}”:\n{rows}"
        case AddSubrule(parent=parent, title=title, text=text):
            return f"Add a subrule titled “{title}” to {named(parent)} with the text: {{{text}}}"
        case Repeal(rule=rule):
            return f"Repeal {named(rule)}."
        case Retitle(rule=rule, title=title):
            return f"Retitle {named(rule)} to “{title}”."
        case Renumber(rule=rule, number=number):
            return f"Renumber {named(rule)} to {number}."
        case Append(rule=rule, text=text):
            return f"Add the following to the end of {named(rule)}: {{\n{text}\n}}"
    return written_in_the_ledger(change)


def written_in_the_ledger(change: Change) -> str:
    match change:
        case Give(receiver=who, amount=amount, currency=currency):
            return f"Give {who} {amount} {currency}."
        case Take(giver=who, amount=None, currency=currency):
            return f"Take all {currency} from {who}."
        case Destroy(owner="", currency=currency):
            return f"Destroy all {currency}."
        case HandOver(thing=thing, giver="", receiver=who):
            return f"Give {thing} to {who}."
        case HandOver(thing=thing, giver=giver, receiver=who):
            return f"Transfer {thing} from {giver} to {who}."
        case ChangeBy(switch=currency, of=of, by=by):
            return f"{'Increase' if by > 0 else 'Decrease'} {of}'s {currency} by {abs(by)}."
        case Take(giver=who, amount=amount, currency=currency):
            return f"Take {amount:,} {currency} from {who}."
        case Transfer(giver=giver, receiver=who, amount=amount, currency=currency):
            return f"Transfer {amount} {currency} from {giver} to {who}."
        case Destroy(owner=who, amount=amount, currency=currency):
            return f"Destroy {'all' if amount is None else amount} of {who}'s {currency}."
        case SetSwitch(switch=switch, of=of, value=value):
            return f"Set {of}'s {switch} to {value}."
    raise AssertionError(change)


def bare(change: Change) -> Change:
    return replace(change, sentence="", start=0, end=0, group="")


def uncovered(body: str, reading: Reading) -> str:
    """What of the body is in no change, no remark and no brace of a group."""
    left = [*body]
    spans = [(part.start, part.end) for part in (*reading.changes, *reading.remarks)]
    for group in reading.groups:
        spans += [(group.start, group.start + group.braces), (group.end - group.braces, group.end)]
    for start, end in spans:
        left[start:end] = " " * (end - start)
    return "".join(left).strip()


@given(st.lists(changes, max_size=6), st.sampled_from(["\n", "\n\n", "\n/* and } */\n", "\r\n"]))
def test_a_body_of_known_changes_gives_them_back(known: list[Change], between: str) -> None:
    reading = read_changes(between.join(map(written, known)))
    assert [bare(change) for change in reading.changes] == known


@given(st.lists(changes, min_size=1, max_size=4))
def test_changes_in_a_group_carry_its_title(known: list[Change]) -> None:
    body = "{{\n__Fixing the World__\n" + "\n".join(map(written, known)) + "\n}}"
    reading = read_changes(body)
    assert [bare(change) for change in reading.changes] == known
    assert {change.group for change in reading.changes} == {"Fixing the World"}


def passive(change: Change) -> str:
    """A change told as something that is done."""
    match change:
        case Enact(title=title, text=text):
            return f"A new rule titled “{title}” is enacted with the text: {{{text}}}"
        case ReplaceText(rule=rule, text=text):
            return f"The text of {named(rule)} is replaced with: {{{text}}}"
        case ReplacePassage(rule=rule, old=old, new=new):
            at_first = named(rule)[0].upper() + named(rule)[1:]
            return f"{at_first} is amended by replacing “{old}” with “{new}”."
        case Repeal(rule=rule):
            return f"{named(rule)[0].upper()}{named(rule)[1:]} is repealed."
        case Retitle(rule=rule, title=title):
            return f"The title of {named(rule)} is changed to “{title}”."
        case Renumber(rule=rule, number=number):
            return f"The number of {named(rule)} is changed to {number}."
        case Give(receiver=who, amount=amount, currency=currency):
            return f"{who} is given {amount} {currency}."
        case SetSwitch(switch=switch, of=of, value=value):
            return f"{of}'s {switch} is set to {value}."
        case ChangeBy(switch=switch, of=of, by=by):
            way = "increased" if by > 0 else "decreased"
            return f"{of}'s {switch} are {way} by {abs(by)}."
    raise AssertionError(change)


passives = st.one_of(
    st.builds(Enact, titles, st.just(""), texts),
    st.builds(ReplaceText, rules, texts),
    st.builds(ReplacePassage, rules, prose, prose),
    st.builds(Repeal, rules),
    st.builds(Retitle, rules, titles),
    st.builds(Renumber, rules, numbers),
    st.builds(Give, players, amounts, currencies),
    st.builds(SetSwitch, currencies, players, amounts.map(str)),
    st.builds(ChangeBy, currencies, players, amounts | amounts.map(lambda by: -by)),
)


@given(st.lists(passives, min_size=1, max_size=5))
def test_changes_that_are_done_are_the_same_changes(known: list[Change]) -> None:
    reading = read_changes("\n\n".join(map(passive, known)))
    assert [bare(change) for change in reading.changes] == known


@given(rules, prose, prose, st.booleans(), st.booleans())
def test_an_insertion_keeps_the_passage_that_it_stands_at(
    rule: RuleRef, old: str, new: str, before: bool, place_first: bool
) -> None:
    spot = f"{'before' if before else 'after'} “{old}”"
    words = f"{spot}, insert “{new}”" if place_first else f"add “{new}” {spot}"
    (change,) = read_changes(f"In {named(rule)}, {words}.").changes
    both = f"{new} {old}" if before else f"{old} {new}"
    assert bare(change) == ReplacePassage(rule, old, both)


PIECES = [
    *("Repeal rule 4", "In the rule “X”, ", "Give Peter 5 points", "with the following text:"),
    *("{", "}", "{{", "}}", "/*", "*/", "“", "”", '"', "'", "’", "\n", "\n\n", "\r\n", " ", ". "),
    *("| 4 || Thug", "* Set x to 3", "1. ", "--", "__T__", "== a ==", "ID: 5", "; ", ": ", ", "),
    *("add the following rows to the Visitors table:", "replace this text:", "delete “a”", "by"),
    *("Enact a new rule titled “X”", "Amend rule 5 as follows:", "If it rains:", "(", ")", "and"),
    *("Peter gains", "Destroy all of Peter's points", "the", "with", "\u2028", "\x1f", "0", "\n> "),
    "Add a subrule titled “T” to the rule “X”",
    *("is repealed", "are given 5", "The rule", "after “a”", "insert", "append", "to the end of"),
    *(
        "Increase Peter's points by",
        "Give Murphy Alexia",
        "is amended by",
        "all",
        "before",
        "is set to",
    ),
]
anything = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join)


def read(body: str) -> Reading | Unreadable:
    try:
        return read_changes(body)
    except Unreadable as unreadable:
        return unreadable


@given(anything)
def test_every_character_is_in_a_change_a_remark_or_a_brace_of_a_group(body: str) -> None:
    reading = read(body)
    assert isinstance(reading, Unreadable) or uncovered(body, reading) == ""


@given(anything)
def test_what_is_read_comes_in_order_and_within_the_body(body: str) -> None:
    reading = read(body)
    if isinstance(reading, Unreadable):
        return
    for parts in (reading.changes, reading.remarks):
        starts = [part.start for part in parts]
        assert starts == sorted(starts)
        assert all(0 <= part.start < part.end <= len(body) for part in parts)


@given(anything)
def test_a_refusal_points_at_a_brace(body: str) -> None:
    reading = read(body)
    if isinstance(reading, Unreadable):
        assert body.split("\n")[reading.line - 1][reading.column - 1] in "{}"


@given(st.text())
def test_a_text_without_braces_is_always_read(body: str) -> None:
    body = body.replace("{", "").replace("}", "")
    assert uncovered(body, read_changes(body)) == ""
