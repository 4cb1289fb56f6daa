"""How much there may be of anything, and how long anything may take: said here and nowhere else.

A bound that decides what happens in a game is that game's own figure: its settings have it from the
beginning, and it changes by an entry of the record, so that a replay meets the same one. What only
decides how soon, how much of a page, or how much of the machine is the site's, and comes from the
environment. docs/scaling.md shows all of them (`manage.py bounds` writes that table).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.infrastructure.caching.memory import set_budget

BOUNDS = "bounds"  # the setting of a game that has its own figures


@dataclass(frozen=True, slots=True)
class GameBound:
    """At most so many of a `unit` in its `subject`, as it stands in new games, and the
    `cause` of that figure."""

    name: str
    most: int
    unit: str
    subject: str
    cause: str

    def of(self, game: Game) -> int:
        """The game's own figure."""
        return int(game.setting(BOUNDS)[self.name])

    def refusal(self, game: Game, amount: int, rule: str = "") -> Refusal | None:
        """The refusal of that `amount` of them, where that is more than the game lets be."""
        limit = self.of(game)
        if amount <= limit:
            return None
        sentence = (
            f"{self.subject} has at most {limit:,} {self.unit}, and this would be {amount:,}."
        )
        return Refusal("too_much", sentence, rule)


@dataclass(frozen=True, slots=True)
class SiteBound:
    """At most so many of a `unit` in its `subject`, in the whole site, and the `cause` of
    that figure; its setting makes it another."""

    name: str
    usual: float
    unit: str
    subject: str
    cause: str

    @property
    def most(self) -> float:
        """The figure that counts on this site: its setting's, else the usual one; in `unit`."""
        figures: Mapping[str, float] = settings.BOUNDS
        return figures.get(self.name, self.usual)

    @property
    def count(self) -> int:
        """The figure that counts on this site, cut to a whole number."""
        return int(self.most)

    @property
    def setting(self) -> str:
        """The variable of the environment that makes it another."""
        return f"NOMIC_BOUND_{self.name.upper()}"


_GAME: list[GameBound] = []
_SITE: list[SiteBound] = []


def _game(name: str, most: int, unit: str, subject: str, cause: str) -> GameBound:
    _GAME.append(GameBound(name, most, unit, subject, cause))
    return _GAME[-1]


def _site(name: str, usual: float, unit: str, subject: str, cause: str) -> SiteBound:
    _SITE.append(SiteBound(name, usual, unit, subject, cause))
    return _SITE[-1]


def game_bounds() -> list[GameBound]:
    """Every bound that is a game's own figure."""
    return list(_GAME)


def site_bounds() -> list[SiteBound]:
    """Every bound that is one figure for the whole site."""
    return list(_SITE)


def usual_bounds() -> dict[str, int]:
    """The figures with which a game begins, by the bounds' names."""
    return {bound.name: bound.most for bound in _GAME}


# What one act or event may record, whatever it does

ACT_BYTES = _game("act_bytes", 1_000_000, "bytes of the record", "What a player does",
                  "every copy has them for good; options of rolls do not count")  # fmt: skip
EVENT_BYTES = _game("event_bytes", 40_000_000, "bytes of the record", "An event or officer's act",
                    "100,000 players may be in it; the database takes no 256 MB")  # fmt: skip

# What programs cause at one act or event

_ACT = "What programs do at one act"
ROLLS = _game("rolls", 100, "rolls", _ACT, "each is a row and stands in the entry")
MOVES = _game(
    "moves", 1000, "movements of assets", _ACT,
    "each is two postings, checked by the database at commit",
)  # fmt: skip
CALLS = _game(
    "calls", 50, "calls", _ACT,
    "each is a run in the sandbox; what only decides is counted by itself",
)  # fmt: skip
QUESTIONS = _game(
    "questions", 300, "questions to the game", _ACT,
    "each is a way from the sandbox and back; rolls are among them",
)  # fmt: skip
SENTENCES = _game("sentences", 60, "sentences", _ACT, "everybody reads them in one entry")
PROGRAM_BYTES = _game(
    "program_bytes", 300_000, "bytes", _ACT,
    "the entry keeps them for good, the states of rules until they change",
)  # fmt: skip

# What the programs of a game's rules declare, all together

