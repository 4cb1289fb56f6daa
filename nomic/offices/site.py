"""The admin site of the officers: who comes in, what stands at its sides."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import urlencode
from unfold.sites import UnfoldAdminSite

from nomic.engine.subgames import all_subgames
from nomic.governance.desks import all_desks
from nomic.offices.access import held, may_enter, sees_all

_MOST_DESKS = 8
_NO_OFFICE = (
    "These pages are for the officers of games. An office is taken on the page of a game in which"
    " it is vacant."
)


class OfficeSite(UnfoldAdminSite):  # type: ignore[misc]
    """Open to whoever holds an office in a game, and to superusers."""

    index_title = "Your desks"
    enable_nav_sidebar = True

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.own_pages: list[URLPattern] = []  # before the books; among them the front page
        self.books: dict[type[Model], Any] = {}

    def has_permission(self, request: HttpRequest) -> bool:
        return may_enter(request)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:
        """Anonymous visitors are sent to sign in; those without an office are told why not."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_authenticated and not may_enter(request):
                raise PermissionDenied(_NO_OFFICE)
            request.current_app = self.name  # the theme's templates link to `admin:…`
            return inner(request, *args, **kwargs)

        return guarded

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The site's own sign-in, with its second factors and its throttle."""
        come_back = request.GET.get("next") or reverse("office:index")
        return redirect(f"{reverse('account_login')}?{urlencode({'next': come_back})}")

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """The desks' pages before the books; what belongs to the accounts' pages is theirs."""
        # The theme's templates link to the accounts' pages by the admin's names.
        elsewhere = [
            path("login/", self.login, name="login"),
            path("logout/", lambda request: redirect("account_logout"), name="logout"),
            path(
                "password_change/",
                lambda request: redirect("account_change_password"),
                name="password_change",
            ),
        ]
        pages = [
            page for page in super().get_urls() if getattr(page, "name", None) not in _NOT_HERE
        ]
        return [*self.own_pages, *elsewhere, *pages]

    def page(self, route: str, view: Callable[..., HttpResponse], name: str) -> None:
        """Let that view stand at that address of this site."""
        self.own_pages.append(path(route, self.admin_view(view), name=name))

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: Any = None
    ) -> HttpResponse:
        raise Http404("The books are listed at the side of each desk.")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Nothing: no page shows the framework's own list of the books, which takes long."""
        return []

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """The context of every page: names, the style sheet, and the list at the side."""
        return {
            **super().each_context(request),
            "site_title": "Office",
            "site_header": "Office",
            "site_symbol": "landmark",
            "colors": None,
            "styles": [static("office.css")],
            "scripts": [static("office.js")],
            "show_history": False,
            "sidebar_navigation": self._sides(request) if may_enter(request) else [],
        }

    def draw(
        self, request: HttpRequest, template: str, title: str, *, status: int = 200, **context: Any
    ) -> HttpResponse:
        """A page of this site under that title."""
        whole = {**self.each_context(request), "title": title, **context}
        return render(request, template, whole, status=status)

    @cached_property
    def _lists(self) -> list[tuple[Any, str]]:
        """Each book with the address of its list, which stays the same in a process."""
        named = "office:{0.app_label}_{0.model_name}_changelist"
        return [(book, reverse(named.format(book.opts))) for book in self.books.values()]

    def _sides(self, request: HttpRequest) -> list[dict[str, Any]]:
        games = list({office.game_id: office.game for office in held(request)}.values())
        desks = [_item(request, "All desks", reverse("office:index"), "house", exact=True)]
        desks += [
            _item(request, game.title, reverse("office:desk", args=[game.slug]), "landmark")
            for game in games[:_MOST_DESKS]
        ]
        if sees_all(request):
            desks.append(_item(request, "Reported", reverse("office:complaints"), "flag"))
            desks.append(_item(request, "Users", reverse("office:users"), "users-round"))
            desks.append(_item(request, "Pages", reverse("office:site_texts"), "file-text"))
            desks.append(_item(request, "Shares", reverse("office:shares"), "coins"))
        # An officer looks for what they keep: books of other subgames may be empty in their games,
        # and what stands there is for others to keep.
        elsewhere = set()
        if not sees_all(request):
            kept_subgames = {
                desk.subgame
                for desk in all_desks()
                for office in held(request)
                if desk.office_in(office.game) == office.name and desk.is_on(office.game)
            }
            elsewhere = {subgame.name for subgame in all_subgames()} - kept_subgames
        books = [
            _item(request, book.title, address, book.icon)
            for book, address in self._lists
            if book.opts.app_label not in elsewhere
        ]
        title = "All games" if sees_all(request) else "Books"
        return [{"title": "Desks", "items": desks}, {"title": title, "items": books}]


_NOT_HERE = frozenset(
    {
        "index",
        "login",
        "logout",
        "password_change",
        "password_change_done",
        "autocomplete",
        "view_on_site",
        "search",
    }
)


def _item(
    request: HttpRequest, title: str, link: str, icon: str, *, exact: bool = False
) -> dict[str, Any]:
    active = request.path == link if exact else request.path.startswith(link)
    return {"title": title, "link": link, "icon": icon, "active": active, "has_permission": True}


office = OfficeSite(name="office")  # whose pages and books stand in `urls`
