"""The marks: programs in ascending number, all hands at once (Regulations 118 and 119)."""

from pathlib import Path

import pytest

from aceofspades.rules.marks import (
    Answer,
    MarkingProgram,
    Question,
    as_compared,
    mark,
    place_in,
    problem_in,
    program_in,
)
from nomic.engine.programs.sandbox import types_in

ROOM = Path(__file__).parents[2] / "rulebook"
SOON = 0.1  # seconds, for what comes to no end anyway
HANDS = {"Goethe": {"Red": 2, "Mauve": 1}, "Steve": {"Black": 3}}


def program(number: int, returned: str) -> MarkingProgram:
    return MarkingProgram(number, f"def mark(hands, worth, alliances):\n    return {returned}\n")


def of_each(number: int, returned: str) -> MarkingProgram:
    """A regulation of one hand after the other."""
    source = f"def mark_hand(name, hands, worth, alliances):\n    return {returned}\n"
    return MarkingProgram(number, source)


def worths(*programs: MarkingProgram, **more) -> dict[str, float]:
    answer = mark(Question(HANDS, programs=programs, **more))
    assert answer.errors == {}
    return answer.worths


def test_without_programs_all_hands_are_worth_what_they_were():
    assert worths() == {"Goethe": 0.0, "Steve": 0.0}
    assert worths(worths={"Steve": 2.5}) == {"Goethe": 0.0, "Steve": 2.5}


def test_without_hands_nothing_is_marked():
    assert mark(Question({}, programs=(program(300, "{}[1]"),))) == Answer({})


def test_every_hand_has_every_suit_that_occurs():
    found = worths(program(300, "{n: len(h) + 10 * h['Black'] for n, h in hands.items()}"))
    assert found == {"Goethe": 3.0, "Steve": 33.0}


def test_the_contestants_come_in_the_order_in_which_they_were_given():
    hands = {name: {} for name in ("b", "a", "z", "10", "2", "é")}
    ranks = program(300, "{name: place for place, name in enumerate(hands)}")
    assert list(mark(Question(hands, programs=(ranks,))).worths.values()) == [0, 1, 2, 3, 4, 5]


def test_programs_apply_in_ascending_number_each_to_what_the_last_one_left():
    double = program(320, "{n: 2 * worth[n] for n in hands}")
    add = program(310, "{n: worth[n] + 1 for n in hands}")
    assert worths(double, add) == {"Goethe": 2.0, "Steve": 2.0}


def test_a_program_sees_the_alliances():
    each = program(300, "{n: sum([len(a) for a in alliances if n in a]) for n in hands}")
    assert worths(each, alliances=(("Goethe", "Steve"), ("Steve",))) == {"Goethe": 2, "Steve": 3}


def test_later_programs_see_changed_hands_and_nobody_else_does():
    changed = "{n: {s: c + 1 for s, c in h.items()} for n, h in hands.items()}"
    programs = (
        program(310, f"worth, {changed}"),
        program(320, "{n: h['Red'] for n, h in hands.items()}"),
    )
    assert worths(*programs) == {"Goethe": 3.0, "Steve": 1.0}
    assert HANDS["Steve"] == {"Black": 3}


def test_hands_that_a_program_does_not_name_stay_as_they_are():
    programs = (
        program(310, "worth, {'Goethe': {'Red': 7}}"),
        program(
            320, "{n: h['Red'] + 10 * h['Black'] + 100 * h['Mauve'] for n, h in hands.items()}"
        ),
    )
    assert worths(*programs) == {"Goethe": 7.0, "Steve": 30.0}


@pytest.mark.parametrize(
    "returned", ["{'Steve': 2}", "{'Steve': 2, 'Goethe': True}", "{'Steve': 2, 'Goethe': []}"]
)
def test_what_is_undefined_once_is_nothing_at_the_end(returned):
    seen = program(320, "{n: worth['Goethe'] + 5 for n in hands}")
    answer = mark(Question(HANDS, programs=(program(310, returned), seen)))
    assert answer.worths == {"Goethe": 0.0, "Steve": 5.0}
    assert answer.errors == {310: "It leaves the worth undefined of Goethe."}


def test_an_error_is_everybodys_and_the_next_begins_at_nothing():
    programs = (
        program(310, "{n: 5 for n in hands}"),
        program(320, "1 // 0"),
        program(330, "{n: 1 // worth[n] for n in hands}"),
    )
    answer = mark(Question(HANDS, programs=programs))
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert list(answer.errors) == [320, 330]
    assert answer.errors[330] == "ZeroDivisionError: division by zero (line 2, column 16)."


