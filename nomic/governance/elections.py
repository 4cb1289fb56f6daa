"""Elections of offices: called by whom a row of a rule names or by themselves, with candidates, a
time to vote, and a count, after which the system gives the office to who is elected."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.events import appointment
from nomic.engine.forms import ActionForm, IntegerChoice, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import office_refusal
from nomic.engine.table import Follower, Table, follow
from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.games.powers import voters
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, enumerated
from nomic.governance.acts_by_rows import by_oneself, may_by_row
from nomic.governance.counting import PLURALITY, RUNOFF, count
from nomic.governance.declared_acts import ANY_OFFICE, OFFICERS, PLAYERS
from nomic.governance.declared_elections import (
    EARLIEST,
    ELECTIONS,
    INCUMBENT,
    VACANCY,
    DeclaredElection,
    elections_in,
)
from nomic.governance.models import Candidacy, Election, ElectionBallot, Motion, Voice
from nomic.governance.motions import AnnouncedAction, CannotBeDone, next_number
from nomic.governance.offices import OfficeField, give
from nomic.governance.rules import MotionTerms
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import declared
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Unread

CALL = by_oneself("games.call_election")
STAND, WITHDRAW = by_oneself("games.be_candidate"), by_oneself("games.withdraw_candidacy")
VOTE = by_oneself("games.vote_in_election")
VACANT, CLOSED, COUNTED = "games.election_begins", "games.candidates_close", "games.election_ends"
PLACES = ("first", "second", "third", "fourth", "fifth")
_DAY = timedelta(days=1)
_NO_RULE = "No rule lets this office be filled by an election any more"


@dataclass(frozen=True, slots=True)
class ElectionRows:
    """The rows of a game's rules, by the offices' names in small letters, each with its rule's
    title; and what is wrong with the tables."""

    by_office: Mapping[str, tuple[DeclaredElection, str]]
    unread: tuple[Unread, ...]

    def of(self, office: str) -> tuple[DeclaredElection, str] | None:
        """The row of that office, or the one of all; None where there is none."""
        return self.by_office.get(office.casefold()) or self.by_office.get(ANY_OFFICE)


def election_rows(table: Table) -> ElectionRows:
    """The rows as the rules read at that table now."""
    changes, rows = table.once(_read)
    if changes != table.rules.changes:
        table.drop(_read)
        _, rows = table.once(_read)
    return rows


def _declared_by(
    rules: Rulebook, rule: RuleText
) -> tuple[Sequence[DeclaredElection], Unread | None]:
    return declared(elections_in, ELECTIONS, rule, rules.earlier_versions)


def _read(table: Table) -> tuple[int, ElectionRows]:
    by_office: dict[str, tuple[DeclaredElection, str]] = {}
    unread: list[Unread] = []
    for rule in table.rules.that_say(ELECTIONS[0]):
        rows, fault = _declared_by(table.rules, rule)
        unread += [fault] if fault else []
        for row in rows:
            if row.office.casefold() in by_office:
                title = by_office[row.office.casefold()][1]
                sentence = f"{row.office} has its elections in “{title}” already."
                unread.append(Unread(rule.title, None, sentence, pk=rule.pk))
            else:
                by_office[row.office.casefold()] = row, rule.title
    return table.rules.changes, ElectionRows(by_office, tuple(unread))


tell_unread(lambda table: election_rows(table).unread)


@play_tables
def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    rows, fault = _declared_by(rules, rule)
    return TablePlayed(ELECTIONS, fault is None) if rows or fault else None


# How elections stand


def has_elections(table: Table) -> bool:
    """Whether a rule in force lets offices be filled so."""
    return bool(election_rows(table).by_office)


def open_elections(table: Table) -> list[Election]:
    """The elections that have not ended, oldest first, with who stands and who has voted; none
    while no rule lets there be any."""
    return table.once(_open) if has_elections(table) and not table.game.is_closed else []


STANDING = Prefetch(
    "candidacies", Candidacy.objects.filter(withdrawn_in=None).select_related("player")
)
BALLOTS = Prefetch("ballots", ElectionBallot.objects.select_related("player"))


def _open(table: Table) -> list[Election]:
    rows = table.game.elections.filter(ended_in=None).order_by("number")
    return list(rows.prefetch_related(STANDING, BALLOTS))


def candidates_of(election: Election) -> list[Player]:
    """Those who stand and still play, the earliest first."""
    return [row.player for row in election.candidacies.all() if row.player.active]


def forget_candidacies(table: Table, player: Player) -> None:
    """Let that player stand in no open election any more: they have left."""
    candidacies = Candidacy.objects.filter(game=table.game, player=player, withdrawn_in=None)
    candidacies.filter(election__ended_in=None).update(withdrawn_in=table.seq)
    table.drop(_open)


def _open_one(table: Table, number: int) -> Election:
    return next(election for election in open_elections(table) if election.number == number)


# Calling one


@action
class CallElection(AnnouncedAction):
    """Call an election of an office, where a rule lets you, at once or with support as it says."""

    name = CALL
    title = "Call an election"
    sentence = "Call an election of the {office}"
    button = "Call one"
    once_for = ("office",)

    class Form(ActionForm):
        office = OfficeField()

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(election_rows(table).by_office)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if "office" not in inputs:
            return None
        row = election_rows(table).of(inputs["office"])
        if row is None:
            raise CannotBeDone("No rule lets that office be filled by an election any more.")
        return MotionTerms(None, method=row[0].method) if row[0].method else None

    def hears(self, motion: Motion, terms: MotionTerms | None, side: Voice.Side) -> bool:
        return side == Voice.Side.SUPPORTS

    def takes(self, table: Table, motion: Motion) -> str:
        row = election_rows(table).of(motion.inputs["office"])
        return f"It is done {row[0].method}." if row else "No rule lets it be done any more."

    def judge(self, table: Table, player: Player | None, office: str | None) -> Verdict:
        rows = election_rows(table)
        if office is None or player is None:
            return None
        row = rows.of(office)
        if row is None:
            sentence = f"No rule lets the office of {office} be filled by an election."
            return Refusal("no_election", sentence)
        declaration, rule = row
        if not may_by_row(table, declaration.called_by, player):
            callers = declaration.called_by
            callers = callers if callers in (PLAYERS, OFFICERS) else f"the {callers}"
            sentence = f"By “{rule}” {callers} can call an election of the {office}."
            return Refusal("not_the_caller", sentence, rule)
        for election in open_elections(table):
            if election.office == office:
                sentence = f"{election}, of the {office}, has not ended yet."
                return Refusal("is_open", sentence, rule)
        return Effects(Then(lambda at: _begin(at, office, player)))


def _begin(table: Table, office: str, by: Player | None) -> Outcome:
    """Let there be that election, in the entry that is being made."""
    row = election_rows(table).of(office)
    assert row is not None, "An election is called by a row."
    declaration, rule = row
    election = Election.objects.create(
        game=table.game,
        number=next_number(table.game.elections.all()),
        office=office,
        by=by,
        rule=rule,
        count=declaration.count,
        on_tie=declaration.on_tie,
        unopposed=declaration.unopposed,
        voting_days=declaration.voting,
        entry=table.seq,
        closes=table.now + declaration.candidates * _DAY,
    )
    election.refresh_from_db(fields=["number"])
    table.drop(_open)
    table.appointments.make(CLOSED, election.closes, str(election.number))
    called = f"{by} calls {election}" if by else f"{election} begins"
    days = counted(declaration.candidates, "day")
    text = f"{called}, of the {office}: candidates stand for {days}."
    figures = {"election": election.number, "office": office, "closes": iso(election.closes)}
    return Outcome(text, figures, rule=rule)


@appointment(VACANT, title="An election of a vacant office begins", at_once=True)
def an_election_begins(table: Table, subject: str) -> Outcome:
    """Begin the election of that office, which calls itself where it is vacant."""
    row = election_rows(table).of(subject)
    is_open = any(election.office == subject for election in open_elections(table))
    if row is None or is_open or table.directory.offices.get(subject, "?"):
        return Outcome(f"No election of the {subject} begins.")
    return _begin(table, subject, None)


class _Vacancies(Follower):
    """Lets elections begin by themselves where an office falls vacant whose row says so."""

    def office_changed(self, table: Table, office: str) -> None:
        row = election_rows(table).of(office)
        if row and row[0].by_itself and not table.directory.offices.get(office):
            table.appointments.make(VACANT, table.now, office)


follow(_Vacancies())


# Standing, and voting


class _ElectionField(IntegerChoice):
    """An open election by its number."""

    unknown = "No such election is open. Open: {}."

    def options(self, table: Table, player: Player | None) -> list[int]:
        return [election.number for election in open_elections(table)]


class _ElectionAction(Action):
    def absence(self, table: Table) -> Refusal | None:
        if refusal := self.needs(has_elections(table)):
            return refusal
        sentence = "No election is open now."
        return None if open_elections(table) else Refusal("no_election", sentence)

    class Form(ActionForm):
        election = _ElectionField()


def _is_over(election: Election) -> Refusal | None:
    """The refusal where candidates stand no more."""
    if election.ends is None:
        return None
    sentence = f"The candidates of {election} are closed: it is voted on."
    return Refusal("candidates_closed", sentence, election.rule)


def _all_over(table: Table) -> Refusal | None:
    """The refusal where candidates stand in no open election any more."""
    refusals = [_is_over(election) for election in open_elections(table)]
    return refusals[0] if refusals and all(refusals) else None


@action
class BeCandidate(_ElectionAction):
    """Stand in an election, while its candidates are open."""

    name = STAND
    title = "Be a candidate"
    sentence = "Be a candidate in election {election}"
    button = "Stand"

    def judge(self, table: Table, player: Player, election: int | None) -> Verdict:
        if player.bot:
            sentence = "Practice players hold no office, so they stand in no election."
            return Refusal("is_a_bot", sentence)
        if election is None:
            return _all_over(table)
        chosen = _open_one(table, election)
        if refusal := _is_over(chosen) or office_refusal(table, chosen.office, player):
            return refusal
        if player in candidates_of(chosen):
            return Refusal("stands", f"You stand in {chosen} already.", chosen.rule)

        def stand(at: Table) -> None:
            Candidacy.objects.update_or_create(
                election=chosen,
                player=player,
                defaults={"entry": at.seq, "withdrawn_in": None},
            )
            at.drop(_open)

        return Effects(
            Then(stand),
            say=f"{player} is a candidate in {chosen}, of the {chosen.office}.",
            figures={"election": chosen.number},
        )


@action
class WithdrawCandidacy(_ElectionAction):
    """Stand in an election no more, while its candidates are open."""

    name = WITHDRAW
    title = "Be a candidate no more"
    sentence = "Be a candidate in election {election} no more"
    button = "Withdraw"

    def judge(self, table: Table, player: Player, election: int | None) -> Verdict:
        if election is None:
            is_any = any(player in candidates_of(it) for it in open_elections(table))
            sentence = "You stand in no election."
            return _all_over(table) if is_any else Refusal("stands_not", sentence)
        chosen = _open_one(table, election)
        if refusal := _is_over(chosen):
            return refusal
        if player not in candidates_of(chosen):
            return Refusal("stands_not", f"You do not stand in {chosen}.", chosen.rule)

        def withdraw(at: Table) -> None:
            chosen.candidacies.filter(player=player).update(withdrawn_in=at.seq)
            at.drop(_open)

        return Effects(
            Then(withdraw),
            say=f"{player} is no candidate in {chosen}, of the {chosen.office}, any more.",
            figures={"election": chosen.number},
        )


class _CandidateField(TextChoice):
    """Somebody who stands in an election that is voted on, by name."""

    noun = "candidate"

    def options(self, table: Table, player: Player | None) -> list[str]:
        voted_on = (election for election in open_elections(table) if election.ends)
        names = (candidate.name for election in voted_on for candidate in candidates_of(election))
        return [*dict.fromkeys(names)]


@action
class VoteInElection(_ElectionAction):
    """Vote in an election, whom you like best first. Your last ballot counts; all can read it."""

    name = VOTE
    title = "Vote in an election"
    sentence = "Vote in election {election} for {first}"
    button = "Vote"

    class Form(_ElectionAction.Form):
        first = _CandidateField(label="Whom you like best")
        second = _CandidateField(required=False, label="Second")
        third = _CandidateField(required=False, label="Third")
        fourth = _CandidateField(required=False, label="Fourth")
        fifth = _CandidateField(required=False, label="Fifth")

        def begin(self, table: Table) -> None:
            """No more places than there are candidates."""
            choices = max(
                (len(candidates_of(election)) for election in open_elections(table)), default=1
            )
            for place in PLACES[choices:]:
                del self.fields[place]

    def absence(self, table: Table) -> Refusal | None:
        sentence = "No election is voted on now."
        refusal = super().absence(table)
        if refusal or any(election.ends for election in open_elections(table)):
            return refusal
        return Refusal("no_voting", sentence)

    def judge(self, table: Table, player: Player, **inputs: Any) -> Verdict:
        if not _may_vote(table, player):
            return Refusal("not_a_voter", "You are none of those who vote in elections.")
        if "election" not in inputs:
            return None
        chosen = _open_one(table, inputs["election"])
        if chosen.ends is None:
            sentence = f"{chosen} is not voted on yet: candidates stand until it is."
            return Refusal("no_voting", sentence, chosen.rule)
        if "first" not in inputs:
            return None
        choices = [inputs[place] for place in PLACES if inputs.get(place)]
        names = [candidate.name for candidate in candidates_of(chosen)]
        for choice in choices:
            if choice not in names:
                sentence = f"{choice} does not stand in {chosen}: {enumerated(names)} do."
                return Refusal("not_a_candidate", sentence, chosen.rule)
        if len({*choices}) < len(choices):
            return Refusal("twice", "A ballot names each candidate once.", chosen.rule)
        if chosen.count == PLURALITY and len(choices) > 1:
            sentence = f"{chosen} is counted by plurality: name one candidate."
            return Refusal("one_only", sentence, chosen.rule)

        def vote(at: Table) -> None:
            ElectionBallot.objects.update_or_create(
                election=chosen, player=player, defaults={"choices": choices, "entry": at.seq}
            )
            at.drop(_open)

        order = ", then ".join(choices) if chosen.count == RUNOFF else enumerated(choices)
        return Effects(
            Then(vote),
            say=f"{player} votes in {chosen}, of the {chosen.office}, for {order}.",
            figures={"election": chosen.number},
        )


# What becomes of it


@appointment(CLOSED, title="The candidates of an election are closed")
def candidates_close(table: Table, subject: str) -> Outcome:
    """Let the election be voted on; with one candidate or none it ends."""
    election = _still_open(table, subject)
    if election is None:
        return Outcome(f"Election {subject} has ended already.")
    if election_rows(table).of(election.office) is None:
        return _elect_nobody(table, election, INCUMBENT, _NO_RULE)
    able = _eligible(table, election)
    if len(able) > 1:
        election.ends = table.now + election.voting_days * _DAY
        election.save(update_fields=["ends"])
        table.drop(_open)
        table.appointments.make(COUNTED, election.ends, subject)
        names = enumerated([candidate.name for candidate in able])
        days = counted(election.voting_days, "day")
        text = (
            f"{election}, of the {election.office}, is voted on for {days}: {names} stand. It is"
            f" counted by {election.count}."
        )
        figures = {"election": election.number, "ends": iso(election.ends)}
        return Outcome(text, figures, rule=election.rule)
    if able:
        return _elect(table, election, able[0], "is the only candidate")
    return _elect_nobody(table, election, election.unopposed, "Nobody stands")


@appointment(COUNTED, title="An election is counted")
def election_ends(table: Table, subject: str) -> Outcome:
    """Count the ballots of those who may vote now, and give the office to who is elected."""
    election = _still_open(table, subject)
    if election is None:
        return Outcome(f"Election {subject} has ended already.")
    if election_rows(table).of(election.office) is None:
        return _elect_nobody(table, election, INCUMBENT, _NO_RULE)
    able = _eligible(table, election)
    may_vote = set(
        voters(table.game, table.now).filter(active=True, bot=False).values_list("pk", flat=True)
    )
    ballots = [row.choices for row in election.ballots.all() if row.player_id in may_vote]
    names = [candidate.name for candidate in able]
    counted = count(election.count, names, ballots)
    election.rounds = [dict(tally) for tally in counted.rounds]
    if not able:
        return _elect_nobody(table, election, election.unopposed, "Nobody stands any more")
    if len(counted.first) == 1:
        winner = next(candidate for candidate in able if candidate.name == counted.first[0])
        return _elect(table, election, winner, f"is elected by {election.count}")
    tied = enumerated(list(counted.first))
    votes = f"{len(ballots)} vote{'' if len(ballots) == 1 else 's'}"
    if election.on_tie == EARLIEST:
        winner = next(candidate for candidate in able if candidate.name in counted.first)
        return _elect(table, election, winner, f"is elected: {tied} tie, and they stood first")
    return _elect_nobody(table, election, election.on_tie, f"With {votes} {tied} tie")


def _still_open(table: Table, subject: str) -> Election | None:
    return next((it for it in table.once(_open) if str(it.number) == subject), None)


def _eligible(table: Table, election: Election) -> list[Player]:
    """The candidates who can hold the office as things are now."""
    if election.office not in table.directory.offices:
        return []
    stand = candidates_of(election)
    return [player for player in stand if not office_refusal(table, election.office, player)]


def _elect(table: Table, election: Election, winner: Player, how: str) -> Outcome:
    if table.directory.offices[election.office] != winner.name:
        give(table, election.office, winner)
    election.elected = winner
    sentence = f"{winner} {how} and holds the office of {election.office}."
    return _end(table, election, sentence)


def _elect_nobody(table: Table, election: Election, way: str, why: str) -> Outcome:
    """End it as the rule's row says: the incumbent stays, or nobody holds the office."""
    holder = table.directory.offices.get(election.office, "")
    if holder and way == VACANCY:
        give(table, election.office, None)
        return _end(table, election, f"{why}: the office of {election.office} is vacant now.")
    stays = (
        f"{holder} stays the {election.office}" if holder else f"the {election.office} is vacant"
    )
    return _end(table, election, f"{why}: {stays}.")


