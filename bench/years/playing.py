"""A year played through the game's own doors: seats, votes, closings, and the officer's acts."""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from time import monotonic
from typing import Any

from bench.years.counting import (
    Misread,
    Rulebook,
    Touch,
    most_like,
    otherwise,
    recorded_in_other_words,
    touched,
)
from bench.years.order import closing_order, in_order
from bench.years.reading import BadYear, rulebook_of
from bench.years.seats import Seats
from bench.years.values import (
    Distribution,
    RecordedChange,
    Year,
    YearBallot,
    YearProposal,
    YearRule,
    words,
)
from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Pace, Player
from nomic.operations.scratch import Progress, no_progress, remove_game
from nomic.operations.setup import BadSetup, advance, new_game
from nomic.rulebook.models import Rule
from proposals.models import Errand, Proposal
from proposals.rules.each_votes import endorsements_resolved
from proposals.rules.words import CONDITIONAL, ENDORSE
from proposals.state.reading import state_of

OFFICE = "Assessor"
_A_WEEK, _A_MINUTE = timedelta(days=7), timedelta(minutes=1)
_LONGEST_REASON, _LONGEST_TITLE = 300, 120
_STRENGTH = "As the Assessor found it, with the offices and assets of those days."
_FIGURES = "As the distribution had it."
_ENDS_ITSELF = re.compile(r"\b(?:repeal|destroy)s? itself\b|\bis (?:hereby )?repealed\b", re.I)
_NO_TEXT = "[No text of it is recorded.]"
_NOTHING = "The Rulekeepor recorded no change for it."


@dataclass
class Played:
    """The results of a year; `outcomes_otherwise` are reasons by proposal number."""

    proposals: int = 0
    outcomes_right: int = 0
    outcomes_otherwise: dict[int, str] = field(default_factory=dict)
    by_itself: int = 0
    by_hand: int = 0
    misread: list[Misread] = field(default_factory=list)
    rules_right: int = 0
    rules_wrong: list[str] = field(default_factory=list)
    entries: int = 0
    seconds: float = 0.0


def play_year(year: Year, slug: str, progress: Progress = no_progress) -> Played:
    """Play the year in a new game of that slug. Raises BadYear and BadSetup; then there is none."""
    if Game.objects.filter(slug=slug, scratch=False).exists():
        raise BadSetup(f"There is a game “{slug}” already. Name another with --slug.")
    begun = monotonic()
    try:
        playing = _Playing(year, slug)
        playing.play(progress)
    except BaseException:
        for game in Game.objects.filter(slug=slug, scratch=False):
            remove_game(game)
        raise
    playing.look_back()
    playing.played.seconds = round(monotonic() - begun, 1)
    return playing.played


