"""The state of each subgame, as the caller may see it: one address for each that is installed."""

from types import NoneType
from typing import Any, Union, get_args, get_origin, get_type_hints

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.module_loading import autodiscover_modules
from ninja import Router
from ninja.params.functions import Query

from nomic.engine.subgames import HasItems, Subgame, all_subgames
from nomic.engine.table import glance
from nomic.games.bounds import COUNTED_SECONDS
from nomic.infrastructure.caching.backend import patient
from nomic.web.api.messages import a_page, a_piece
from nomic.web.api.rooms import AFTER, GAME, HIGHEST, reading, room, the_game_for

_ADDED: list[Router] = []


def adds_to_api(router: Router) -> None:
    """Let the API have these addresses of a subgame beside those of its state and items. The urls
    of each subgame register them."""
    _ADDED.append(router)


def added_routers() -> list[Router]:
    """The addresses that subgames add."""
    autodiscover_modules("web.urls")
    return _ADDED


def router() -> Router:
    """The addresses of all subgames that this site has."""
    routes = room("subgames")
    for subgame in all_subgames():
        routes.get(
            f"{GAME}/{subgame.name}",
            response=reading(shape_of(type(subgame).state)),
            operation_id=f"{subgame.name}_state",
            summary=subgame.title,
            description=type(subgame).state.__doc__,
        )(_reader(subgame))
        if isinstance(subgame, HasItems):
            routes.get(
                f"{GAME}/{subgame.name}/{{item}}",
                response=reading(shape_of(type(subgame).item)),
                operation_id=f"{subgame.name}_item",
                summary=f"{subgame.title}: one of them",
                description=type(subgame).item.__doc__,
            )(_item_reader(subgame))
    return routes


def shape_of(function: Any) -> Any:
    """The type that the function says it returns, but for the None that becomes a 404.

    Raises TypeError where it does not say so, or by a name that its module does not know.
    """
    try:
        annotation = get_type_hints(function)["return"]
    except (KeyError, NameError) as error:
        raise TypeError(
            f"{function.__module__}.{function.__qualname__} does not say what it returns, by which"
            f" the API's document tells it: {error} is unknown."
        ) from error
    members = get_args(annotation | None)
    return Union[tuple(member for member in members if member is not NoneType)]  # noqa: UP007 - `|` joins no tuple of types


def _reader(subgame: Subgame) -> Any:
    def read(request: HttpRequest, slug: str) -> Any:
        game, seat = the_game_for(request, slug)
        with patient(COUNTED_SECONDS.most):
            answer = subgame.state(glance(game), seat)
        if answer is None:
            raise Http404(f"“{subgame.title}” is not played in this game.")
        return answer

    def list_page(
        request: HttpRequest,
        response: HttpResponse,
        slug: str,
        after: int = Query(0, ge=0, le=HIGHEST, description="Only those after so many of them"),
    ) -> Any:
        return a_page(request, response, read(request, slug)[after:], after)

    def state_piece(
        request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER
    ) -> Any:
        return a_piece(request, response, read(request, slug), after)

    is_list = get_origin(shape_of(type(subgame).state)) is list
    return list_page if is_list else state_piece


def _item_reader(subgame: HasItems) -> Any:
    def item(
        request: HttpRequest, response: HttpResponse, slug: str, item: str, after: int = AFTER
    ) -> Any:
        game, seat = the_game_for(request, slug)
        answer = subgame.item(glance(game), seat, item)
        if answer is None:
            raise Http404(f"“{subgame.title}” has nothing called “{item[:60]}” in this game.")
        return a_piece(request, response, answer, after)

    return item
