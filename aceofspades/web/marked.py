"""How the Reckoning marked a hand, regulation by regulation (119)."""

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from aceofspades.events.scoring import with_cards
from aceofspades.rules.marking import Number
from aceofspades.rules.marks import Answer, as_compared, as_told
from aceofspades.state.counting import ask
from aceofspades.web import page
from aceofspades.web.proof import as_reckoned, markings
from aceofspades.web.views import open_contest


@dataclass(frozen=True, slots=True)
class MarkingStep:
    """One Marking Regulation's change of the hand, and the worth after it, in Marks. `error` is why
    it could not mark, where it could not."""

    number: int
    gist: str
    change: Number
    after: Number
    error: str


@require_safe
def hand(request: HttpRequest, slug: str, turn: int) -> HttpResponse:
    """The hand of the contestant who joined as that one. 404 until the hands are marked."""
    game_page, view = open_contest(request, slug)
    state = view.state
    own = state.joined_as(turn)
    if own is None or own.worth is None:
        raise Http404("No hand of that number has been marked in this contest.")
    question, name = as_reckoned(state), own.player.name
    entry, *others = reversed(markings(game_page.game))
    supposed = {}
    for earlier in others:  # the hands of a tie are marked anew, the others not
        if name in earlier.outcome.get("supposed", {}):
            supposed = earlier.outcome["supposed"]
            break
        entry = earlier
    answer = ask(replace(question, hands=with_cards(question.hands, supposed)))
    steps, before = [], 0.0
    told = answer or Answer({})  # while it is being counted
    for number, worths in told.steps.items():
        after, regulation = worths[name], state.regulation(number)
        gist = page.leaf(view, regulation).gist if regulation else ""
        error = told.errors.get(number, "")
        steps.append(MarkingStep(number, gist, as_told(after - before), as_told(after), error))
        before = after
    return game_page.draw(
        "aceofspades/marked.html",
        own=own,
        chips=page.chips(view, question.hands.get(name, {})),
        more=page.chips(view, supposed.get(name, {})),
        entry=entry,
        worth=as_told(own.worth),
        steps=steps if answer else None,
        differs=answer is not None and as_compared(answer.worths[name]) != as_compared(own.worth),
    )