def test_mark_hand_marks_one_hand_after_the_other_by_what_all_were_worth_before():
    before = of_each(310, "10 if name == 'Goethe' else 20")
    other = of_each(320, "sum(worth.values()) + hands[name]['Red'] + len(alliances)")
    assert worths(before, other, alliances=(("Goethe", "Steve"),)) == {"Goethe": 33, "Steve": 31}


def test_an_error_of_mark_hand_is_that_hand_s_alone():
    """Its worth is 0 for all regulations from then on, and at the end."""
    programs = (
        of_each(310, "12 // hands[name]['Red']"),
        program(320, "{n: w + 5 for n, w in worth.items()}"),
        of_each(330, "worth[name] + 100 * worth['Steve']"),
    )
    answer = mark(Question(HANDS, programs=programs))
    assert answer.worths == {"Goethe": 11.0, "Steve": 0.0}
    assert answer.errors == {
        310: (
            "It leaves the worth undefined of Steve: ZeroDivisionError: division by zero"
            " (line 2, column 12)."
        )
    }


@pytest.mark.parametrize("returned", ["'7'", "True", "None", "{}", "(1, {})", "[1] * 10"])
def test_what_mark_hand_returns_is_a_number_or_undefined(returned):
    answer = mark(
        Question(HANDS, programs=(of_each(310, f"{returned} if hands[name]['Red'] else 3"),))
    )
    assert answer.worths == {"Goethe": 0.0, "Steve": 3.0}
    assert "returns no number" in answer.errors[310]


def test_a_hand_that_comes_to_no_end_costs_the_others_nothing():
    source = (
        "def mark_hand(name, hands, worth, alliances):\n    while name == 'Goethe':\n"
        "        pass\n    return 4\n"
    )
    answer = mark(Question(HANDS, programs=(MarkingProgram(310, source),)), SOON)
    assert answer.worths == {"Goethe": 0.0, "Steve": 4.0}
    assert "It takes longer than" in answer.errors[310]
    assert answer.tripped == (310,)


def test_a_hand_that_takes_too_much_memory_costs_the_others_nothing():
    answer = mark(
        Question(HANDS, programs=(of_each(310, "len([4] * (1 + 10**9 * hands[name]['Red']))"),))
    )
    assert answer.worths == {"Goethe": 0.0, "Steve": 1.0}
    assert "It takes more than 64 MiB of memory" in answer.errors[310]
    assert answer.tripped == ()


def test_what_mark_hand_is_given_it_cannot_change_for_another_hand():
    answer = mark(Question(HANDS, programs=(of_each(310, "hands[name].pop('Red')"),)))
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    copies = of_each(310, "dict(hands[name]).pop('Red')")
    assert worths(copies) == {"Goethe": 2.0, "Steve": 0.0}


def test_of_a_block_with_both_functions_mark_is_asked_and_the_other_is_its_own():
    both = (
        "def mark_hand(a):\n    return 1 // 0\n"
        "def mark(hands, worth, alliances):\n    return {n: 6 for n in hands}\n"
    )
    assert worths(MarkingProgram(310, both)) == {"Goethe": 6.0, "Steve": 6.0}


def test_a_block_with_neither_function_is_refused_to_its_author():
    told = "mark(hands, worth, alliances) or mark_hand(name, hands, worth, alliances), once"
    assert told in str(problem_in("```python\nx = 1\n```\n"))
    few = "```python\ndef mark_hand(hands, worth, alliances):\n    return 1\n```\n"
    assert "mark_hand has to take name, hands, worth, alliances" in str(problem_in(few))


def test_what_mark_hand_keeps_of_one_hand_is_gone_at_the_next():
    source = (
        "seen = []\ndef mark_hand(name, hands, worth, alliances, more=[]):\n"
        "    seen.append(name)\n    more.append(name)\n    return len(seen) + len(more)\n"
    )
    assert worths(MarkingProgram(310, source)) == {"Goethe": 2.0, "Steve": 2.0}


@pytest.mark.parametrize("returned", ["1e308 * 10", "float('nan')", "10**31", "-(10**5000)"])
def test_a_worth_that_is_infinite_or_too_large_is_undefined(returned):
    answer = mark(Question(HANDS, programs=(of_each(310, returned), program(320, "{}"))))
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert "infinite, or too large" in answer.errors[310]


