"""One's own account: another name, and a copy of all that the site holds of one."""

from __future__ import annotations

import io
import json
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.hosting.talk import say
from nomic.notices.models import Notice
from nomic.record.models import SeenHead
from nomic.web.accounts import copies
from nomic.web.accounts.closing import rows_of_account
from nomic.web.accounts.copies import KEPT, forget_old_copies, make_copy, write_copy
from nomic.web.models import OwnCopy, Token
from nomic.web.tasks import clear_sessions
from nomic.web.tokens import make_token
from proposals.models import Draft
from settlers.tests.sealed import act, thugs_isle
from tests.kit import Take, seat, user_of

PASSWORD = "a longer walk to Nacho"
PAGE = "/settings/account/"


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def owner(player: Player) -> User:
    """Murphy, with a password."""
    assert player.user is not None
    player.user.set_password(PASSWORD)
    player.user.save()
    return player.user


def sure(client: Client, user: User) -> Client:
    """A browser in which they have just shown that it is they."""
    client.force_login(user)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def test_an_account_takes_another_name_and_its_seat_keeps_its_own(
    client: Client, owner: User, player: Player
) -> None:
    client.force_login(owner)
    answer = client.post(PAGE, {"name": "Murphy-the-second"}, follow=True)
    assert "Your account is called Murphy-the-second now." in answer.text
    player.refresh_from_db()
    assert (player.name, player.user.username) == ("Murphy", "Murphy-the-second")  # type: ignore[union-attr]
    assert client.post(PAGE, {"name": "murphy-THE-second"}).status_code == 302


def test_what_it_has_witnessed_goes_by_the_new_name(
    client: Client, owner: User, game: Game
) -> None:
    """Else the old name would outlast the account."""
    seen = {"game": game, "number": 1, "at": wall_now()}
    for name, digest in (("@Murphy", "0"), ("@Murph", "0"), ("@Murphy", "1")):
        SeenHead.objects.create(name=name, hash=digest * 64, **seen)
    client.force_login(owner)
    client.post(PAGE, {"name": "Murph"})
    names = SeenHead.objects.order_by("hash").values_list("name", flat=True)
    assert list(names) == ["@Murph", "@Murph"]


def test_its_seats_take_it_as_well_where_no_game_refuses_it(
    client: Client, owner: User, player: Player, rival: Player
) -> None:
    client.force_login(owner)
    sent = {"name": "Murph", "seats": "on"}
    assert client.post(PAGE, sent).status_code == 302
    player.refresh_from_db()
    assert player.name == "Murph"
    User.objects.filter(username="Madrid").update(username="somebody")
    refused = client.post(PAGE, {"name": "Madrid", "seats": "on"})
    assert (refused.status_code, "There is a player" in refused.text) == (422, True)
    assert User.objects.get(pk=owner.pk).username == "Murph"


@pytest.mark.parametrize("name", ["Madrid", "madr1d", "everyone", "Fargo", "", "a\nb", "x" * 151])
def test_a_name_that_is_none_or_anothers_changes_nothing(
    client: Client, owner: User, rival: Player, name: str
) -> None:
    client.force_login(owner)
    assert client.post(PAGE, {"name": name}).status_code == 422
    assert User.objects.get(pk=owner.pk).username == "Murphy"


def told(user: User) -> dict[str, Any]:
    """What the files of the copy of that user say."""
    copy, _ = OwnCopy.objects.get_or_create(user=user, defaults={"asked_at": wall_now()})
    make_copy(copy.pk, 60)
    copy.refresh_from_db()
    with ZipFile(io.BytesIO(bytes(copy.packed))) as folder:
        return {name: json.loads(folder.read(name)) for name in folder.namelist()}


# The columns of what hangs on an account that a copy has. Whoever adds one says here that it lets
# nobody in, or leaves it out of copies.
TOLD = {
    "games.Admission": "game invitation state words at",
    "notices.Choices": "kinds mail fast webhook discord",
    "notices.Browser": "endpoint",
    "notices.Notice": "game kind text url at until about number listed seen_at",
    "pages.Token": "name scopes made_at expires_at last_used_at revoked_at",
    "pages.Hook": "game number url sent upto due_at failing_since attempts stopped asks log",
    "pages.Guest": "place made_at",
    "pages.Bringing": "name choices sent_at read_at",
    "admin.LogEntry": "action_time content_type object_id object_repr action_flag change_message",
    "account.EmailAddress": "email verified primary",
    "mfa.Authenticator": "type created_at last_used_at",
    "socialaccount.SocialAccount": "provider uid last_login date_joined extra_data",
    "oauth2_provider.Application": "client_id redirect_uris post_logout_redirect_uris client_type"
    " authorization_grant_type name skip_authorization created updated algorithm allowed_origins"
    " registration_source cimd_expires_at",
    "oauth2_provider.Grant": "application expires redirect_uri scope created updated resource",
    "oauth2_provider.AccessToken": "application expires scope resource created updated",
    "oauth2_provider.RefreshToken": "application resource created updated revoked",
    "oauth2_provider.IDToken": "application expires scope created updated",
    "oauth2_provider.DeviceGrant": "scope interval expires status client_id last_checked",
}


