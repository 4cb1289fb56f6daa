"""Figures for the operator's Prometheus, at one address.

They stand in the database and the cache, which all processes of the site share: whichever answers
tells of all of them, and none has to keep files of its own.
"""

from collections.abc import Iterator
from itertools import accumulate
from math import inf
from typing import Any

from django.conf import settings
from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    QuerySet,
    TextChoices,
    Value,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from nomic.engine import watch
from nomic.engine.models import Appointment
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.notices.models import AccountLetter, Channel, Delivery, DeliveryState, Outgoing
from nomic.operations.monitoring.health import lateness
from nomic.quotas.holds import goes_on
from nomic.quotas.models import Hold, What


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures, for the operator who has signed in or whose program has the token; for others
    there is nothing here."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    has_token = bool(wanted) and kind == "Bearer" and constant_time_compare(token, wanted)
    if not (has_token or (request.user.is_active and request.user.is_superuser)):
        raise Http404
    registry = CollectorRegistry()
    registry.register(_Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Figures(Collector):
    def collect(self) -> Iterator[Metric]:
        yield _gauge("clock_lateness_seconds", "How late the clock is", lateness().total_seconds())
        wall = wall_now()
        passed = ExpressionWrapper(
            (Value(wall) - F("game__anchor_wall")) * F("game__rate"), output_field=DurationField()
        )
        now = ExpressionWrapper(F("game__anchor_game") + passed, output_field=DateTimeField())
        late = Appointment.objects.waiting().filter(game__scratch=False, due__lte=now)
        awake = late.filter(game__paused_at=None, game__set_aside="")
        awake = awake.filter(goes_on(wall, "game__"))
        due = awake.filter(game__wakes_at__lte=wall).count()
        yield _gauge("appointments_due", "Appointments that should have been kept", due)
        stuck = Game.objects.filter(scratch=False, stuck_at__isnull=False).count()
        yield _gauge("games_stuck", "Games that an appointment has stopped", stuck)
        resting = Game.objects.filter(scratch=False).exclude(set_aside="").count()
        yield _gauge("games_set_aside", "Games that are set aside", resting)
        held = Hold.objects.at(wall)
        about = "What is locked out, or over its share of the disk"
        yield _by("held_back", about, held, "what", What)
        yield _gauge("notices_untold", "Notices that wait in the outbox", Outgoing.objects.count())
        account_letters = AccountLetter.objects.count()
        yield _gauge("account_letters", "Letters about accounts that wait", account_letters)
        waiting = Delivery.objects.filter(state=DeliveryState.WAITING)
        yield _by("notices_waiting", "Notices that wait to be sent", waiting, "way", Channel)
        sending = Delivery.objects.filter(
            state=DeliveryState.SENDING, claim__isnull=False
        )  # by an index
        about = (
            "Notices that were begun to be sent, and of which nobody has said yet that they were"
        )
        yield _by("notices_sending", about, sending, "way", Channel)
        yield from _of_actions()


def _gauge(name: str, about: str, figure: float) -> Metric:
    return GaugeMetricFamily(f"nomic_{name}", about, value=figure)


def _by(name: str, about: str, rows: QuerySet[Any], label: str, kinds: type[TextChoices]) -> Metric:
    """How many of the rows there are of each kind, which stands in the column of the label."""
    gauge = GaugeMetricFamily(f"nomic_{name}", about, labels=[label])
    counts = dict(rows.order_by().values_list(label).annotate(Count("pk")))
    for kind in kinds.values:
        gauge.add_metric([kind], counts.get(kind, 0))
    return gauge


def _of_actions() -> Iterator[Metric]:
    counted = watch.measures()
    bounds = (*watch.ACTION_BOUNDS, inf)
    totals = accumulate(counted.get(f"took/{bound}", 0) for bound in bounds)
    took = HistogramMetricFamily("nomic_action_seconds", "How long actions take")
    buckets = [
        ("+Inf" if bound == inf else str(bound), total)
        for bound, total in zip(bounds, totals, strict=True)
    ]
    took.add_metric([], buckets, sum_value=counted.get("microseconds", 0) / 1_000_000)
    yield took
    refused = CounterMetricFamily("nomic_refusals", "Actions refused", labels=["code"])
    turned_away = CounterMetricFamily(
        "nomic_turned_away",
        "Requests answered with 503, by the share that was full",
        labels=["share"],
    )
    for name, count in sorted(counted.items()):
        kind, _, code = name.partition("/")
        if kind == "refused":
            refused.add_metric([code], count)
        elif kind == "turned_away":
            turned_away.add_metric([code], count)
    yield refused
    yield turned_away