_OF_RULES = "A rulebook"
PROGRAM_EVENTS = _game(
    "program_events", 100, "appointments of programs", _OF_RULES,
    "each happens by itself every day, week or month",
)  # fmt: skip
PROGRAM_ACTIONS = _game(
    "program_actions", 200, "actions of programs", _OF_RULES, "each is a form on the game's pages"
)
PROGRAM_HOOKS = _game(
    "program_hooks", 200, "functions that run beside something else", _OF_RULES,
    "each may be called at each act",
)  # fmt: skip
PROGRAM_VIEWS = _game(
    "program_views", 50, "views of programs", _OF_RULES, "each is drawn on the game's pages"
)
PROGRAM_ASSETS = _game(
    "program_assets", 200, "currencies and things of programs", _OF_RULES,
    "the ledger has them for good, and pages a column",
)  # fmt: skip

# Pages, and what processes keep

PAGE_SECONDS = _site(
    "page_seconds", 0.8, "seconds", "What a page works out for whoever asks",
    "after that it says so, and a worker does the rest once for all",
)  # fmt: skip
WORKER_SECONDS = _site(
    "worker_seconds", 20, "seconds", "What a worker works out for a page",
    "after that the page says that it is not told, and what would help",
)  # fmt: skip
COUNTED_SECONDS = _site(
    "counted_seconds", 1, "seconds", "What an answer of the API waits for what a worker counts",
    "after that it tells null, and a later one the figure",
)  # fmt: skip
KEPT_MEGABYTES = _site(
    "kept_megabytes", 160, "MB", "What a process keeps of texts and of what it read in them",
    "each of a site's processes has as much, and the texts are players'",
)  # fmt: skip
set_budget(lambda: KEPT_MEGABYTES.count * 2**20)
SEARCH_SECONDS = _site(
    "search_seconds", 1.0, "seconds", "What the database looks through for one search",
    "after that the page shows what was found, and says what was not looked through",
)  # fmt: skip
SEARCHES = _site(
    "searches", 3, "searches", "What the whole site searches at once",
    "each may take a second of a processor of the database's",
)  # fmt: skip
VIEW_KILOBYTES = _site(
    "view_kilobytes", 25, "kB", "What a page shows of one view of a program",
    "of a longer table the first rows are shown, with how many follow",
)  # fmt: skip
VIEWS_KILOBYTES = _site(
    "views_kilobytes", 100, "kB", "What a page shows of all views of programs",
    "the others stand on the pages of their rules",
)  # fmt: skip
COMPARED_LINES = _site(
    "compared_lines", 20_000, "lines", "What a page compares line by line",
    "beyond it, the lines from the first to the last change are shown as replaced",
)  # fmt: skip
COMPARED_CHARACTERS = _site(
    "compared_characters", 60_000, "characters", "What a page compares word by word",
    "beyond it, changed lines are shown as a whole",
)  # fmt: skip
DIFFERENCE_KILOBYTES = _site(
    "difference_kilobytes", 150, "kB", "What a page shows of differences of texts",
    "more than that nobody reads on one page, and everybody's line carries it",
)  # fmt: skip

# Rules, and the proposals that change them

BODY = _game(
    "body", 200_000, "bytes of UTF-8", "The text of a proposal",
    "the entry of its adoption holds it some four times; Agora's longest has some 15,000",
)  # fmt: skip
CHANGES = _game(
    "changes", 500, "changes", "A proposal", "all of one proposal are made in one event"
)
RULE = _game(
    "rule", 200_000, "characters", "The text of a rule", "each change of it goes through all of it"
)
RULES = _game("rules", 2_000, "rules", "The rulebook", "each is read as a process meets the game")
RULEBOOK = _game(
    "rulebook", 2_000_000, "characters", "The rulebook",
    "every process that shows the game has all of it in mind; Agora's has some 300,000",
)  # fmt: skip
RULE_PIECES = _game(
    "rule_pieces", 5_000, "lines and ends of sentences", "The text of a rule",
    "who carries out each is looked for in some 50 µs; Agora's longest has some 150",
)  # fmt: skip
RULEBOOK_PIECES = _game(
    "rulebook_pieces", 30_000, "lines and ends of sentences", "The rulebook",
    "pages look for what nobody carries out in all of them; Agora's has some 8,000",
)  # fmt: skip
EVENT_CHANGES = _game(
    "event_changes", 250, "changes", "What takes effect in one event",
    "beyond it what is adopted follows in events of its own, at the same moment",
)  # fmt: skip
EDITED = _game(
    "edited", 3_000_000, "characters to go through, with all of its rule's text for each change",
    "A proposal", "a hundred thousand take up to 50 ms",
)  # fmt: skip
TRIES = _game(
    "tries", 60, "looks at whether the game could go on", "The adoption of a proposal",
    "each takes some 15 ms; where one change cannot be made, it is looked for among the others",
)  # fmt: skip
VERSIONS = _game("versions", 100, "versions", "A proposal", "each can still be read")
VOTES = _game("votes", 100, "votes", "A player on one proposal", "each can still be read")
REMARKS_OF_PLAYER = _game(
    "remarks_of_player", 100, "comments", "A player on one proposal", "each can still be read"
)
REMARKS = _game("remarks", 5_000, "comments", "A proposal", "each can still be read")

