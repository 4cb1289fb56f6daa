"""Starting a game in a browser: who makes it is its host."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import count
from time import thread_time
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.forms import Text
from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.subgames import shipped_in
from nomic.engine.take import take
from nomic.games.calendars import week_start
from nomic.games.clock import wall_now
from nomic.games.models import HIGHEST_NUMBER, Game, Invitation, JoinedBy, Pace, SeenBy
from nomic.games.names import LONGEST_NAME, validate_player_name
from nomic.games.powers import Offices, Voters
from nomic.games.presets import PRESETS, Preset, least_ballots
from nomic.governance.absence import MOST_DAYS
from nomic.governance.bots import MOST_BOTS, add_bots
from nomic.governance.motions import JOIN
from nomic.rulebook.formats.values import Brought
from nomic.web.demonstration import SLUG
from nomic.web.game_context import viewer
from nomic.web.hosting import bringing
from nomic.web.hosting.game_starter import BadSetup, start
from nomic.web.models import Bringing
from nomic.web.newcomers.guests import joining_refusal

_LONGEST = 28
_FIRST_LINK = 20  # people
NOT_HERE = frozenset({"demo"})
NOMIC = "nomic"  # the kind of game into which rules come from elsewhere
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
_WHO, _PACE = ("name", "seen_by", "joined_by", "bots"), ("pace",)
"""The fields of the form's second and third step; those of the first are `preset` and `title`."""
_MORE = (
    "law",
    "proposals_from",
    "first_day",
    "offices",
    "voters",
    "players",
    "quorum",
    "silent_days",
)
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
    typed = [
        int(digits) if digits.isdecimal() and len(digits) < 5 else 0 for digits in (players, quorum)
    ]
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
        choices=lambda: [(preset.name, preset.title) for preset in presets()],
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
    proposals_from = forms.IntegerField(
        min_value=1,
        max_value=HIGHEST_NUMBER,
        required=False,
        label="Number of the first proposal",
        help_text="Only for “A nomic”: where proposals were numbered before, they go on from here.",
    )
    pace = forms.ChoiceField(
        choices=[(name, sentence) for name, (sentence, _) in _PACES.items()], label="Pace"
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
        help_text="People and practice players together. It only serves to work out the quorum"
        " below: more or fewer may play.",
    )
    quorum = forms.IntegerField(
        min_value=1,
        max_value=_MOST_PLAYERS,
        required=False,
        label="Quorum at Agora",
        help_text="A vote with fewer ballots than this fails. The quorum is never greater than"
        " the number of players. Leave it empty for the 3 ballots of Agora’s rules: then two or"
        " three players must all vote, and of four one may be absent.",
    )
    silent_days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        required=False,
        label="Away after so many silent days",
        help_text="Who has not acted for so many days of the game is away: no quorum and no"
        " majority counts them until they act again. The game begins with a rule that says so, and"
        " which the players can change. Leave it empty for no such rule.",
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
        cleaned = super().clean() or {}
        day, pace = cleaned.get("first_day"), cleaned.get("pace")
        if day and not _EARLIEST <= day <= _LATEST:
            self.add_error("first_day", f"Choose a day from {_EARLIEST} to {_LATEST}.")
        if pace == "real" and cleaned.get("offices") == Offices.OPEN:
            sentence = "At the real pace offices are filled by the players or by you."
            self.add_error("offices", sentence)
        if cleaned.get("preset") != NOMIC:
            cleaned["law"], cleaned["proposals_from"] = "", None
        if cleaned.get("rules") and cleaned.get("preset") != NOMIC:
            self.add_error("preset", "Rules that you bring come into “A nomic”: choose that.")
        if cleaned.get("quorum") and _ballots_asked(cleaned.get("preset", "")) is None:
            sentence = "There the quorum is no number of ballots: leave it as the rules have it."
            self.add_error("quorum", sentence)
        return cleaned

    def asked(self, now: datetime) -> dict[str, Any]:
        """How the game is to begin, at this wall moment, as the starter takes it.

        Raises ValidationError where its first day and its pace do not agree.
        """
        choices = self.cleaned_data
        rate = _WEEK // _PACES[choices["pace"]][1]
        pace = Pace.REAL if rate == 1 else Pace.FAST
        day, today = choices["first_day"], now.date()
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
            "voters": choices["voters"] or Voters.EVERYBODY,
            **{
                name: choices[name]
                for name in (
                    "title",
                    "seen_by",
                    "joined_by",
                    "offices",
                    "quorum",
                    "silent_days",
                    "law",
                    "proposals_from",
                )
            },
        }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def start_game(request: HttpRequest) -> HttpResponse:
    """The form, and the game by POST; whoever cannot start one is told why. Of the form as it is
    being filled in, what its quorum means."""
    user = viewer(request)
    if "HX-Request" in request.headers:
        typed = {name: request.GET.get(name, "") for name in ("preset", "players", "quorum")}
        quorum_part = {"quorum_means": what_a_quorum_means(**typed)}
        return render(request, "web/hosting/start.html#quorum", quorum_part)
    begun_with = {"name": user.get_username(), "preset": request.GET.get("preset", "agora")}
    draft = Bringing.objects.draft_of(user)
    if draft:
        begun_with |= {"preset": NOMIC, "rules": draft.digest}
    form = StartForm(request.POST or None, initial=begun_with)
    if request.method == "POST" and form.is_valid():
        game = begin(form, user)
        if game is not None:
            warning = take_seats(game, user, form.cleaned_data["name"], form.cleaned_data["bots"])
            if warning:
                messages.warning(request, warning)
            return redirect("host", game.slug)
    context = {
        "form": form,
        "presets": [
            (preset, _pictures(preset.rulebooks))
            for preset in presets()
            if draft is None or preset.name == NOMIC
        ],
        "chosen": form["preset"].value(),
        "who": [form[name] for name in _WHO],
        "pace": [form[name] for name in _PACE],
        "more": [form[name] for name in _MORE],
        "opens_more": any(name in form.errors for name in _MORE),
        "quorum_means": what_a_quorum_means(
            *(str(form[name].value() or "") for name in ("preset", "players", "quorum"))
        ),
        "hosted": Game.objects.hosted_by(user).count(),
        "most": settings.HOSTED_GAMES,
        "draft": draft,
    }
    return render(request, "web/hosting/start.html", context, status=422 if form.errors else 200)


