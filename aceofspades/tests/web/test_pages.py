"""The contest's pages for everybody who looks at them, and what they cost."""

from __future__ import annotations

import re

import pytest

from aceofspades.models import Offer, Vote
from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon, without_secrets
from aceofspades.tests.stage import crowd, enact, give_cards, hours, propose, vote
from aceofspades.tests.web.page import PAGE, body, words_of
from nomic.games.models import Game, Player
from nomic.record.keys import head_of
from nomic.record.models import Entry, SealedEntry
from tests.kit import Take, Visitor


@pytest.mark.thorough
def test_nobody_but_its_holder_and_the_contestmaster_sees_a_hand(
    contest: Game,
    busy: Three,
    officer: Player,
    visit: Visitor,
) -> None:
    murphy, madrid, _ = busy

    own = words_of(body(visit(murphy)))
    assert "Mauve 1 Red 17 Black 0" in own
    assert "3 Black" in words_of(body(visit(officer)))
    for viewer in (madrid, busy[2], None):
        page = body(visit(viewer))
        assert "17 Red" not in words_of(page)
        assert "Red 17" not in words_of(page)


def test_an_offer_is_a_sentence_with_what_i_have_for_it(
    contest: Game,
    busy: Three,
    visit: Visitor,
) -> None:
    murphy, madrid, alexia = busy

    to_madrid = words_of(body(visit(madrid)))
    assert "Murphy offers you 1 Red for 2 Black ." in to_madrid
    assert "You lack" not in to_madrid
    assert "You lack 1 Hearts: accepted now" in words_of(body(visit(murphy)))
    assert "1 Red for 2 Black" not in words_of(body(visit(alexia)))


