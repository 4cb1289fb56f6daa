"""Changing one spot of a rule: a small form with what stands there, what it would change, and the
draft in which such changes gather."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_safe

from nomic.engine.subgames import in_play
from nomic.rulebook.cell_words import in_any_case
from nomic.rulebook.changes.gathering import NotGathered, Rules, gathered, headline, takes_more
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.models import RuleVersion
from nomic.rulebook.spots import Spot, SpotKind, same_spot, spot_at
from nomic.web.game_context import GamePage, query_word, rule_url
from proposals.models import Draft
from proposals.state.reading import state_of
from proposals.web.finding import for_authors
from proposals.web.preview.told import BodyPreview
from proposals.web.sheet import NotKept, Sheet, Written, drafts_of, save_draft
from proposals.web.ways import figures_by

_LOOKED_AT = 5  # drafts, the newest, among which one takes another change
_SHOWN = 60  # characters of a sentence that is quoted
_KEPT = 200  # characters that a single line has at most in the small form


@require_http_methods(("GET", "HEAD", "POST"))
@for_authors
def proposal_spot(
    request: HttpRequest, game_page: GamePage, rule: int, version: int, kind: str, start: int
) -> HttpResponse:
    """The form of the spot that began with that character in that version of the rule (GET); look
    what other words there would change, or put them into a draft (POST)."""
    tapped = _tapped(request, game_page, (rule, version), (kind, start))
    pressed = request.POST.get("do", "")
    if request.method == "POST" and tapped.spot is not None:
        try:
            tapped.weigh()
            is_meant = tapped.anyway or not (tapped.broken or tapped.moved)
            if pressed in ("propose", "gather") and is_meant:
                return _gathered(request, tapped, go_on=pressed == "gather")
        except (NotGathered, NotKept) as wrong:
            tapped.refused = str(wrong)
    is_part = bool(getattr(request, "htmx", False))
    part = "#would" if is_part and pressed == "look" else "#form" if is_part else ""
    undone = pressed in ("propose", "gather")
    status = 409 if undone or (tapped.spot is None and request.method == "POST") else 200
    return game_page.draw(f"proposals/spot.html{part}", status=status, tapped=tapped)


@require_safe
@for_authors
def proposal_figures(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The figures of the rules that can be changed, those first that the words in the address tell
    of, each with the address of its form."""
    words = query_word(request, "words")
    slug = game_page.game.slug
    figures = [
        (
            rule,
            spot,
            reverse("proposal_spot", args=[slug, rule.pk, rule.version, "cell", spot.start]),
        )
        for rule, spot in figures_by(game_page.table, words)
    ]
    return game_page.draw("proposals/figures.html", words=words, figures=figures)


def _gathered(request: HttpRequest, tapped: "Tapped", *, go_on: bool) -> HttpResponse:
    """Save the draft with the change; then to it, or back to the rule to tap on."""
    draft = tapped.save()
    slug = tapped.game_page.game.slug
    if draft is None:
        messages.success(request, "It is as it was, so nothing of it is left in your draft.")
        return redirect(tapped.rule_url)
    address = reverse("proposal_draft", args=[slug, draft.pk])
    if go_on:
        sentence = (
            'Added to your draft “{}”. Tap what else is to change, or <a href="{}">propose it</a>.'
        )
        messages.success(request, format_html(sentence, draft.title, address))
        return redirect(tapped.rule_url)
    return redirect(address)


