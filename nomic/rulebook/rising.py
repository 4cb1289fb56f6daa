"""The longest rising row of numbers, which tells what stayed in its order. Pure."""

from bisect import bisect_left
from collections.abc import Sequence


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of the most numbers that rise one after the other."""
    ends: list[int] = []  # of the rows of each length, the place at which the lowest ends
    before: list[int] = []  # for each place the one before it in its row
    for place, number in enumerate(numbers):
        size = bisect_left(ends, number, key=numbers.__getitem__)
        before.append(ends[size - 1] if size else -1)
        ends[size : size + 1] = [place]
    found = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]
