"""Telling the site's operator, and the game's host, of a remark or a player."""

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.forms import Text
from nomic.games.bounds import COMPLAINTS_A_DAY
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.outbox import to_its_host, write
from nomic.standard.models import Complaint, Remark
from nomic.web.game_page import open_game, said, viewer
from nomic.web.paging import number_of

_A_DAY = timedelta(days=1)


class ComplaintForm(forms.Form):
    """A complaint to the site's operator, and to the game's host."""

    words = Text(
        lines=True,
        longest=1000,
        label="What is wrong?",
        help_text="The operator of this site reads it with your user name, and the game’s host"
        " without it, unless it is about them.",
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def complain(request: HttpRequest, slug: str) -> HttpResponse:
    """The form about the remark or the player that the address names; 429 after ten in a day."""
    user = viewer(request)
    game_page = open_game(request, slug)
    about, remark = _about(request, game_page.game)
    form, status = ComplaintForm(request.POST or None), 200
    if request.method == "POST":
        now, status = wall_now(), 422
        too_many = f"You have reported {COMPLAINTS_A_DAY.count} things today, which is the most."
        recent = user.complaints.filter(at__gt=now - _A_DAY)
        if form.is_valid() and recent.count() >= COMPLAINTS_A_DAY.count:
            form.add_error(None, too_many)
            status = 429
        elif form.is_valid():
            made = Complaint.objects.create(
                game=game_page.game,
                by=user,
                about=about,
                quoted=remark.text if remark else "",
                words=form.cleaned_data["words"],
                at=now,
            )
            if about.user_id != game_page.game.host_id:
                text = f"Somebody complains about {about} in {game_page.game}."
                url = reverse("host", args=[slug]) + "#complaints"
                told = to_its_host(game_page.game, text, url)
                write(game_page.table, told, where=f"complaint {made.pk}")
            messages.success(request, "The operator of this site has it on their desk now.")
            return redirect("talk", slug)
    return game_page.draw(
        "web/hosting/complain.html", status=status, form=form, about=about, remark=remark
    )


def _about(request: HttpRequest, game: Game) -> tuple[Player, Remark | None]:
    """Whom it is about, and with which remark; raises Http404."""
    number = number_of(request.GET.get("remark"))
    remark = game.remarks.select_related("player").filter(number=number).first() if number else None
    if remark is not None:
        return remark.player, remark
    about = game.players.filter(name=said(request, "player")).first()
    if about is None:
        raise Http404("There is no such remark or player in this game.")
    return about, None