@dataclass
class Tapped:
    """A spot as somebody has tapped it, `then`, and as it is in the rule in force; `rule` and
    `spot` are None where it is there no more.

    `words` are those typed; `refused` says why they cannot stand there, `moved` what has become of
    the rule meanwhile. Where it was weighed, `body` and `title` are those of the draft with it, and
    `looked` is their preview.
    """

    game_page: GamePage
    then: Spot
    address: str
    version: int
    title_then: str
    rule: RuleText | None
    spot: Spot | None
    words: str
    draft: Draft | None = None
    drafts: Sequence[Draft] = ()
    anyway: bool = False
    moved: str = ""
    refused: str = ""
    body: str = ""
    title: str = ""
    looked: BodyPreview | None = field(default=None, repr=False)

    @property
    def rule_url(self) -> str:
        """The page of its rule."""
        slug = self.game_page.game.slug
        if self.rule is None:
            return reverse("rules", args=[slug])
        return rule_url(self.game_page.game, self.rule.title, self.rule.pk)

    @property
    def is_long(self) -> bool:
        """Whether it has room of several lines."""
        return (
            self.then.kind is SpotKind.SENTENCE
            or max(map(len, (self.words, self.then.words))) > _KEPT
        )

    @property
    def is_figure(self) -> bool:
        """Whether a number stands there, of which nothing is typed again."""
        return self.spot is not None and not self.spot.words.strip("0123456789.")

    @property
    def label(self) -> str:
        """The place of it in words."""
        match self.then.kind:
            case SpotKind.CELL if self.then.place:
                return f"{self.then.row}, {self.then.column}"
            case SpotKind.CELL:
                return self.then.column
            case SpotKind.FIGURE:
                return "The figure in this sentence"
        return "This sentence"

    @property
    def around(self) -> str:
        """The sentence in which a figure stands."""
        if self.rule is None or self.spot is None or self.spot.kind is not SpotKind.FIGURE:
            return ""
        start, end = self.spot.within
        return self.rule.text[start:end]

    @property
    def is_new(self) -> bool:
        """Whether something else was typed than what stands there."""
        return self.spot is not None and self.words.strip() not in ("", self.spot.words)

    @property
    def broken(self) -> tuple[str, ...]:
        """What of the rules could not be read any more with it."""
        return self.looked.broken if self.looked else ()

    @property
    def said(self) -> str:
        """What it would change for who plays, by the words that the subgames have for it."""
        if self.rule is None or self.spot is None or not self.is_new:
            return ""
        titles, new = (self.rule.title, self.rule.known_as), " ".join(self.words.split())
        sentences = (
            subgame.cells.of(titles, self.spot, new) for subgame in in_play(self.game_page.game)
        )
        return next(filter(None, sentences), "") or in_any_case(self.spot, new)

    @property
    def rules(self) -> Rules:
        """The public rules in force."""
        rules = self.game_page.table.rules
        return Rules(RulesInForce(rules.public), rules.shares_titles)

    def weigh(self) -> None:
        """Work out what the draft is with it, and what that would change. Raises NotGathered."""
        assert self.rule is not None
        assert self.spot is not None
        before = self.draft.body if self.draft else ""
        self.body = gathered(before, self.rules, self.rule, self.spot, self.words)
        self.title = self.draft.title if self.draft else ""
        if self.title in ("", headline(before, self.rules)):
            self.title = headline(self.body, self.rules)
        self.looked = Sheet(self.game_page, Written({"body": self.body})).look()

    def save(self) -> Draft | None:
        """Keep the draft with it; None where nothing is left in it. Raises NotKept."""
        assert self.game_page.player is not None
        written = Written.of_draft(self.draft) if self.draft else Written({})
        values = {**written.values, "title": self.title, "body": self.body}
        if not self.body and self.draft is not None:
            self.draft.delete()
            return None
        if index := self._index(values.get("index", "")):
            values["index"] = index
        written = Written(values, key=written.key, seen=written.seen)
        return save_draft(self.game_page.player, written)

    def _index(self, typed: str) -> str:
        """The adoption index without which it could not change a rule of more power."""
        power = self.rule.power if self.rule else None
        if not power or power <= 1 or state_of(self.game_page.table).edition.period != "each":
            return ""
        with suppress(InvalidOperation):
            if typed and Decimal(typed) >= power:
                return typed
        return f"{power.normalize():f}"


def _tapped(
    request: HttpRequest, game_page: GamePage, of_rule: tuple[int, int], place: tuple[str, int]
) -> Tapped:
    """The spot that was tapped, in the version that its page had. Raises Http404."""
    pk, version = of_rule
    kind, start = place
    versions = RuleVersion.objects.filter(rule__game=game_page.game, rule__visibility="public")
    text = versions.filter(rule=pk, number=version).first()
    then = spot_at(text.text, start, kind) if text else None
    if text is None or then is None:
        raise Http404("Nothing stands there that could be changed: open the rule and tap again.")
    assert game_page.player is not None
    rule = next((rule for rule in game_page.table.rules.public if rule.pk == pk), None)
    spot, moved = None, ""
    if rule is None:
        moved = f"“{text.title}” was repealed meanwhile, so nothing of it can be changed any more."
    elif rule.is_immutable:
        moved = (
            f"“{text.title}” is immutable: it has to be transmuted before anything of it changes."
        )
    else:
        spot = then if rule.version == version else same_spot(then, rule.text)
        moved = _what_moved(text.title, then, spot)
    drafts = [
        draft
        for draft in drafts_of(game_page.player).filter(revises=None)[:_LOOKED_AT]
        if takes_more(draft.body)
    ]
    wanted = request.POST.get("into", str(drafts[0].pk) if drafts else "")
    tapped = Tapped(
        game_page,
        then,
        reverse("proposal_spot", args=[game_page.game.slug, pk, version, kind, start]),
        version,
        text.title,
        rule,
        spot,
        request.POST.get("words", spot.words if spot else then.words),
        next((draft for draft in drafts if str(draft.pk) == wanted), None),
        drafts[:1],
        "anyway" in request.POST,
        moved,
    )
    if tapped.is_figure and request.method != "POST":
        tapped.words = ""
    return tapped


def _what_moved(title: str, then: Spot, now: Spot | None) -> str:
    shown = then.words if len(then.words) <= _SHOWN else f"{then.words[:_SHOWN]}…"
    if now is None:
        return f"“{title}” was changed meanwhile, and “{shown}” stands there no more."
    if now.words != then.words:
        return f"“{title}” was changed meanwhile: where “{shown}” stood is “{now.words}” now."
    return ""