# What waits

PROPOSALS_OF_PLAYER = _game(
    "proposals_of_player", 50, "proposals whose vote has not ended", "A player",
    "players of Agora have some ten at most",
)  # fmt: skip
PROPOSALS = _game(
    "proposals", 20_000, "proposals whose vote has not ended", "The game", "all may end together"
)
WAITING_OF_PLAYER = _game(
    "waiting_of_player", 300_000, "characters of proposals whose vote has not ended", "A player",
    "that is forty of Agora's longest",
)  # fmt: skip
WAITING = _game(
    "waiting", 4_000_000, "characters of proposals whose vote has not ended", "The game",
    "acts and pages read what is voted on",
)  # fmt: skip
BY_HAND = _game(
    "by_hand", 2_000, "sentences that wait to be carried out by hand", "The game",
    "each is a duty; where there are more, those of a proposal are one",
)  # fmt: skip
LISTED = _game(
    "listed", 300, "lines", "A list in a report on proposals",
    "a report is an entry; those that are not listed are counted",
)  # fmt: skip
MOTIONS = _game(
    "motions", 2_000, "announced things that wait", "The game", "acts of all players read them"
)
REPORTS = _game(
    "reports", 500, "reports of recalculations", "The record of a game",
    "each may have 200,000 characters, and stays to be ratified",
)  # fmt: skip
MOTIONS_OF_PLAYER = _game("motions_of_player", 20, "announced things that wait", "A player",
                          "the others look at each of them")  # fmt: skip
ANNOUNCED_OF_PLAYER = _game(
    "announced_of_player", 600_000, "characters of announced things that wait", "A player",
    "acts of all players read them; a rule has at most 200,000",
)  # fmt: skip
ANNOUNCED = _game(
    "announced", 4_000_000, "characters of announced things that wait", "The game",
    "acts of all players read them",
)  # fmt: skip
OFFERS_OF_CONTESTANT = _game("offers_of_contestant", 50, "open offers", "A contestant",
                             "each is looked at by those to whom it is made")  # fmt: skip
PACTS_OF_CONTESTANT = _game("pacts_of_contestant", 50, "open pacts agreed to", "A contestant",
                            "each is read with the contest")  # fmt: skip
OFFERS_OF_SETTLER = _game(
    "offers_of_settler", 50, "open offers", "A Settler", "each is read with the isle"
)
DRAFTS_OF_PLAYER = _game(
    "drafts_of_player", 20, "undecided proposals in the contest", "A player",
    "all that is undecided is counted at each vote",
)  # fmt: skip
DRAFTS = _game(
    "drafts", 500, "undecided proposals", "The contest",
    "all that is undecided is counted at each vote",
)  # fmt: skip
REQUESTS_OF_PLAYER = _game(
    "requests_of_player", 20, "requests that wait for a judgement", "A player", "pages list them"
)
REQUESTS = _game(
    "requests", 500, "requests that wait for a judgement", "The contest", "pages list them"
)

# Dry runs

DRY_RUNS = _site(
    "dry_runs", 120, "dry runs a minute", "An account",
    "each holds its game's lock as an act does, and leaves nothing",
)  # fmt: skip
DRY_RUN_SECONDS = _site(
    "dry_run_seconds", 1, "seconds", "A dry run",
    "others wait for the game meanwhile: after a tenth of that it gives way to them",
)  # fmt: skip

# Recalculations

RECALCULATED = _site(
    "recalculated", 50_000, "acts of the past", "What a worker plays again",
    "each takes some 20 ms; `manage.py recalculate` plays any number",
)  # fmt: skip
RECALCULATION_SECONDS = _site(
    "recalculation_seconds", 1800, "seconds", "What a worker plays again",
    "one is made at a time on the whole site",
)  # fmt: skip
RECALCULATIONS_OF_PLAYER = _site(
    "recalculations_of_player", 5, "recalculations", "A player", "each is minutes of a worker"
)
RECALCULATIONS = _site(
    "recalculations", 20, "recalculations", "A game", "each is minutes of a worker"
)

# Streams of events

