"""The four editions a second time, slow and plain, to compare the program with.

Written from the sources alone and from the readings in docs/readings.md, sentence by sentence. It
shares no line with the program, and uses nothing of it. A case is what `manage.py tally` reads;
the answer has for each Open proposal its outcome and whether it passed, and the order of passing.
"""

from fractions import Fraction


def open_numbers(case: dict) -> list:
    """The numbers of the Open proposals, ascending."""
    return sorted(p["number"] for p in case["proposals"] if p.get("status", "Open") == "Open")


def by_number(case: dict) -> dict:
    return {p["number"]: p for p in case["proposals"]}


def counts_as_a_player(case: dict, name: str) -> bool:
    """Votes of people who are not among the players do not count, where these are named."""
    if isinstance(case.get("players"), list):
        return name in case["players"]
    return True


def number_of_votes(case: dict, proposal: dict, word: str) -> int:
    """Of those whose final vote is that word."""
    if "votes" not in proposal:
        return proposal.get(word.lower(), 0)
    count = 0
    for name, vote in proposal["votes"].items():
        if counts_as_a_player(case, name) and vote == word:
            count = count + 1
    return count


def conflict(proposal: dict, rival: dict) -> bool:
    """Either lists the other as a Conflict."""
    return rival["number"] in proposal.get("conflicts", []) or proposal["number"] in rival.get(
        "conflicts", []
    )


def strength(case: dict, proposal: dict) -> int:
    return number_of_votes(case, proposal, "FOR") - number_of_votes(case, proposal, "AGAINST")


# B Nomic, Refresh


def slow_refresh(case: dict) -> dict:
    proposals = by_number(case)
    is_open = open_numbers(case)
    success = {number: p.get("status") for number, p in proposals.items()}

    # Each Open Proposal with positive Strength becomes Won; all other Open Proposals become Lost.
    for number in is_open:
        success[number] = "Won" if strength(case, proposals[number]) > 0 else "Lost"

    def depends_on_a_lost_one(number: int) -> bool:
        return "Lost" in [success[needed] for needed in proposals[number].get("dependencies", [])]

    def dependency_culling() -> None:
        again = True
        while again:
            for number in is_open:
                if depends_on_a_lost_one(number):
                    success[number] = "Lost"
            again = False
            for number in is_open:
                if depends_on_a_lost_one(number) and success[number] != "Lost":
                    again = True

    def conflict_culling() -> None:
        order = list(is_open)
        order.sort(key=lambda number: number, reverse=True)
        order.sort(key=lambda number: strength(case, proposals[number]), reverse=True)
        for number in order:
            if success[number] == "Won":
                for rival in is_open:
                    if rival != number and conflict(proposals[number], proposals[rival]):
                        success[rival] = "Lost"

    dependency_culling()
    conflict_culling()
    dependency_culling()
    passed = [number for number in is_open if success[number] == "Won"]
    return {
        "outcomes": {number: [success[number], number in passed] for number in is_open},
        "passed_in_order": passed,
    }


# B Nomic, Rule 5E33


def slow_5e33(case: dict) -> dict:
    proposals = by_number(case)
    is_open = open_numbers(case)
    success = {number: p.get("status") for number, p in proposals.items()}
    vested = len(case["vested"]) if isinstance(case["vested"], list) else case["vested"]
    for number in is_open:
        success[number] = "Undecided"
        stamina = number_of_votes(case, proposals[number], "FOR") + number_of_votes(
            case, proposals[number], "AGAINST"
        )
        if stamina < Fraction(vested, 2):
            success[number] = "Discarded"

    # What is Discarded has its end, and stays what it is.
    counted = [number for number in is_open if success[number] != "Discarded"]
    for number in counted:
        if strength(case, proposals[number]) > 0:
            success[number] = "Won"
        if strength(case, proposals[number]) < 0:
            success[number] = "Lost"
    changed = True
    while changed:
        before = dict(success)
        for number in counted:
            for needed in proposals[number].get("dependencies", []):
                if success[needed] == "Lost":
                    success[number] = "Lost"
            for rival in is_open:
                if rival != number and conflict(proposals[number], proposals[rival]):
                    ours = strength(case, proposals[number])
                    theirs = strength(case, proposals[rival])
                    if ours < theirs or (ours == theirs and number > rival):
                        success[number] = "Lost"
        changed = success != before
    passed = [number for number in is_open if success[number] == "Won"]
    return {
        "outcomes": {number: [success[number], number in passed] for number in is_open},
        "passed_in_order": passed,
    }