def _end(table: Table, election: Election, ending: str) -> Outcome:
    election.ending, election.ended_in = ending, table.seq
    election.save(update_fields=["elected", "rounds", "ending", "ended_in"])
    table.drop(_open)
    table.appointments.cancel(CLOSED, str(election.number))
    table.appointments.cancel(COUNTED, str(election.number))
    figures = {
        "election": election.number,
        "office": election.office,
        "elected": election.elected.name if election.elected else None,
        "rounds": election.rounds,
    }
    return Outcome(f"{election} ends. {ending}", figures, rule=election.rule)


def unvoted(table: Table, player: Player) -> list[Election]:
    """The elections that are voted on and that the player, who may vote, has not voted in."""
    waiting = [
        election
        for election in open_elections(table)
        if election.ends and all(row.player_id != player.pk for row in election.ballots.all())
    ]
    return waiting if waiting and _may_vote(table, player) else []


def _may_vote(table: Table, player: Player) -> bool:
    return not player.bot and voters(table.game, table.now).filter(pk=player.pk).exists()


def elections_state(elections: Iterable[Election]) -> list[dict[str, Any]]:
    """These elections as plain values, for the API and pages."""
    return [
        {
            "number": election.number,
            "office": election.office,
            "by": election.by.name if election.by else None,
            "entry": election.entry,
            "rule": election.rule,
            "count": election.count,
            "closes": _moment(election.closes),
            "ends": _moment(election.ends),
            "candidates": [candidate.name for candidate in candidates_of(election)],
            "ballots": {row.player.name: row.choices for row in election.ballots.all()},
            "rounds": election.rounds,
            "elected": election.elected.name if election.elected else None,
            "ending": election.ending,
            "ended_in": election.ended_in,
        }
        for election in elections
    ]


def _moment(moment: datetime | None) -> str | None:
    return iso(moment) if moment else None