def test_who_offers_without_their_name_is_not_named_on_the_other_page(
    contest: Game,
    three: Three,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid, _ = three
    cards = {"gives": {"Red": 1}, "takes": {"Black": 1}}
    act(murphy, "aceofspades.offer", to=["Madrid"], anonymous=True, **cards)

    assert "Somebody offers you 1 Red for 1 Black" in words_of(body(visit(madrid)))
    assert "You offer Madrid without your name" in words_of(body(visit(murphy)))


def test_regulation_125_an_acceptance_that_fails_looks_like_a_warning_and_is_kept(
    contest: Game,
    three: Three,
    act: Take,
    htmx: Visitor,
) -> None:
    murphy, madrid, _ = three
    give_cards(contest, murphy, Red=1)
    give_cards(contest, madrid, Black=1)
    for count in (2, 1):
        cards = {"gives": {"Red": count}, "takes": {"Black": 1}}
        act(murphy, "aceofspades.offer", to=["Madrid"], **cards)
    too_much, fair = Offer.objects.order_by("pk").values_list("code", flat=True)
    client = htmx(madrid)

    for code, looks in ((too_much, "warn"), (fair, "good")):
        answer = client.post("/g/table/act/aceofspades.accept_offer/", {"offer": code, "key": code})
        assert answer.status_code == 200
        assert f'class="notice {looks}" data-receipt' in answer.content.decode()
    failed = contest.sealed_entries.get(name="aceofspades.accept_offer")
    assert failed.outcome["failed"]
    assert "nothing changed hands" in words_of(body(client))


def test_an_alliance_has_its_size_for_all_and_its_members_for_themselves(
    contest: Game,
    busy: Three,
    officer: Player,
    visit: Visitor,
) -> None:
    murphy, _, alexia = busy

    assert "You are allied with Madrid" in words_of(body(visit(murphy)))
    assert "Murphy, Madrid" in words_of(body(visit(officer)))
    assert "waits for your word" in words_of(body(visit(murphy)))
    assert "waits for Murphy" in words_of(body(visit(alexia)))
    for viewer in (alexia, None):
        page = words_of(body(visit(viewer)))
        assert "private" in page
        assert "Murphy, Madrid" not in page
        assert "allied with" not in page


def test_a_vote_is_two_buttons_until_it_is_given(
    contest: Game,
    busy: Three,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid, _ = busy
    assert body(visit(madrid)).count('value="AGAINST"') == 2

    act(madrid, "aceofspades.vote", proposal=1, vote="FOR")

    page = body(visit(madrid))
    assert page.count('value="AGAINST"') == 1
    assert "You voted FOR ." in words_of(page)
    assert "You voted" not in words_of(body(visit(murphy)))
    assert Vote.objects.count() == 1


def test_regulation_101_who_votes_on_an_immutable_regulation_is_told_that_it_takes_all(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    propose(contest, three[0], 105, "Nothing is ever told.")
    propose(contest, three[0], 500, "Everybody smiles.")
    text = words_of(body(visit(three[1])))
    assert text.count("every contestant’s FOR") == 1
    assert "every contestant’s FOR" in text.split("Proposal 1 by")[1].split("Proposal 2 by")[0]


@pytest.mark.thorough
def test_running_counts_are_for_the_contestmaster_alone(
    contest: Game,
    busy: Three,
    officer: Player,
    visit: Visitor,
) -> None:
    vote(contest, contest.contest.proposals.get(number=1), {busy[1]: "FOR"})

    assert "1 FOR, 0 AGAINST so far" in words_of(body(visit(officer)))
    for viewer in (*busy, None):
        page = words_of(body(visit(viewer)))
        assert "AGAINST so far" not in page
        assert "1 FOR" not in page


def test_a_decided_proposal_has_its_counts_for_everybody(
    contest: Game,
    busy: Three,
    visit: Visitor,
) -> None:
    proposal = contest.contest.proposals.get(number=1)
    vote(contest, proposal, dict.fromkeys(busy, "FOR"))
    hours(contest, 72)

    page = words_of(body(visit(None)))
    assert "3 FOR, 0 AGAINST" in page
    assert "in force" in page


def test_a_private_proposal_is_read_by_its_author_and_the_contestmaster(
    contest: Game,
    busy: Three,
    officer: Player,
    visit: Visitor,
) -> None:
    path = f"{PAGE}proposals/2/"
    for viewer in (busy[1], officer):
        assert "Only Madrid knows this." in body(visit(viewer), path)
    for viewer in (busy[0], None):
        for page in (body(visit(viewer), path), body(visit(viewer))):
            assert "Only Madrid knows this." not in page
            assert "Its text is private" in words_of(page)


def test_a_secret_regulation_shows_its_number_and_a_lock(
    contest: Game,
    busy: Three,
    officer: Player,
    visit: Visitor,
) -> None:
    path = f"{PAGE}regulations/340/"

    assert "Its text is secret." in words_of(body(visit(busy[0]), path))
    assert "Its text is secret." in words_of(body(visit(officer), path))  # chance has drawn it
    enact(contest, 345, "Everybody frowns.", "secret")
    assert "You may read this" in words_of(body(visit(officer), f"{PAGE}regulations/345/"))
    assert "No Regulation 777" in words_of(body(visit(None), f"{PAGE}regulations/777/", 404))
    assert "Regulation 310" in words_of(body(visit(None), f"{PAGE}regulations/310/"))


@pytest.mark.thorough
def test_after_the_reckoning_everybody_sees_hands_worths_and_the_proof(
    contest: Game,
    busy: Three,
    visit: Visitor,
) -> None:
    reckon(contest)

    page = body(visit(None))
    assert "The Moment of Reckoning has been" in page
    assert "17 Red" in words_of(page)
    assert "3 Black" in words_of(page)
    assert "Semigenius" in page
    assert f"{PAGE}proof/" in page
    assert "Its text is secret" not in words_of(body(visit(None), f"{PAGE}regulations/340/"))
    assert "accept_offer" not in body(visit(busy[0]))


def test_who_is_in_no_contest_is_told_what_it_is(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    page = words_of(body(visit(None)))

    assert "Everybody who joins is dealt a hand of cards that only they see." in page
    assert "Join the game" in page


def test_a_few_join_the_long_way(contest: Game, three: Three, visit: Visitor) -> None:
    crowd(contest, 2)

    assert "contestant2" in body(visit(None))


def test_who_says_that_they_propose_is_answered_by_the_form(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    said = {"words": "Propose a regulation"}
    answer = visit(three[0]).post("/g/table/say/", said, follow=True)
    assert answer.status_code == 200
    assert "Who may read it" in answer.content.decode()


def test_an_address_with_a_part_of_a_proposal_fills_in_no_text(
    contest: Game,
    three: Three,
    visit: Visitor,
) -> None:
    text = body(visit(three[0]), "/g/table/act/aceofspades.propose/?number=345&text=Xanadu")
    assert "Xanadu" not in text


def test_a_form_tells_what_would_be_refused_and_of_an_offer_nothing_that_is_the_others(
    contest: Game,
    three: Three,
    act: Take,
    visit: Visitor,
) -> None:
    murphy, madrid, _ = three
    vote(contest, propose(contest, murphy), {murphy: "FOR"})
    act(murphy, "aceofspades.offer", to=["Madrid"], gives={"Red": 900}, takes={"Black": 1})

    def brings(player: Player, name: str, **sent: object) -> str:
        answer = visit(player).post(f"/g/table/act/aceofspades.{name}/brings/", sent)
        return answer.content.decode()

    stands = "You have voted on Proposal 1. A vote stands, and cannot be changed."
    assert brings(murphy, "vote", proposal=1, vote="AGAINST") == stands
    assert brings(madrid, "vote", proposal=1, vote="FOR").startswith("Costs nothing.")
    told = brings(madrid, "accept_offer", offer=Offer.objects.get().code)
    assert (
        told
        == "Accept an offer that was made to you: the cards of both sides change hands at once."
    )


BUTTONS = {
    "withdraw_offer": "Withdraw offer",
    "leave_alliance": "Leave Alliance",
    "agree_pact": "Agree to pact",
    "decline_pact": "Decline pact",
    "object": "Object to Tabled act",
    "support": "Support Tabled act",
    "accept_offer": "Accept offer",
}


@pytest.mark.parametrize("name", BUTTONS)
def test_each_button_of_the_page_names_the_head_that_it_had_shown(
    contest: Game, busy: Three, officer: Player, act: Take, visit: Visitor, name: str
) -> None:
    act(officer, "aceofspades.judge", request=1, judgement="It is.")
    act(officer, "aceofspades.table_remedy", request=1, kind="repeal", regulation=330)
    contest.refresh_from_db()
    shown = head_of(contest)
    client, action = visit(busy[0]), f"aceofspades.{name}"
    page = body(client)
    forms = re.findall(rf'<form [^>]*action="/g/table/act/{action}/".*?</form>', page, re.S)
    assert BUTTONS[name] in words_of(forms[0])
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', forms[0]))
    assert client.post(f"/g/table/act/{action}/", sent).status_code == 302
    kept = [*Entry.objects.filter(name=action), *SealedEntry.objects.filter(name=action)]
    assert [each.saw for each in kept] == [[shown.number, shown.hash]]


def test_the_reckoning_is_a_card_with_the_worthiest_hands_at_home(
    contest: Game, three: Three, visit: Visitor
) -> None:
    murphy, madrid, _ = three
    without_secrets(contest)
    give_cards(contest, murphy, Red=17)
    give_cards(contest, madrid, Black=3)
    reckon(contest)
    home = words_of(visit(murphy).get("/g/table/").content.decode())
    card = home[home.index("The Moment of Reckoning has come") :].partition("Put this away")[0]
    assert card.index("Murphy") < card.index("Madrid")
    assert "Your own hand is worth 17 Marks." in card
    page = body(visit(None))
    assert page.count('<span class="block">') == page.count("place</span>") > 0