STREAMS = _site(
    "streams", 3000, "streams", "A process that streams",
    "each is an open connection and some 40 kB of memory",
)  # fmt: skip
STREAMS_OF_ONE = _site(
    "streams_of_one", 30, "streams", "An account, or an address without one",
    "nobody takes all places; a program needs one for each game",
)  # fmt: skip

# Rulebooks that are brought from elsewhere

BROUGHT_SECONDS = _site(
    "brought_seconds", 10, "seconds", "What a worker reads of a rulebook that somebody brings",
    "Agora's takes one; `manage.py newgame --rules` reads for as long as it takes",
)  # fmt: skip

# What pages lay out

SIGNS = _site(
    "signs", 10_000, "line ends and signs of Markdown", "A text that a page lays out",
    "each takes some 30 µs; beyond it, the text is shown as it was written",
)  # fmt: skip
PAGE_KILOBYTES = _site(
    "page_kilobytes", 750, "kB", "A page of a game, beside what stands in its forms",
    "it is the sum of the bounds of its parts; one that is longer is told in the log",
)  # fmt: skip
TEXT_KILOBYTES = _site(
    "text_kilobytes", 75, "kB", "What a page shows of one text",
    "a longer one is shown in parts, as it was written",
)  # fmt: skip
LIST_KILOBYTES = _site(
    "list_kilobytes", 75, "kB", "What a page shows of a list of what people wrote",
    "the others stand on the next page, or where the list says",
)  # fmt: skip
LIST_LINES = _site("list_lines", 250, "lines", "What a page shows of a list of rules or versions",
                   "the others stand on the next page")  # fmt: skip
REPORT_KILOBYTES = _site(
    "report_kilobytes", 75, "kB", "What a page shows of a report's tables",
    "its text, its sheet and its JSON have all of them",
)  # fmt: skip
CELL_CHARACTERS = _site(
    "cell_characters", 150, "characters", "What a list of the officers' books shows of one value",
    "the row's own page has more of it",
)  # fmt: skip
ANSWER_KILOBYTES = _site(
    "answer_kilobytes", 2_000, "kB", "An answer of the API's that is a list",
    "its header Link names the address of the rest",
)  # fmt: skip

# Requests

REQUEST_SECONDS = _site(
    "request_seconds", 1.0, "seconds", "What a request works off of a game's backlog",
    "after that it is answered with 503, and a worker goes on",
)  # fmt: skip

# A game's share of the disk

DISK_BURST = _site(
    "disk_burst", 32_000_000, "bytes", "What a game writes at once",
    "a rulebook of Agora's is 480 kB; who writes more waits until the day's share has made room",
)  # fmt: skip
DISK_A_DAY = _site(
    "disk_a_day", 100_000_000, "bytes", "What a game writes a day after that",
    "a busy game writes some megabytes a day",
)  # fmt: skip
DISK_OF_A_HOST = _site(
    "disk_of_a_host", 2, "times that of one game", "What all games of one host write",
    "many small games take no more than their host's share",
)  # fmt: skip

# What one account has

WRITTEN_OF_PLAYER = _site("written_of_player", 50, "drafts of proposals", "A player",
                          "each may have 200 kB, and stays until it is deleted")  # fmt: skip
COMPLAINTS_A_DAY = _site("complaints_a_day", 10, "complaints a day", "A user",
                         "the operator reads each")  # fmt: skip

PROGRAMS = _site(
    "programs", 10, "programs", "What one user registers for others to let in",
    "each is shown by its name to whoever is asked to let it in",
)  # fmt: skip
HOOKS = _site(
    "hooks", 10, "webhooks", "What one user has entries of games sent to",
    "each is called again and again for three days where nobody answers",
)  # fmt: skip
TOKENS = _site(
    "tokens", 20, "tokens", "What one user's programs sign in with",
    "who needs more may revoke one; each may ask as often as the others",
)  # fmt: skip

# What each game has of the workers

GAME_SHARE = _site(
    "game_share", 0.1, "of a worker's time", "What a game is kept as soon as the others for",
    "one that takes more waits behind those that do not",
)  # fmt: skip
GAME_BURST = _site(
    "game_burst", 1.0, "seconds of a worker", "What a game takes beyond its share at a time",
    "a week's events come together; the others wait for as long",
)  # fmt: skip
GAME_PATIENCE = _site(
    "game_patience", 600.0, "seconds of a worker",
    "What a game that is behind is given while it falls back further",
    "after that it cannot keep up with its own rules, and is set aside",
)  # fmt: skip
SWEEP_SECONDS = _site(
    "sweep_seconds", 2.0, "seconds", "What one sweep of a worker lasts",
    "the next one is a second away, and others want the worker too",
)  # fmt: skip