def test_each_column_that_a_copy_has_was_looked_at() -> None:
    rows = {model: model._meta.label for model, _ in rows_of_account(User(pk=0))}
    told = {
        label: " ".join(field.name for field in copies._fields_of(model))
        for model, label in rows.items()
        if label not in ("pages.OwnCopy", "pages.Closing")
    }
    assert told == TOLD


def test_the_copy_has_all_that_is_theirs_and_nothing_that_opens_a_door(
    game: Game, owner: User, player: Player, rival: Player, act: Take
) -> None:
    wall = wall_now()
    EmailAddress.objects.create(user=owner, email="murphy@nomic.example", primary=True)
    Authenticator.objects.create(user=owner, type="totp", data={"secret": "open sesame"})
    make_token(owner, "my bot")
    told_to = {"game": game, "kind": "named", "url": "/", "at": wall, "about": "x"}
    Notice.objects.create(user=owner, text="You were named", **told_to)
    Notice.objects.create(user=rival.user, text="Rival news", **told_to)
    Draft.objects.create(player=player, title="A wall", body="Build it", saved_at=wall)
    Draft.objects.create(player=rival, title="Rival draft", body="x", saved_at=wall)
    say(player, "Good evening", wall, 6)
    files = told(owner)
    text = json.dumps(files)
    for mine in ("murphy@nomic.example", "my bot", "You were named", "A wall", "Good evening"):
        assert mine in text
    digest = Token.objects.get().digest
    for hidden in ("open sesame", digest, owner.password, "Rival news", "Rival draft", "Madrid"):
        assert hidden not in text
    acts = files[f"games/{game.slug}.json"]["acts"]
    assert [each["entry"]["name"] for each in acts] == ["games.join"]
    assert files["copy.json"]["left_out"] == []


@pytest.mark.thorough
def test_the_copy_has_their_own_private_acts_and_nobody_elses(db: None) -> None:
    game = thugs_isle()
    act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    act(game, "Murphy", "settlers.bribe", items={"stone": 41})
    act(game, "Madrid", "settlers.bribe", items={"stone": 43})
    mine = json.dumps(told(user_of("Murphy"))["games/table.json"])
    assert ('"stone": 41' in mine, '"stone": 43' in mine) == (True, False)
    office = json.dumps(told(user_of("snail")))
    assert ('"stone": 41' in office, '"stone": 43' in office) == (False, False)


def test_it_is_asked_for_made_by_a_worker_downloaded_and_forgotten(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(copies, "leave_to_worker", lambda *work: asked.append(work))
    sure(client, owner)
    assert client.get(f"{PAGE}copy.zip").status_code == 404
    client.post(f"{PAGE}copy/")
    assert "It is being made" in client.get(PAGE).text
    (work, key), *again = asked
    assert again == [(work, key)]
    make_copy(key, 60)
    make_copy(key, 60)
    answer = client.get(f"{PAGE}copy.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="my-account.zip"'
    assert ZipFile(io.BytesIO(answer.content)).testzip() is None
    lately = client.post(f"{PAGE}copy/", follow=True)
    assert "not 10 minutes old" in lately.text
    OwnCopy.objects.update(asked_at=wall_now() - copies.KEPT)
    assert forget_old_copies() == 1
    stranger = Client()
    stranger.force_login(owner)
    assert stranger.get(f"{PAGE}copy.zip").url.startswith("/accounts/reauthenticate/")


def test_a_copy_that_takes_too_long_says_what_it_leaves_out(owner: User, player: Player) -> None:
    file = io.BytesIO()
    write_copy(owner, file, deadline=0)
    with ZipFile(file) as folder:
        told = json.loads(folder.read("copy.json"))
    assert told["left_out"] == ["account.json", "games/table.json"]


def test_the_command_resets_and_closes(owner: User, game: Game) -> None:
    Authenticator.objects.create(user=owner, type="totp", data={})
    out = io.StringIO()
    call_command("account", "Murphy", reset=True, stdout=out)
    owner.refresh_from_db()
    assert (owner.has_usable_password(), Authenticator.objects.count()) == (False, 1)
    link = out.getvalue().strip().removeprefix("http://localhost:8000")
    assert "password1" in Client().get(link, follow=True).text
    call_command("account", "Murphy", reset=True, without_second_factor=True, stdout=out)
    assert not Authenticator.objects.exists()
    call_command("account", "Murphy", close=True, stdout=out)
    assert not User.objects.filter(username="Murphy").exists()
    with pytest.raises(CommandError, match="There is no account"):
        call_command("account", "Murphy", close=True)
    assert not mail.outbox
    assert seat(game, "juan").user is not None


def test_sessions_that_ran_out_go_by_themselves(client: Client, owner: User) -> None:
    client.force_login(owner)
    key = client.session.session_key
    Session.objects.create(session_key="x" * 32, session_data="", expire_date=wall_now() - KEPT)
    assert clear_sessions() == 1
    assert list(Session.objects.values_list("session_key", flat=True)) == [key]
