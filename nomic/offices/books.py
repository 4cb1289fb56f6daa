"""Books: rows that officers may read in the admin's lists, and nobody can change there."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import get_original_bases
from typing import Any, cast, get_args

from django.contrib import admin
from django.core.exceptions import ImproperlyConfigured
from django.db.models import DateTimeField, Field, JSONField, Model, Q, QuerySet, TextField
from django.forms import Media
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from nomic.games.bounds import CELL_CHARACTERS, LIST_KILOBYTES
from nomic.games.guards import Hidden
from nomic.games.models import way_to_the_game
from nomic.offices.access import games_seen, in_games_seen, may_enter
from nomic.offices.site import office

_MOST_GAMES = 50


class GameFilter(admin.SimpleListFilter):
    """A filter by game, among those that the visitor sees."""

    title = "game"
    parameter_name = "of"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(game.slug, game.title) for game in games_seen(request, _MOST_GAMES)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        slug, path = self.value(), way_to_the_game(queryset.model)
        return queryset.filter(**{f"{path}__slug" if path else "slug": slug}) if slug else queryset


class Book[Row: Model](ModelAdmin):  # type: ignore[misc]
    """Rows of a model that officers may read: listed, searched and filtered, never changed. Each
    class of them is kept by the officers' site, after those that it has.

    Only the columns of `list_display` are ever shown, on a row's own page also those in `details`,
    and only rows that the model's `hides` lets through, and of these only what is `public` where
    the book says more than its model can: what is private is in no book, for no reader. Lists are
    paged without counting the rows.
    """

    title: str
    icon = "coins"
    public: Q = Q()
    list_display: tuple[str, ...]
    details: tuple[str, ...] = ()
    ordering: tuple[str, ...] = ("-pk",)
    sortable_by = ()
    actions = None
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = InfinitePaginator
    media = Media()  # the pages need no script
    change_list_template = "offices/book.html"
    change_form_template = "offices/row.html"
    view_on_site = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        (model,) = get_args(get_original_bases(cls)[0])
        office.register(model, cls)
        office.books[model] = office.get_model_admin(model)

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        super().__init__(model, site)
        self.game = way_to_the_game(model)
        tellers = {
            field.name: _TOLD[type(field)]
            for field in model._meta.concrete_fields
            if type(field) in _TOLD
        }
        for name, tell in tellers.items():
            # Characters, each up to six bytes on a page, and a row has some four long values.
            in_row = _shown(name, tell, lambda: LIST_KILOBYTES.count * 1000 // 6)
            setattr(self, f"{name}_told", in_row)
            setattr(self, f"{name}_listed", _shown(name, tell, lambda: CELL_CHARACTERS.count))

        def told(names: tuple[str, ...], way: str) -> tuple[str, ...]:
            return tuple(f"{name}_{way}" if name in tellers else name for name in names)

        self.list_display = told(type(self).list_display, "listed")
        own_page = [
            *(column for column in type(self).list_display if "__" not in column),
            *self.details,
        ]
        place = {field.name: place for place, field in enumerate(model._meta.concrete_fields)}
        own_page.sort(key=lambda name: place.get(name, len(place)))
        hides: Hidden | None = getattr(model, "hides", None)
        if hides:
            self.public &= hides.seen
            if hidden_fields := {*own_page} & {*hides.fields}:
                raise ImproperlyConfigured(f"{model._meta.label} hides {', '.join(hidden_fields)}.")
        self.fields = self.readonly_fields = told(tuple(own_page), "told")
        self._look_beside(type(self).list_display)

    def _look_beside(self, shown: tuple[str, ...]) -> None:
        """Read with each row of a list the other rows that these columns show something of, without
        the long values there that no column shows."""
        self.list_select_related: list[str] = []
        self._long_beside: list[str] = []
        for column in shown:
            *way, last = column.split("__")
            model: Any = self.model
            for name in way:
                model = model._meta.get_field(name).related_model
            links = {link.name: link for link in model._meta.concrete_fields if link.is_relation}
            if last in links:
                way.append(last)
                model = links[last].related_model
            if not way:
                continue
            path = "__".join(way)
            self.list_select_related.append(path)
            for field in model._meta.concrete_fields:
                if type(field) in (TextField, JSONField) and f"{path}__{field.name}" not in shown:
                    self._long_beside.append(f"{path}__{field.name}")

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        return [GameFilter, *self.list_filter]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        visible_rows: QuerySet[Any] = rows.filter(in_games_seen(request, self.game), self.public)
        if not self.list_select_related:
            return visible_rows
        return visible_rows.select_related(*self.list_select_related).defer(*self._long_beside)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is None:
            raise Http404(f"There is no such {self.opts.verbose_name} in your games.")
        return row

    def changelist_view(self, request: HttpRequest, *_: Any, **__: Any) -> HttpResponse:
        return cast(HttpResponse, super().changelist_view(request, {"title": self.title}))

    def change_view(self, request: HttpRequest, object_id: str, *_: Any, **__: Any) -> HttpResponse:
        titled = {"title": self.title}
        return cast(HttpResponse, super().change_view(request, object_id, extra_context=titled))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only the filters that the page offers: no address asks about what it does not show."""
        offered = {GameFilter.parameter_name}
        for path in self.list_filter:
            offered |= {path, f"{path}__exact", f"{path}__isnull"}
        return lookup in offered

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_enter(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if obj is None:
            return may_enter(request)
        return may_enter(request) and self.get_queryset(request).filter(pk=obj.pk).exists()

    def _never(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _never


def _text(written: str | None, limit: int) -> str:
    text = written or ""
    return (
        text if len(text) <= limit else f"{text[:limit]}… and {len(text) - limit:,} more characters"
    )


_TOLD: dict[type[Field[Any, Any]], Callable[[Any, int], str]] = {
    JSONField: lambda content, limit: format_html(  # the theme's own way needs inline styles
        "<pre>{}</pre>",
        _text(json.dumps(content, indent=2, ensure_ascii=False, sort_keys=True), limit),
    ),
    DateTimeField: lambda moment, limit: f"{moment:%Y-%m-%d %H:%M:%S}" if moment else "–",
    TextField: _text,
}


def _shown(
    name: str, tell: Callable[[Any, int], str], limit: Callable[[], int]
) -> Callable[[Model], str]:
    """A column or field that shows a value in this house's own way, at `most` so much of it."""

    @admin.display(description=name.replace("_", " "))
    def shown(row: Model) -> str:
        return tell(getattr(row, name), limit())

    return shown