@pytest.mark.parametrize(
    ("one", "other"), [(0.1 * 3, 0.3), (1 / 3 + 1 / 3 + 1 / 3, 1), (1e-10, 0), (-1e-12, 0.0)]
)
def test_marks_are_compared_as_numbers_of_at_most_nine_decimals(one, other):
    assert as_compared(one) == as_compared(other)
    assert not str(as_compared(one)).startswith("-0.0")


def test_marks_that_differ_in_the_ninth_decimal_differ():
    assert as_compared(0.1 + 1e-9) != as_compared(0.1)


def test_many_without_a_worth_are_counted():
    hands = {f"player{n}": {} for n in range(9)}
    answer = mark(Question(hands, programs=(program(300, "{}"),)))
    assert answer.errors[300] == (
        "It leaves the worth undefined of player0, player1, player2 and 6 more."
    )


def test_names_that_are_nobodys_count_for_nothing():
    assert worths(program(300, "{'Goethe': 1, 'Steve': 2, 'Nobody': 'x', 7: 8}")) == {
        "Goethe": 1,
        "Steve": 2,
    }


@pytest.mark.parametrize(
    "number", [0.1, 1 / 3, -2.5, 5e-324, 1e22, 123456789.123456789, -7, 2**53 + 1]
)
def test_a_number_comes_through_to_the_last_bit(number):
    found = worths(program(300, "{n: worth[n] for n in hands}"), worths={"Goethe": number})
    assert found["Goethe"] == float(number)


def test_what_comes_to_no_end_takes_no_time_of_the_next():
    endless = MarkingProgram(320, "def mark(a, b, c):\n    while True:\n        pass\n")
    rest = of_each(330, "worth[name] + 7")
    answer = mark(Question(HANDS, programs=(program(310, "worth"), endless, rest)), SOON)
    assert answer.tripped == (320,)
    assert answer.errors == {320: "It takes longer than 0.1 s."}
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}


# The text of a regulation

TEXT = """Prose.

```
def mark(): nothing
```

~~~ python
def mark(hands, worth, alliances):
    ```
    return worth
~~~
"""


def test_the_block_of_a_text_is_found_with_its_line():
    found = program_in(310, TEXT)
    assert found is not None
    assert found.number == 310
    assert place_in(TEXT, "It fails (line 1, column 1).") == (8, 1)
    assert found.source == "def mark(hands, worth, alliances):\n    ```\n    return worth\n"
    assert program_in(310, TEXT.replace("\n", "\r\n")) == found


def test_the_language_of_a_block_is_known_by_its_name_alone():
    text = TEXT.replace("~~~ python", "~~~ Python")
    found = program_in(310, text)
    assert found is not None
    assert found.source == "def mark(hands, worth, alliances):\n    ```\n    return worth\n"
    assert program_in(310, TEXT.replace("~~~ python", "~~~ starlark")) is None


def test_types_that_do_not_fit_are_advice():
    text = "```python\ndef mark(a, b, c):\n    return b if b else 1 + 'a'\n```\n"
    assert problem_in(text) is None
    advice = str(types_in(program_in(310, text).source))
    assert "Operator `+` is not supported" in advice
    assert "(line 2, column 24)" in advice


def test_an_indented_fence_takes_its_indent_from_the_block():
    text = "  ````python x\n  def mark(a, b, c):\n      return b\n  ```\n  ````\n"
    found = program_in(310, text)
    assert found is not None
    assert found.source == "def mark(a, b, c):\n    return b\n```\n"


def test_a_text_without_a_block_has_no_program():
    assert program_in(310, "Prose. `python`\n\n    ```python\n") is None
    assert "has no block" in problem_in("Prose.")


def test_a_text_with_two_blocks_is_refused_to_its_author():
    block = "```python\ndef mark(a, b, c):\n    return b\n```\n"
    assert problem_in(block) is None
    assert problem_in(block + block) == ("The text has 2 blocks of a program, where one belongs.")


@pytest.mark.parametrize(
    "file",
    sorted(ROOM.glob("library/*.md")) + sorted(ROOM.glob("[3-9]*.md")),
    ids=lambda file: file.stem,
)
def test_every_shipped_block_can_be_run(file):
    text = file.read_text()
    if "```python" not in text:
        pytest.skip("marks nothing")
    assert problem_in(text) is None
    answer = mark(Question(HANDS, (("Goethe", "Steve"),), (program_in(300, text),)))
    assert answer.errors == {} or answer.errors.keys() == {300}
