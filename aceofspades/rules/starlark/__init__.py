"""The marking blocks of regulations: Starlark within budgets. No Django here.

`block_of(source)` reads and loads a block, `Room(…).mark(block)` runs it; both raise BlockWrong.
The budgets stand in `budgets.py` with their units.
"""

from aceofspades.rules.starlark.budgets import BlockWrong, Place
from aceofspades.rules.starlark.running import Block, Number, Room, block_of

__all__ = ["Block", "BlockWrong", "Number", "Place", "Room", "block_of"]
