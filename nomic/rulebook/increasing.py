"""The longest increasing subsequence, which tells what stayed in its order. Pure."""

from bisect import bisect_left
from collections.abc import Sequence


def longest_increasing(numbers: Sequence[int]) -> list[int]:
    """The places of the longest increasing subsequence, in n log n steps."""
    ends: list[int] = []  # of the subsequences of each length, the place at which the lowest ends
    before: list[int] = []  # for each place the one before it in its subsequence
    for place, number in enumerate(numbers):
        size = bisect_left(ends, number, key=numbers.__getitem__)
        before.append(ends[size - 1] if size else -1)
        ends[size : size + 1] = [place]
    places = []
    place = ends[-1] if ends else -1
    while place >= 0:
        places.append(place)
        place = before[place]
    return places[::-1]
