"""The resources of the isle, in the order of the rules."""

from collections.abc import Mapping

RESOURCES = ("wheat", "sheep", "stone", "wood", "brick")

type Items = Mapping[str, int]