def begin(form: StartForm, user: User) -> Game | None:
    """The new game, with a first invitation; None where the form says now why there is none."""
    begun = thread_time()
    try:
        asked = {**form.asked(wall_now()), "brought": _brought(form, user)}
        # Whether a slug is taken only the attempt tells: others start games at the same time.
        for slug in _slugs(asked["title"], guessable=asked["seen_by"] != SeenBy.LINK):
            game, is_new = start(
                slug,
                form.cleaned_data["preset"],
                host=user,
                most_hosted=settings.HOSTED_GAMES,
                **asked,
            )
            if is_new:
                break
    except (BadSetup, ValidationError) as wrong:
        form.add_error(None, wrong if isinstance(wrong, ValidationError) else str(wrong))
        return None
    finally:
        if form.cleaned_data["rules"]:  # thousands of rules take seconds to be written
            bringing.charge(user.pk, thread_time() - begun)
    if form.cleaned_data["rules"]:
        bringing.forget(user)
    Invitation.objects.create(
        game=game, made_by=user, name="Friends", most=_FIRST_LINK, made_at=wall_now()
    )
    return game


def _brought(form: StartForm, user: User) -> Brought | None:
    """The rules with which the game is to begin; raises BadSetup where they are not kept."""
    digest = form.cleaned_data["rules"]
    if not digest:
        return None
    try:
        bringing.check_share(user)
    except bringing.NotNow as not_now:
        raise BadSetup(str(not_now)) from None
    draft = Bringing.objects.draft_of(user)
    if draft is None or draft.digest != digest:
        raise BadSetup("The rules that you brought are not kept here any more: bring them again.")
    return bringing.rules_of(draft)


def _slugs(title: str, *, guessable: bool) -> Iterator[str]:
    """Addresses for a game of that name, the best first; nobody guesses those that are not to be
    guessed."""
    base = slugify(title)[:_LONGEST].strip("-_").replace("_", "-") or "game"
    if not guessable:
        while True:
            yield f"{base}-{secrets.token_hex(5)}"
    if base != SLUG:
        yield base
    for number in count(2):
        yield f"{base}-{number}"


def take_seats(game: Game, user: User, name: str, bots: int) -> str:
    """Let the host take a seat under that name, and so many practice players, where they are
    wanted; returns why not everybody has one, as a sentence, "" where everybody has."""
    try:
        if name and (refusal := joining_refusal(user, game.slug)):
            raise Refused(refusal)
        if name:
            take(game.slug, user, JOIN, {"name": name})
        if bots:
            add_bots(game, bots, by=user)
    except (Refused, Malformed, Busy) as error:
        return f"The game has begun, but not everybody has a seat: {error}"
    return ""


@cache
def _pictures(rulebooks: tuple[str, ...]) -> tuple[str, ...]:
    """The templates that draw what is played by these rules."""
    templates = []
    for app in dict.fromkeys(name.partition("/")[0] for name in rulebooks):
        template = f"web/pictures/{app}.html"
        with suppress(TemplateDoesNotExist):
            get_template(template)
            templates.append(template)
    return tuple(templates)
