from datetime import timedelta

import pytest

from nomic.governance.rules import BY_SUPPORT, MotionTerms, fate

DAY = timedelta(days=1)
CORRECTION = MotionTerms(DAY)
REMEDY = MotionTerms(DAY, objections=3, prevent=True)
WITHOUT_OBJECTION = MotionTerms(DAY, objections=1, by_support=False, prevent=True)


@pytest.mark.parametrize(
    ("objections", "supports", "electorate", "over", "terms", "expected"),
    [
        (0, 0, 4, False, CORRECTION, None),
        (0, 0, 4, True, CORRECTION, "done"),
        (1, 0, 4, True, CORRECTION, None),
        (1, 2, 4, True, CORRECTION, None),
        (1, 3, 4, True, CORRECTION, "done"),
        (0, 3, 4, False, CORRECTION, "done"),
        (0, 0, 0, False, BY_SUPPORT, None),
        (0, 0, 4, True, BY_SUPPORT, None),
        (0, 1, 1, False, BY_SUPPORT, "done"),
        (2, 0, 4, True, REMEDY, "done"),
        (3, 0, 4, False, REMEDY, None),
        (3, 0, 4, True, REMEDY, "prevented"),
        (4, 3, 4, True, REMEDY, "done"),
        (1, 0, 4, False, WITHOUT_OBJECTION, "prevented"),
        (0, 4, 4, False, WITHOUT_OBJECTION, None),
        (0, 0, 4, True, WITHOUT_OBJECTION, "done"),
    ],
)
def test_a_motion_is_done_or_prevented_as_its_terms_say(
    objections, supports, electorate, over, terms, expected
):
    assert fate(objections, supports, electorate, over, terms) == expected
