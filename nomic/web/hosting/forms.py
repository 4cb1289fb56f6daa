"""Forms for who starts a game or invites others to it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from nomic.engine.forms import Text
from nomic.engine.subgames import shipped_in
from nomic.games.calendars import week_start
from nomic.games.models import JoinedBy, Pace, SeenBy
from nomic.games.names import LONGEST_NAME, validate_player_name
from nomic.games.offices import Offices
from nomic.games.presets import PRESETS, Preset, least_ballots
from nomic.games.voters import Voters
from nomic.standard.bots import MOST_BOTS

NOT_HERE = frozenset({"demo"})
NOMIC = "nomic"  # the kind of game into which rules come from elsewhere
MOST_INVITED = 100  # by one link
_WEEK = 7 * 24 * 3600  # seconds
_PACES = {
    "real": ("A week of the game is a real week: a game beside everyday life.", _WEEK),
    "day": ("A week of the game lasts a day.", 24 * 3600),
    "hour": ("A week of the game lasts an hour.", 3600),
    "minutes": ("A week of the game lasts five minutes: to try things out.", 300),
}
_OFFICES = {
    Offices.SUPPORT: "by the players: who is supported by more than half of the others",
    Offices.HOST: "by you, the host",
    Offices.OPEN: "by whoever takes a vacant one (not at the real pace)",
}
_MOST_PLAYERS = 1000  # of whom one asks what a quorum means to them
_EARLIEST, _LATEST = date(1990, 1, 1), date(2200, 1, 1)
_MOST_BACK = timedelta(days=31)


def presets() -> list[Preset]:
    """The kinds of game that one may start in a browser."""
    return [preset for name, preset in PRESETS.items() if name not in NOT_HERE]


def _ballots_asked(preset: str) -> int | None:
    """The quorum in ballots of a rule with which such a game begins; None where none has one."""
    shipped = shipped_in(PRESETS[preset].rulebooks) if preset in PRESETS else ()
    return next(filter(None, (least_ballots(rule.text) for rule in shipped)), None)


def what_a_quorum_means(preset: str, players: str, quorum: str) -> str:
    """How many of so many players have to vote by the quorum, or that of the rules, as a sentence,
    from what somebody has typed until now; a sentence as well where that is not known yet."""
    asked = _ballots_asked(preset)
    if asked is None:
        return "There the quorum is a part of the players, or there is none."
    typed = [int(each) if each.isdecimal() and len(each) < 5 else 0 for each in (players, quorum)]
    many, ballots = typed[0], typed[1] or asked
    if not many:
        return f"Say how many will play, and you read here what {ballots} ballots mean to them."
    absent = many - min(ballots, many)
    if absent:
        return f"{ballots} of {many} players have to vote: {absent} may be absent."
    if many == 1:
        return "The only player has to vote."
    fits = f" With a quorum of {many - 1} one may always be absent."
    return f"All {many} players have to vote: where one is absent, every vote fails.{fits}"


class StartForm(forms.Form):
    """Everything that is asked of who starts a game."""

    preset = forms.ChoiceField(
        choices=lambda: [(each.name, each.title) for each in presets()],
        widget=forms.RadioSelect,
        initial="agora",
        label="What is played",
    )
    rules = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    title = Text(longest=60, label="Name of the game")
    law = forms.ChoiceField(
        choices=lambda: [(name, law.title) for name, law in PRESETS[NOMIC].laws.items()],
        required=False,
        label="A nomic votes",
        help_text="Only for “A nomic”: the voting law it begins with, a few rules that the program"
        " plays. All else that its rules say, you carry out yourselves.",
    )
    pace = forms.ChoiceField(
        choices=[(name, said) for name, (said, _) in _PACES.items()], label="Pace"
    )
    first_day = forms.DateField(
        required=False,
        label="First day",
        help_text="The day on which the game's time begins. At the real pace it is today or up to a"
        " month ago, and today if you leave it out; at the others any day, and Monday if you leave"
        " it out, so that the first week is a whole one.",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    seen_by = forms.ChoiceField(choices=SeenBy.choices, label="Who sees it")
    joined_by = forms.ChoiceField(choices=JoinedBy.choices, label="Who may join")
    offices = forms.ChoiceField(choices=list(_OFFICES.items()), label="Offices are filled")
    voters = forms.ChoiceField(
        choices=Voters.choices,
        label="Who votes",
        required=False,
        help_text="Where every player votes at once, one person who joins with many accounts"
        " outvotes all others: choose it where you know who comes. After seven days of the game,"
        " such accounts and every other newcomer have had to wait, and vote then. If the host"
        " accepts, you let each newcomer vote, or never do. If most of the voters accept, they"
        " decide that together, and you alone cannot. Who does not vote yet plays like everybody"
        " else. Quorums, majorities and support count those who vote, in the contest as well.",
    )
    players = forms.IntegerField(
        min_value=1,
        max_value=_MOST_PLAYERS,
        required=False,
        label="How many will play",
        help_text="People and practice players, for what stands below. It binds nobody.",
    )
    quorum = forms.IntegerField(
        min_value=1,
        max_value=_MOST_PLAYERS,
        required=False,
        label="Quorum at Agora",
        help_text="So many ballots a vote needs, or it fails, whatever they say; no quorum is"
        " greater than the number of players. Leave it empty for the 3 ballots of Agora’s rules: of"
        " three players all must vote then, of two both, of four one may be absent.",
    )
    bots = forms.IntegerField(
        min_value=0,
        max_value=MOST_BOTS,
        initial=0,
        required=False,
        label="Practice players",
        help_text="How many players the program plays, so that you have company. You can add and"
        " remove them later as well.",
        error_messages={"max_value": f"A game has at most {MOST_BOTS} practice players."},
    )
    name = Text(
        longest=LONGEST_NAME,
        required=False,
        label="Your own name in the game",
        help_text="You take a seat under it. Leave it empty to host without playing.",
    )

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name:
            validate_player_name(name)
        return name

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        day, pace = found.get("first_day"), found.get("pace")
        if day and not _EARLIEST <= day <= _LATEST:
            self.add_error("first_day", f"Choose a day from {_EARLIEST} to {_LATEST}.")
        if pace == "real" and found.get("offices") == Offices.OPEN:
            sentence = "At the real pace offices are filled by the players or by you."
            self.add_error("offices", sentence)
        if found.get("preset") != NOMIC:
            found["law"] = ""
        if found.get("rules") and found.get("preset") != NOMIC:
            self.add_error("preset", "Rules that you bring come into “A nomic”: choose that.")
        if found.get("quorum") and _ballots_asked(found.get("preset", "")) is None:
            sentence = "There the quorum is no number of ballots: leave it as the rules have it."
            self.add_error("quorum", sentence)
        return found

    def asked(self, now: datetime) -> dict[str, Any]:
        """How the game is to begin, at this wall moment, as the starter takes it.

        Raises ValidationError where its first day and its pace do not agree.
        """
        found = self.cleaned_data
        rate = _WEEK // _PACES[found["pace"]][1]
        pace = Pace.REAL if rate == 1 else Pace.FAST
        day, today = found["first_day"], now.date()
        start: datetime | None = None
        if day is None:
            start = None if pace == Pace.REAL else week_start(now)
        elif pace == Pace.REAL and not today - _MOST_BACK <= day <= today:
            sentence = "At the real pace the game begins today, or up to a month ago."
            raise ValidationError({"first_day": sentence})
        elif day != today:
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
        return {
            "pace": pace,
            "rate": rate,
            "start": start,
            "voters": found["voters"] or Voters.EVERYBODY,
            **{
                name: found[name]
                for name in ("title", "seen_by", "joined_by", "offices", "quorum", "law")
            },
        }


class InvitationForm(forms.Form):
    """A new invitation link: its name for the host, and how many people it lets in."""

    name = Text(
        longest=60,
        label="For whom?",
        help_text="A name by which you will know it, such as “friends”. Nobody else sees it.",
    )
    most = forms.IntegerField(
        min_value=1,
        max_value=MOST_INVITED,
        initial=10,
        label="How many people it lets in",
        error_messages={
            "min_value": "It lets in at least one.",
            "max_value": f"It lets in at most {MOST_INVITED}.",
            "invalid": "This is a whole number.",
        },
    )
