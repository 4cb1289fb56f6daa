"""Coming to a game, leaving it, and holding its offices."""

import pytest
from django.contrib.auth.models import User

from nomic.engine.outcomes import Malformed, Refused
from nomic.games.models import Game, Player
from tests.kit import Take, user_of


@pytest.fixture
def offices() -> str:
    """Whoever takes a vacant office has it, as in practice."""
    return "open"


def refusal_of(act: Take, *args: object, **inputs: object) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        act(*args, **inputs)
    return refused.value.refusal.code, refused.value.refusal.sentence


def test_a_newcomer_takes_a_seat_and_the_record_says_so(
    act: Take, game: Game, outsider: User
) -> None:
    entry = act(outsider, "games.join", name="juan").entry
    seat = game.players.get(user=outsider)
    assert (seat.name, seat.active, seat.joined_at) == ("juan", True, entry.at)
    assert (entry.actor, entry.text) == (seat, "juan joins the game.")
    assert seat.holder.name == "juan"


@pytest.mark.parametrize("name", ["Иван", "李小龍", "Zoë", "José 2nd", "O'Brien", "x", "g" * 40])
def test_names_of_every_script_are_welcome(
    act: Take, game: Game, outsider: User, name: str
) -> None:
    act(outsider, "games.join", name=name)
    assert game.players.get(user=outsider).name == name


@pytest.mark.parametrize(
    "name",
    ["Agora", "agora", "LOST AND FOUND", "Mint", "the operator", "Аgora", "mınt"],
)
def test_nobody_goes_by_the_name_of_a_department(act: Take, outsider: User, name: str) -> None:
    code, sentence = refusal_of(act, outsider, "games.join", name=name)
    assert code == "bad_name"
    assert "is the name of a department" in sentence


@pytest.mark.parametrize(
    "name",
    [
        "Mur\u202ephy",
        "Mur\u200bphy",
        "Mur\u034fphy",
        "Mur\ufe0fphy",
        "\u3164",
        "a  b",
        "a\tb",
        "<b>",
        "a/b",
        "e\u0301",
        "Ｍurphy",
        "\U0001d40cadrid",
        ".",
        "..",
        "- -",
        "\u0301",
        "😀",
        "a\ud800",
    ],
)
def test_a_name_that_deceives_the_eye_is_refused_with_a_sentence(
    act: Take, game: Game, outsider: User, name: str
) -> None:
    before = game.entries.count()
    with pytest.raises((Refused, Malformed)) as refused:
        act(outsider, "games.join", name=name)
    assert str(refused.value).endswith((".", ")."))
    assert not game.players.filter(user=outsider).exists()
    assert game.entries.count() == before


@pytest.mark.parametrize("name", ["", "   ", "g" * 41, "a\x00b", None])
def test_a_name_without_the_shape_of_one_is_malformed(
    act: Take, game: Game, outsider: User, name: str | None
) -> None:
    with pytest.raises(Malformed) as malformed:
        act(outsider, "games.join", name=name)
    assert list(malformed.value.errors) == ["name"]


@pytest.mark.parametrize("name", ["Murphy", "MURPHY", "murphy", "Мurphy", "Мurрhу", "Murρhy"])
def test_a_name_that_looks_like_a_players_is_taken(
    act: Take, player: Player, outsider: User, name: str
) -> None:
    assert refusal_of(act, outsider, "games.join", name=name)[0] == "name_taken"


@pytest.mark.parametrize(("first", "second"), [("Ines", "İnes"), ("STRASSE", "straſse")])
def test_letters_without_a_simple_other_case_do_not_slip_through(
    act: Take, first: str, second: str
) -> None:
    act(user_of("one"), "games.join", name=first)
    with pytest.raises(Refused):
        act(user_of("two"), "games.join", name=second)


def test_a_player_has_one_seat_only(act: Take, player: Player) -> None:
    code, sentence = refusal_of(act, player.user, "games.join", name="Other")
    assert (code, sentence) == ("seated", "You play here already, as Murphy.")


def test_who_left_acts_no_more_and_comes_back_by_the_old_name(
    act: Take, game: Game, player: Player
) -> None:
    act(player, "games.leave")
    assert not game.players.get(pk=player.pk).active
    assert refusal_of(act, player, "games.leave")[0] == "left"
    assert refusal_of(act, player.user, "games.join", name="Other")[0] == "old_name"
    act(player.user, "games.join", name="Murphy")
    seat = game.players.get(name="Murphy")
    assert (seat.pk, seat.active, seat.left_at) == (player.pk, True, None)


