import pytest
from django.test import Client


@pytest.mark.django_db
def test_healthz_says_that_web_and_database_work(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {"web": True, "database": True}