class _Playing:
    def __init__(self, year: Year, slug: str) -> None:
        self._year, self._slug = year, slug
        self._now = datetime(year.begins, 1, 1, tzinfo=UTC)
        self._game, _ = new_game(
            slug,
            "nomic",
            pace=Pace.MANUAL,
            start=self._now,
            title=f"Agora {year.name}"[:120],
            offices="open",
            brought=rulebook_of(year),
        )
        self._seats = Seats(slug, OFFICE)
        self._officer = self._seats.officer
        self._record: dict[str, YearRule] = dict(year.before)
        self._submitted: dict[int, YearProposal] = {}
        self._texts = _texts(year)
        self._closes: dict[int, datetime] = {}
        self._open: dict[int, Distribution] = {}
        self._touches: list[Touch] = []
        self._decided: set[int] = set()
        self.played = Played()
        self._known: tuple[int, Rulebook] = (-1, {})
        self._usual = 0
        self._where = ""

    def play(self, progress: Progress) -> None:
        """Play the year's distributions and recorded steps as they are due, then the last votes."""
        self._seats.sit(self._year)
        for duty in ("numbers", "distribution"):
            self._act("proposals.keep_by_hand", keeper="the officer", duty=duty)
        self._usual = state_of(glance(self._fresh())).terms.default_strength
        due = list(in_order(self._year))
        for place, each in enumerate(due):
            self._where = each.where
            if isinstance(each, Distribution):
                self._distribute(each)
            else:
                self._take_step(each)
            progress(place + 1, len(due))
        self._where = "the end"
        self._close_before(None)

    # Votes

    def _distribute(self, one: Distribution) -> None:
        """Bring a distribution's proposals to the vote, with its ballots and figures."""
        stands = self._withdraw_decisions(one)
        highest = max((each.number for each in one.proposals), default=0)
        for number in sorted(self._texts):
            if number <= highest and number not in self._submitted:
                self._submit(self._texts[number])
        try:  # the end of that month, about
            end = datetime.strptime(one.resolved[:7], "%Y-%m").replace(day=28, tzinfo=UTC)
        except ValueError:
            end = self._now
        if end - _A_WEEK > self._now:
            self._go_to(end - _A_WEEK)
        in_order = [
            each for each in closing_order(one, self._year.steps) if each.number not in stands
        ]
        for each in in_order:
            self._act("proposals.distribute", proposal=each.number)
            self._open[each.number] = one
            self._closes[each.number] = self._now + _A_WEEK
            self._go_to(self._now + _A_MINUTE)
        # What was decided before and is decided again has its figures still.
        rows = Proposal.objects.filter(
            game=self._game, number__in=[each.number for each in in_order]
        )
        own = {row.number: row for row in rows}
        numbers = [each.number for each in in_order if own[each.number].own_quorum != one.quorum]
        if numbers:
            self._act(
                "proposals.set_decision", proposals=numbers, quorum=one.quorum, reason=_FIGURES
            )
        for each in in_order:
            decided_by = each.decided_by
            if decided_by not in (None, Decimal(self._index(each)), own[each.number].own_index):
                self._act(
                    "proposals.set_decision",
                    proposals=[each.number],
                    index=f"{decided_by.normalize():f}",
                    reason="The decision had this adoption index.",
                )
            self._vote(each)

    def _withdraw_decisions(self, one: Distribution) -> set[int]:
        """Let be decided again what was; returns what was adopted here, which stands."""
        if any(each.number in self._closes for each in one.proposals):
            self._close_until(max(self._closes.values()))
        again = [each.number for each in one.proposals if each.number in self._decided]
        adopted = Proposal.objects.filter(game=self._game, number__in=again, passed=True)
        stands = {number for number in adopted.values_list("number", flat=True) if number}
        for number in again:
            if number not in stands:
                reason = "It was decided again."
                self._act("proposals.withdraw_decision", proposal=number, reason=reason)
        return stands

    def _submit(self, each: YearProposal) -> None:
        author = self._seats.of(each.author)
        inputs: dict[str, Any] = {
            "title": each.title[:_LONGEST_TITLE],
            "body": each.text if each.text.strip() else _NO_TEXT,
            "index": self._index(each),
            "class": self._class(each),
            "coauthors": [
                name
                for name in dict.fromkeys(each.coauthors)
                if name.isprintable() and name != author.name and 0 < len(name) <= 60
            ],
        }
        codes: set[str] = set()  # for which it was refused before
        while True:
            try:
                entry = self._by(author, "proposals.submit", **inputs)
                break
            except Refused as refused:
                code = refused.refusal.code
                if code in codes:
                    raise self._bad(refused) from refused
                codes.add(code)
                if code == "unreadable":
                    inputs["body"] = "\n".join(f"> {line}" for line in each.text.splitlines())
                elif code == "too_much":
                    author = self._officer
                elif code == "units":  # its author cannot be asked any more
                    inputs["units"] = list(refused.refusal.units)
                else:
                    raise self._bad(refused) from refused
        own = entry.outcome["id"]
        self._act("proposals.assign_number", proposal=own, number=each.number)
        self._submitted[each.number] = each

    def _class(self, each: YearProposal) -> str:
        known = {name.casefold(): name for name in self._classes()}
        return known.get(each.proposal_class.casefold(), next(iter(known.values())))

    def _classes(self) -> dict[str, Decimal]:
        found: dict[str, Decimal] = state_of(glance(self._fresh())).terms.classes
        return found

    def _index(self, each: YearProposal) -> str:
        """Its adoption index as the rules take one: in tenths, and not below its class's least."""
        least = self._classes()[self._class(each)]
        index = least if each.index is None else max(each.index, least)
        return str(index.quantize(Decimal("0.1"), ROUND_CEILING))

    def _vote(self, each: YearProposal) -> None:
        parts = math.lcm(*(b.strength.denominator for b in each.ballots if b.strength), 1)
        cast = _words_cast(each.ballots)
        for ballot in each.ballots:
            voter = self._seats.of(ballot.voter)
            word = cast[ballot.voter]
            if word.startswith(f"{ENDORSE} "):
                word = f"{ENDORSE} {self._seats.of(ballot.endorses).name}"
            self._by(voter, "proposals.vote", proposal=each.number, choice=word)
            if word.startswith(CONDITIONAL):
                self._act(
                    "proposals.resolve_vote",
                    proposal=each.number,
                    voter=voter.name,
                    word=ballot.word,
                    reason=ballot.condition[:_LONGEST_REASON],
                )
            if ballot.strength is None or (ballot.strength == self._usual and parts == 1):
                continue
            self._act(
                "proposals.set_ballot_strength",
                who=voter.name,
                proposal=each.number,
                strength=int(ballot.strength * parts),
                reason=_STRENGTH if parts == 1 else f"{_STRENGTH} Counted in parts of 1/{parts}.",
            )

    # Closing

    def _close_before(self, step: RecordedChange | None) -> None:
        """Close what closes before that step, or at the year's end, one after the other; what no
        step records of each is seen to at once."""
        wanted = self._closes.keys() & (step.caused_by if step else self._open)
        if wanted:
            last = max(self._closes[number] for number in wanted)
            self._close_until(last, recorded=step.caused_by if step else ())

    def _close_until(self, last: datetime, recorded: Collection[int] = ()) -> None:
        """Let time come to the closes by that moment, in their order, and see what each adoption
        changed; see to the rest of those that no step has `recorded`."""
        for number in sorted(self._closes, key=lambda n: self._closes[n]):
            if self._closes[number] > last:
                continue
            before = self._rules()
            self._advance(max(self._closes.pop(number), self._now))
            one = self._open.pop(number)
            row = Proposal.objects.get(game=self._game, number=number)
            theirs = next(each.outcome for each in one.proposals if each.number == number)
            self._decided.add(number)
            self.played.outcomes_otherwise.pop(number, None)  # of an earlier decision
            if (here := row.outcome.casefold()) != theirs:
                why = f"{here or 'not decided'} here, {theirs} there: {' '.join(row.reasons)}"
                self.played.outcomes_otherwise[number] = why
            self._touches += touched(before, self._rules(), number)
            if number not in recorded:
                self._settle_the_rest(number)

    # Steps

    def _take_step(self, step: RecordedChange) -> None:
        """Compare what the proposals of a step made of the rules with what it has, and enter what
        they did not."""
        self._close_before(step)
        of_the_year = [number for number in step.caused_by if number in self._decided]
        mine = [each for each in self._touches if each.by in of_the_year]
        last = 0
        for rule in step.rules:
            before = self._record.get(rule.number)
            if before is None or rule.differs(before):
                last = self._compare(rule.number, rule, step, mine) or last
        for gone in step.gone:
            last = self._compare(gone, None, step, mine) or last
        self._record |= {rule.number: rule for rule in step.rules}
        for gone in step.gone:
            self._record.pop(gone, None)
        for number in of_the_year:
            # What was left to the officer was carried out by that entry, or not at all.
            waiting = Errand.objects.filter(proposal__game=self._game, proposal__number=number)
            for errand in waiting.filter(done_in__isnull=True).order_by("place"):
                is_after = last > errand.made_in
                self._act(
                    "proposals.carry_out",
                    proposal=number,
                    place=errand.place,
                    entry=last if is_after else 0,
                    note="" if is_after else _NOTHING,
                )
            self._settle_the_rest(number, after=step)

    def _compare(
        self, number: str, theirs: YearRule | None, step: RecordedChange, mine: Sequence[Touch]
    ) -> int | None:
        """Count a rule that a step has changed, or taken away, and enter what it lacks; returns the
        entry that did."""
        here, rules = self._numbered(number), self._rules()
        if theirs and here is None and number not in self._record:
            new = (rules[t.pk] for t in mine if t.before is None and t.pk in rules)
            here = most_like(theirs, new)
        if theirs:
            touches = [each for each in self._touches if here and each.pk == here.pk]
        else:
            touches = [t for t in self._touches if t.before and t.before.number == number]
        self._forget_touches(touches)
        is_touched = any(each in mine for each in touches)
        is_right = not here.differs(theirs) if here and theirs else here is theirs
        if here and theirs and len(touches) == 1 and not is_right:
            adopted = self._texts[touches[0].by].text
            if recorded_in_other_words(touches[0], here, theirs, adopted):
                self.played.by_hand += 1
                reason = f"Proposal {touches[0].by} has it in other words. {self._reason(step)}"
                return self._enter(theirs, reason[:_LONGEST_REASON], here)
        if touches and not is_right:
            others = [each for each in touches if theirs and each not in mine]
            why = (theirs and self._slip(theirs, here, step)) or otherwise(here, theirs)
            self.played.misread.append(Misread((others or touches)[0].by, number, why))
        if any(by in self._decided for by in step.caused_by) and (is_right or not is_touched):
            self.played.by_itself += is_touched
            self.played.by_hand += not is_touched
        if is_right and (here is None or here.number == number):
            return None
        return self._enter(theirs, self._reason(step), here)

    def _numbered(self, number: str) -> YearRule | None:
        return next((each for each in self._rules().values() if each.number == number), None)

    def _forget_touches(self, those: Iterable[Touch]) -> None:
        gone = set(those)
        self._touches = [each for each in self._touches if each not in gone]

    def _settle_the_rest(self, number: int, after: RecordedChange | None = None) -> None:
        """Put back, as the record has it, what the proposal changed and no step records, nor will;
        count it as misread."""
        steps = self._year.steps
        begin = steps.index(after) + 1 if after else 0
        later = [step for step in steps[begin:] if number in step.caused_by]
        expected = {rule.number for step in later for rule in step.rules}
        expected |= {each for step in later for each in step.gone}
        rules = self._rules()
        for touch in [each for each in self._touches if each.by == number]:
            here = rules.get(touch.pk)
            own = here.number if here else touch.before.number if touch.before else ""
            is_new = touch.before is None
            if (own and own in expected) or (is_new and later):
                continue
            self._forget_touches([touch])
            theirs = self._record.get(own)
            if here and theirs and not here.differs(theirs):
                continue
            if here and is_new and _ENDS_ITSELF.search(words(here.text)):
                reason = (
                    f"It ended by its own text, before anybody recorded it (Proposal {number})."
                )
                self._enter(None, reason, here)
                continue
            named = own or (here.title if here else "")
            why = f"No step records it. {otherwise(here, theirs)}"
            self.played.misread.append(Misread(number, named, why))
            reason = f"What Proposal {number} made of it was not recorded."
            if here or theirs:
                self._enter(theirs, reason, here)

    def _slip(self, rule: YearRule, here: YearRule | None, step: RecordedChange) -> str:
        """That the Rulekeepor mended the rule later to what the reader made of it; "" if not."""
        if here is None:
            return ""
        begin = self._year.steps.index(step) + 1
        for later in self._year.steps[begin:]:
            found = next((each for each in later.rules if each.number == rule.number), None)
            if found is not None and not here.differs(found):
                return f"The Rulekeepor slipped, and has it so since “{later.cause}”."
        return ""

    # The officer's acts

    def _enter(self, rule: YearRule | None, reason: str, here: YearRule | None) -> int:
        """Let the rule that is `here`, or a new one, be as that one, or be gone."""
        rules = glance(self._fresh()).rules
        called = here and (here.number or rules.called(rules.find(here.pk)))
        if rule is None:
            return int(self._act("rulebook.enter_repeal", rule=called, reason=reason).seq)
        inputs: dict[str, Any] = {
            "rule": called or "",
            "number": rule.number,
            "title": rule.title,
            "power": "" if rule.power is None else f"{rule.power.normalize():f}",
            "text": rule.text,
        }
        if here is not None and not here.differs(rule):
            inputs |= {"title": "", "power": "", "text": ""}
        return int(self._act("rulebook.enter", **inputs, reason=reason).seq)

    def _reason(self, step: RecordedChange) -> str:
        return (step.cause or "As the Rulekeepor has it.")[:_LONGEST_REASON]

    def _act(self, name: str, **inputs: Any) -> Any:
        try:
            return self._by(self._officer, name, **inputs)
        except Refused as refused:
            raise self._bad(refused, name) from refused

    def _by(self, player: Player, name: str, **inputs: Any) -> Any:
        try:
            return take(self._slug, player, name, inputs).entry
        except (Malformed, Busy) as wrong:
            raise self._bad(wrong, name) from wrong

    def _bad(self, wrong: Exception, name: str = "") -> BadYear:
        return BadYear(f"{self._where}: {name}: {wrong}" if name else f"{self._where}: {wrong}")

    # The game as it is

    def _fresh(self) -> Game:
        return Game.objects.get(pk=self._game.pk)

    def _go_to(self, moment: datetime) -> None:
        """Let time go on to that moment; what closes before it is seen to."""
        self._close_until(moment)
        self._advance(moment)

    def _advance(self, moment: datetime) -> None:
        if moment > self._now:
            self._now = moment
            advance(self._slug, moment)

    def _rules(self) -> Rulebook:
        """The people's rules in force, read again where an entry has changed the rulebook."""
        at = self._fresh().rulebook_at
        if self._known[0] != at:
            rows = Rule.objects.filter(game=self._game, repealed_in=None, by_people=True)
            columns = ("number", "title", "power", "text", "pk")
            found = (YearRule(*row) for row in rows.values_list(*columns))
            self._known = at, {rule.pk: rule for rule in found}
        return self._known[1]

    def look_back(self) -> None:
        """Note how many outcomes are as recorded, and which rules are as at the year's end."""
        rules = {each.number: each for each in self._rules().values()}
        theirs = self._record if self._year.after is None else self._year.after
        wrong = [
            number
            for number in rules.keys() | theirs.keys()
            if number not in rules or number not in theirs or rules[number].differs(theirs[number])
        ]
        played = self.played
        played.proposals = len(self._decided)
        played.outcomes_right = played.proposals - len(played.outcomes_otherwise)
        played.rules_right, played.rules_wrong = len(theirs.keys() - set(wrong)), sorted(wrong)
        played.entries = self._fresh().last_entry