def test_the_name_of_a_seat_that_was_left_stays_its_own(
    act: Take, player: Player, outsider: User
) -> None:
    act(player, "games.leave")
    assert refusal_of(act, outsider, "games.join", name="murphy")[0] == "name_taken"


def test_who_leaves_lays_down_every_office(act: Take, game: Game, officer: Player) -> None:
    act(officer, "games.leave")
    assert game.offices.get(name="Keeper").holder is None


def test_an_outsider_may_join_and_nothing_else(act: Take, outsider: User) -> None:
    code, sentence = refusal_of(act, outsider, "games.leave")
    assert (code, sentence) == ("not_a_player", "Only players act in this game. Join it first.")


def test_a_vacant_office_is_taken_once(
    act: Take, game: Game, player: Player, rival: Player
) -> None:
    act(player, "games.take_office", office="Keeper")
    assert game.offices.get(name="Keeper").holder == player
    assert refusal_of(act, rival, "games.take_office", office="Keeper")[0] == "no_vacancy"


def test_only_the_holder_resigns_an_office(act: Take, player: Player, officer: Player) -> None:
    assert refusal_of(act, player, "games.resign_office", office="Keeper")[0] == "no_office"
    act(officer, "games.resign_office", office="Keeper")
    act(player, "games.take_office", office="Keeper")


def test_an_officers_act_is_refused_to_players(act: Take, player: Player, officer: Player) -> None:
    code, sentence = refusal_of(act, player, "games.pause", reason="tea")
    assert (code, sentence) == ("not_the_officer", "Only an officer can do this.")


def test_the_operator_deputises_for_officers_and_plays_for_nobody(act: Take, game: Game) -> None:
    assert act(None, "games.pause", reason="repairs").entry.text.startswith("The operator pauses")
    act(None, "games.resume")
    assert refusal_of(act, None, "tiny.buy_cup")[0] == "not_a_player"


@pytest.mark.parametrize(
    "name", ["snai1", "snaiI", "SNA1L", "ѕnail", "the snail", "A Snai1", "snail."]
)
def test_nobody_comes_by_a_name_that_reads_as_anothers(
    act: Take, outsider: User, player: Player, name: str
) -> None:
    Player.objects.filter(pk=player.pk).update(name="snail")
    code, sentence = refusal_of(act, outsider, "games.join", name=name)
    assert (code, sentence[:31]) == ("name_taken", "There is a player “snail” alrea")


def test_who_is_called_by_an_article_is_read_without_it(
    act: Take, outsider: User, player: Player
) -> None:
    Player.objects.filter(pk=player.pk).update(name="The Snail")
    assert refusal_of(act, outsider, "games.join", name="snail")[0] == "name_taken"


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [
        *(("Муrphy", False), ("Ꮪnail", False), ("Madrid Мадрид", False), ("Мадрид", True)),
        *(("李小龍 Lee", True), ("スネイル君", True), ("Zoë Ó Briain", True)),
    ],
)
def test_a_name_keeps_to_scripts_that_people_mix(
    act: Take, outsider: User, name: str, is_taken: bool
) -> None:
    if is_taken:
        assert act(outsider, "games.join", name=name).entry.actor_name == name
    else:
        assert "scripts" in refusal_of(act, outsider, "games.join", name=name)[1]


@pytest.mark.parametrize(
    "name",
    ["everyone", "Each player", "nobody", "the P1ayer", "players", "Ann and Bob", "all but Ann"],
)
def test_nobody_goes_by_a_phrase_of_the_rules(act: Take, outsider: User, name: str) -> None:
    code, sentence = refusal_of(act, outsider, "games.join", name=name)
    assert code == "bad_name"
    assert f"“{name}” reads as" in sentence


def test_nobody_goes_by_the_name_of_an_office_or_of_what_is_owned(
    act: Take, game: Game, outsider: User
) -> None:
    office = game.offices.first()
    asset = game.assets.filter(visibility="public").first()
    assert office
    assert asset
    for name in (office.name, f"the {office.name}", asset.name, asset.plural.upper()):
        assert refusal_of(act, outsider, "games.join", name=name)[0] == "bad_name", name
