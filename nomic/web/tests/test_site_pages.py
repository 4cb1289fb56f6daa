"""The pages about the site, as they are shipped, and what programs that look around read."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client

from nomic.games.clock import wall_now
from nomic.web.models import SitePage


@pytest.mark.parametrize("address", ["/about/", "/privacy/", "/imprint/", "/site-rules/"])
def test_each_page_has_a_text_and_stands_at_the_foot_of_all(
    client: Client, db: None, address: str
) -> None:
    page = client.get(address)
    assert page.status_code == 200
    assert len(page.text) > 2000
    assert f'href="{address}"' in client.get("/").text
    assert client.post(address).status_code == 405


def test_its_headings_follow_that_of_the_page(client: Client, db: None) -> None:
    SitePage.objects.create(
        name="about", text="# One\n\n## Two\n\n&lt;h4&gt;", changed_at=wall_now()
    )
    page = client.get("/about/").text
    assert "<h2>One</h2>" in page
    assert "<h3>Two</h3>" in page
    assert "&lt;h4&gt;" in page


def test_security_txt_is_good_for_half_a_year(client: Client, db: None) -> None:
    answer = client.get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields.keys() == {"Contact", "Expires", "Preferred-Languages", "Canonical"}
    expires = datetime.strptime(fields["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert 178 <= (expires - wall_now()).days <= 180


def test_robots_read_games_and_leave_peoples_own_pages_alone(client: Client, db: None) -> None:
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").text.splitlines())
    for address in ("/", "/g/agora/", "/g/agora/rules/", "/about/", "/api/docs"):
        assert robots.can_fetch("*", address), address
    for address in ("/settings/", "/accounts/login/", "/i/abc/", "/api/v1/games", "/search/?q=x"):
        assert not robots.can_fetch("*", address), address
