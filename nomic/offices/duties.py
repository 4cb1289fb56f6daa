"""Officers' duties: those that every game knows, and those of the subgames' desks."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from nomic.engine.coverage import Unfitted, unfitted
from nomic.engine.fairness.worker_share import is_out_of_breath
from nomic.engine.programs.descriptions import added_by
from nomic.engine.subgames import in_play, rulebook_keeper
from nomic.games.models import Game
from nomic.governance import doubts
from nomic.governance.desks import Desk, Duty
from nomic.governance.hosting.program_switches import SWITCH_OFF
from nomic.governance.powers import unread
from nomic.governance.reports import Report, reports_of
from nomic.governance.rulebook_keeping import ALL, CHANGES_NOTHING, KEEP_BY_HAND
from nomic.offices.access import DeskPage
from nomic.rulebook.last_readable import Unread

_MOST_BY_THEMSELVES = 4  # sentences of one rule
_AT_ONCE = datetime.min.replace(tzinfo=UTC)


def duties(game_page: DeskPage, laid: Iterable[Desk]) -> list[Duty]:
    """The visitor's duties in this game, the most overdue first, the undated last; none in one that
    is over."""
    if game_page.game.is_closed:
        return []
    all_duties = [
        *_standing_still(game_page.game),
        *(duty for _, duty in doubts.owed(game_page.game, reports(game_page))),
        *_amended_rules(game_page),
        *_unread_rules(game_page),
        *_programs(game_page),
        *(duty for desk in laid for duty in desk.duties(game_page.table)),
    ]
    return sorted(all_duties, key=lambda duty: (duty.due is None, duty.due or _AT_ONCE))


def desks(game_page: DeskPage) -> list[Desk]:
    """The desks at which the visitor sits here; all of the game for who runs the site."""
    return [desk for desk in game_page.desks if game_page.sees_to(desk.office_in(game_page.game))]


def reports(game_page: DeskPage) -> list[Report]:
    """The reports that are the visitor's to make."""
    game = game_page.game
    return [report for report in reports_of(game) if game_page.sees_to(report.office_in(game))]


def _standing_still(game: Game) -> Iterator[Duty]:
    if is_out_of_breath(game):
        dearest = next(iter(game.load["rules"]), "")
        inputs = {"rule": dearest} if dearest else {}
        yield Duty(game.set_aside, game.next_due, action=SWITCH_OFF, inputs=inputs)
    elif game.restored:
        command = f"`manage.py let-go-on {game.slug} --reason WHY`"
        yield Duty(f"The game is held: {game.set_aside} Who runs the site does so by {command}")
    elif game.set_aside:
        yield Duty(f"The game is set aside: {game.set_aside}")
    elif game.stuck_at:
        title = "The game is stuck: mend the cause and try again, or skip the event"
        yield Duty(title, game.stuck_at, action="games.retry_appointment")
    elif game.paused_at:
        yield Duty("The game is paused, until somebody resumes it", action="games.resume")


def _amended_rules(game_page: DeskPage) -> Iterator[Duty]:
    """The duties of the rulebook's keeper, or the operator, by sentences that read otherwise
    now."""
    if not game_page.sees_to(rulebook_keeper(game_page.game)):
        return
    waiting: dict[str, list[Unfitted]] = {}
    for sentence in unfitted(game_page.table):
        waiting.setdefault(sentence.rule.title, []).append(sentence)
    for title, sentences in waiting.items():
        if not any(sentence.marked.parts for sentence in sentences):
            # One duty for all that stands in a rule and the program does nothing of.
            subject, passage = f"“{sentences[0].name}”", sentences[0].name
            if len(sentences) > 1:
                subject, passage = f"{len(sentences)} sentences, the first of them {subject}", ALL
            yield Duty(
                f"Keep by hand what nothing carries out in “{title}”: {subject}",
                rule=title,
                action=KEEP_BY_HAND,
                inputs={"rule": title, "passage": passage},
            )
            continue
        named = [(sentence.quoted, sentence.name) for sentence in sentences]
        if len(sentences) > _MOST_BY_THEMSELVES:
            named = [(f"{len(sentences)} sentences of “{title}”", ALL)]
        for quoted, passage in named:
            yield Duty(
                f"Not carried out as it reads, {quoted}: say whether that changes anything, or"
                " keep it by hand",
                rule=title,
                action=CHANGES_NOTHING,
                inputs={"rule": title, "passage": passage},
            )


def _programs(game_page: DeskPage) -> Iterator[Duty]:
    """The duties of the rulebook's keeper, or the operator, by programs that fail."""
    if not game_page.sees_to(rulebook_keeper(game_page.game)):
        return
    for program in added_by(game_page.table):
        faults = [f"cannot be used as it stands: {program.problem}"] if program.problem else []
        faults += [
            f"fails ({failed.what}, entry {failed.entry}): {failed.sentence}"
            for failed in program.failures
        ]
        for fault in faults:
            yield Duty(
                f"The program of “{program.rule}” {fault} Propose one that works, or mend it",
                rule=program.rule,
                action="rulebook.amend",
                inputs={"rule": program.rule},
            )


def _unread_rules(game_page: DeskPage) -> Iterator[Duty]:
    """A duty about each rule that can be read no more, for who keeps what it is about, or else the
    rulebook."""
    table, keeps_the_rulebook = game_page.table, rulebook_keeper(game_page.game)
    by_keeper: list[tuple[str, Sequence[Unread]]] = [(keeps_the_rulebook, unread(table))]
    for subgame in in_play(game_page.game):
        by_keeper.append(
            (subgame.keeper(game_page.game) or keeps_the_rulebook, subgame.unread(table))
        )
    for keeper, unread_rules in by_keeper:
        if not game_page.sees_to(keeper):
            continue
        rules = table.rules
        for rule in unread_rules:
            title = f"{rule} Mend its text, or propose one that can be read"
            named = rule.pk or rule.rule
            in_force = rules.find(named) if rule.pk or rules.in_force(rule.rule) else None
            if in_force and in_force.is_immutable:
                yield Duty(title, rule=rule.rule)
                continue
            inputs = {"rule": rules.called(in_force) if rule.pk and in_force else rule.rule}
            yield Duty(title, rule=rule.rule, action="rulebook.amend", inputs=inputs)
