"""The rulebook: what is in force, every version, and the difference between any two."""

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from nomic.play.frame import Frame, open_game, rule_url
from nomic.rulebook.differences import differences, render_differences
from nomic.rulebook.markdown import render as render_text
from nomic.rulebook.models import Rule, RuleVersion


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """All rules in force, in the book's order, and those that were repealed."""
    frame = open_game(request, slug)
    found = list(
        frame.game.rules.filter(visibility="public").select_related("parent").defer("text")
    )
    pages = [(rule, rule_url(frame.game, rule.title, rule.pk)) for rule in found]
    context = {
        "frame": frame,
        "in_force": [(rule, url) for rule, url in pages if rule.repealed_in is None],
        "repealed": [(rule, url) for rule, url in pages if rule.repealed_in is not None],
    }
    return render(request, "pages/rules.html", context)


@require_safe
def rule(request: HttpRequest, slug: str, page: str) -> HttpResponse:
    """One rule: its text, or an older version, or the difference between two (`from`, `to`)."""
    frame = open_game(request, slug)
    found = _find(frame, page)
    versions = list(found.versions.all())
    shown = _version(request.GET.get("version", ""), versions) or versions[-1]
    old, new = (_version(request.GET.get(side, ""), versions) for side in ("from", "to"))
    context = {
        "frame": frame,
        "rule": found,
        "url": rule_url(frame.game, found.title, found.pk),
        "versions": versions[::-1],
        "shown": shown,
        "newest": versions[-1],
        "text": render_text(shown.text),
        "old": old,
        "new": new,
        "changes": render_differences(differences(old.text, new.text)) if old and new else "",
    }
    return render(request, "pages/rule.html", context)


def _find(frame: Frame, page: str) -> Rule:
    number = page.rpartition("-")[2]
    oldest_first = Prefetch("versions", RuleVersion.objects.order_by("number"))
    rules = frame.game.rules.filter(visibility="public").prefetch_related(oldest_first)
    found = rules.filter(pk=int(number[:18])).first() if number.isdecimal() else None
    if found is None:
        raise Http404("This rulebook has no such rule. The rulebook lists those that it has.")
    return found


def _version(number: str, versions: list[RuleVersion]) -> RuleVersion | None:
    return next((version for version in versions if str(version.number) == number), None)
