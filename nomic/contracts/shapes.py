"""The fields of contracts as the API answers them."""

from typing import Any, TypedDict


class ContractTermsShape(TypedDict):
    """How its deeds are done: by announcement, by most or all parties, by nobody, or by the player
    who is named."""

    entered_by: str
    left_by: str
    changed_by: str
    pays_by: str


class ContractRequestShape(TypedDict):
    """What its parties are asked for; `inputs` are the title and text, or receiver, amount and
    asset; `needed` is how many of the parties have to consent as they are now."""

    number: int
    by: str
    asks: str
    inputs: dict[str, Any]
    consented: list[str]
    needed: int
    entry: int


class ContractShape(TypedDict):
    """A contract: its text, with all that it ever said, is the document of its number. `ended_in`
    is the entry in which it ended."""

    number: int
    title: str
    made_by: str
    parties: list[str]
    account: str
    entry: int
    ended_in: int | None


class WholeContractShape(ContractShape):
    """A contract with its text, its terms, what it owns, and what its parties are asked for. Where
    its terms cannot be read, they are absent. `powers` tells what it lets be done with its parties'
    assets and in their names; its program stands among those of `machinery`."""

    text: str
    terms: ContractTermsShape | None
    owns: dict[str, int]
    requests: list[ContractRequestShape]
    powers: list[str]