# Agora


def as_what_a_vote_counts(votes: dict, name: str, already: tuple = ()) -> str:
    """FOR, AGAINST, PRESENT, or nothing at all for a word that nobody here knows."""
    if name in already or name not in votes:
        return "PRESENT"
    vote = votes[name]
    if vote.startswith("ENDORSE "):
        return as_what_a_vote_counts(votes, vote.removeprefix("ENDORSE "), (*already, name))
    if vote == "ABSTAIN":
        return "PRESENT"
    return vote if vote in ("FOR", "AGAINST", "PRESENT") else ""


def slow_adoption(case: dict) -> dict:
    outcomes = {}
    passed = []
    for number in open_numbers(case):
        proposal = by_number(case)[number]
        f = a = ballots = 0
        if "votes" in proposal:
            votes = {}
            for name, vote in proposal["votes"].items():
                if counts_as_a_player(case, name) and vote not in ("DEFERENTIAL", "VETO"):
                    votes[name] = vote
            for name in votes:
                weight = case.get("strengths", {}).get(name, 3)
                weight = proposal.get("strengths", {}).get(name, weight)
                word = as_what_a_vote_counts(votes, name)
                if word:
                    ballots = ballots + 1
                if word == "FOR":
                    f = f + weight
                if word == "AGAINST":
                    a = a + weight
        else:
            f = 3 * proposal.get("for", 0)
            a = 3 * proposal.get("against", 0)
            ballots = (
                proposal.get("for", 0) + proposal.get("against", 0) + proposal.get("present", 0)
            )
        if "quorum" in case:
            quorum = case["quorum"]
        else:
            quorum = 3
            if "players" in case:
                players = case["players"]
                quorum = min(3, len(players) if isinstance(players, list) else players)
        if a == 0:
            enough = f > 0
        else:
            index = Fraction(str(proposal.get("index", 1)))
            enough = Fraction(f, a) > 1 and Fraction(f, a) >= index
        if ballots < quorum:
            outcomes[number] = ["FAILED QUORUM", False]
        elif enough:
            outcomes[number] = ["ADOPTED", True]
            passed.append(number)
        else:
            outcomes[number] = ["REJECTED", False]
    return {"outcomes": outcomes, "passed_in_order": passed}


# BlogNomic


def slow_quorum(case: dict) -> dict:
    outcomes = {}
    passed = []
    waiting = False
    for number in open_numbers(case):
        if waiting:
            outcomes[number] = ["Pending", None]
            continue
        outcomes[number] = decided(case, by_number(case)[number])
        if outcomes[number][1] is None:
            waiting = True
        if outcomes[number][1]:
            passed.append(number)
    return {"outcomes": outcomes, "passed_in_order": passed}


def decided(case: dict, proposal: dict) -> list:
    emperor = case.get("emperor", "")
    emperors_vote = ""
    if "votes" in proposal and counts_as_a_player(case, emperor):
        emperors_vote = proposal["votes"].get(emperor, "")
    votes_for = number_of_votes(case, proposal, "FOR")
    votes_against = number_of_votes(case, proposal, "AGAINST")
    if emperors_vote == "FOR":
        votes_for = votes_for + number_of_votes(case, proposal, "DEFERENTIAL")
    if emperors_vote == "AGAINST":
        votes_against = votes_against + number_of_votes(case, proposal, "DEFERENTIAL")

    players = case.get("players")
    if isinstance(players, list):
        players = len(players)
    if "quorum" in case:
        quorum = case["quorum"]
    else:
        quorum = 0
        while not quorum > Fraction(players, 2):
            quorum = quorum + 1
    if players is None:  # as many as can have that quorum
        players = 0
        while quorum > Fraction(players + 1, 2):
            players = players + 1

    everybody_else_for = players - votes_against
    if emperors_vote == "VETO":
        return ["Failed", False]
    if votes_for >= quorum:
        return ["Enacted", True]
    if everybody_else_for < quorum:
        return ["Failed", False]
    if not proposal.get("ripe", False):
        return ["Pending", None]
    if votes_for > votes_against and votes_for + votes_against >= 2:
        return ["Enacted", True]
    return ["Failed", False]
