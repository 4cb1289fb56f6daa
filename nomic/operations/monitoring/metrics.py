"""Figures for the operator's Prometheus, at one address.

They stand in the database and the cache, which all processes of the site share: whichever answers
tells of all of them, and none has to keep files of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

import redis
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
from django_redis import get_redis_connection
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
from nomic.operations.monitoring import requests
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
        yield from _of_the_queue()
        yield from _of_backups()
        yield from _of_actions()
        yield from _of_requests()


def _gauge(name: str, about: str, figure: float) -> Metric:
    return GaugeMetricFamily(f"nomic_{name}", about, value=figure)


def _by(name: str, about: str, rows: QuerySet[Any], label: str, kinds: type[TextChoices]) -> Metric:
    """How many of the rows there are of each kind, which stands in the column of the label."""
    gauge = GaugeMetricFamily(f"nomic_{name}", about, labels=[label])
    counts = dict(rows.order_by().values_list(label).annotate(Count("pk")))
    for kind in kinds.values:
        gauge.add_metric([kind], counts.get(kind, 0))
    return gauge


def _of_the_queue() -> Iterator[Metric]:
    """Of the broker, and of the sweeps that come by it; no length where it does not answer."""
    lengths = GaugeMetricFamily(
        "nomic_queue_length", "Orders that wait for a worker", labels=["queue"]
    )
    unacknowledged, broker = 0, get_redis_connection()
    with suppress(redis.RedisError):
        for queue in settings.CELERY_TASK_QUEUES:
            lengths.add_metric([queue], broker.llen(queue))
        unacknowledged = broker.hlen("unacked")
    yield _gauge("broker_up", "Whether the broker answers", len(lengths.samples) > 0)
    yield lengths
    yield _gauge("orders_begun", "Orders that a worker has taken and not ended", unacknowledged)
    last_moment = watch.last_beat()
    ago = (wall_now() - last_moment).total_seconds() if last_moment else inf
    yield _gauge("sweep_age_seconds", "How long ago a worker last looked at the games", ago)


def _of_backups() -> Iterator[Metric]:
    """How old the newest one is in the folder that NOMIC_BACKUPS names; nothing where it names
    none."""
    if settings.BACKUPS:
        ages = [
            wall_now().timestamp() - dump.stat().st_mtime
            for dump in Path(settings.BACKUPS).glob("*.dump")
        ]
        yield _gauge("backup_age_seconds", "How old the newest backup is", min(ages, default=inf))


def _buckets(
    counted: Mapping[str, int], name: str, bounds: Sequence[float]
) -> list[tuple[str, float]]:
    totals = accumulate(counted.get(f"{name}/{bound}", 0) for bound in (*bounds, inf))
    names = (*map(str, bounds), "+Inf")
    return list(zip(names, totals, strict=True))


def _of_requests() -> Iterator[Metric]:
    counts = requests.counted()
    answers = CounterMetricFamily("nomic_requests", "Requests answered", labels=["kind", "status"])
    durations = HistogramMetricFamily(
        "nomic_request_seconds", "How long requests take", labels=["kind"]
    )
    for name, count in sorted(counts.items()):
        quantity, kind, *status = name.split("/")
        if quantity == "answered":
            answers.add_metric([kind, *status], count)
        elif quantity == "microseconds":
            buckets = _buckets(counts, f"took/{kind}", requests.BOUNDS)
            durations.add_metric([kind], buckets, sum_value=count / 1_000_000)
    yield answers
    yield durations


def _of_actions() -> Iterator[Metric]:
    counted = watch.measures()
    took = HistogramMetricFamily("nomic_action_seconds", "How long actions take")
    buckets = _buckets(counted, "took", watch.ACTION_BOUNDS)
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