def _texts(year: Year) -> dict[int, YearProposal]:
    """Each proposal once, as it was first put up."""
    found: dict[int, YearProposal] = {}
    for one in year.distributions:
        for each in one.proposals:
            found.setdefault(each.number, each)
    return found


def _words_cast(ballots: Sequence[YearBallot]) -> dict[str, str]:
    """As what each ballot is cast: on its condition, as an endorsement where that comes to what is
    recorded, else in its word."""
    cast: dict[str, str] = {}
    for each in ballots:
        if each.condition:
            cast[each.voter] = f"{CONDITIONAL} as announced then"
        elif each.endorses and each.endorses != each.voter:
            cast[each.voter] = f"{ENDORSE} {each.endorses}"
        else:
            cast[each.voter] = each.word
    known = {each.voter: each for each in ballots}
    while True:
        plain = {
            voter: known[voter].word if word.startswith(CONDITIONAL) else word
            for voter, word in cast.items()
        }
        come_to = endorsements_resolved(plain, [])
        wrong = [
            voter
            for voter, word in cast.items()
            if word.startswith(ENDORSE)
            and (known[voter].endorses not in known or come_to[voter] != known[voter].word)
        ]
        if not wrong:
            return cast
        cast |= {voter: known[voter].word for voter in wrong}
