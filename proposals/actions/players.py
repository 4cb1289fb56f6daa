"""Acts of players on proposals: submit, revise, withdraw, comment (Proposals), vote (Voting)."""

from decimal import Decimal
from typing import Any

from django.db.models import Count, Q

from nomic.engine.actions import Inputs, NeededAction, PrivateAction, action
from nomic.engine.effects import Effects, Set, Tell, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import REMARKS, REMARKS_OF_PLAYER, VERSIONS, VOTES
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.hosting.moving_in import Brings
from nomic.infrastructure.database.compiled_queries import CompiledValues
from proposals.actions import fields
from proposals.actions.texts import (
    body_refusal,
    confirmed_units,
    save_content,
    submit,
    too_much_waits,
    unread_sentences,
    withdraw,
)
from proposals.events.closing import move_the_queue
from proposals.events.opening import assign_numbers, await_distribution, distribute
from proposals.models import LONGEST_TITLE, Comment, Proposal, Status, Vote
from proposals.rules.words import plain_vote
from proposals.state.agenda import when_pending_open, why_not_open
from proposals.state.offices import DISTRIBUTION, NUMBERS
from proposals.state.reading import MAIN, Handle, state_of
from proposals.state.voters import not_a_proposer, not_a_voter, vote_refusal

LONGEST_BODY = 200_000
# Without the model's order, by which the database would group the votes as well.
_CAST = CompiledValues(
    lambda: (
        Vote.objects.order_by().values("proposal").annotate(Count("pk")).values_list("pk__count")
    )
)
_CHANGES = (
    "Give each player 1 point.",
    "Enact a new rule titled “Silver Spoons” and the following text: { Spoons are silver. }",
    "Replace the text of the rule “Silver Spoons” with: { Spoons are golden. }",
    "Repeal the rule “Silver Spoons”.",
    "The moon is made of cheese.",
)


class ProposalAction(NeededAction):
    """An action that the proposal rule in force allows."""

    rule = MAIN

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.edition and table.rules.in_force(MAIN))

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        """With the proposal in the place of what names it."""
        proposal = proposal_or_refusal(table, inputs.get("proposal"))
        if isinstance(proposal, Refusal):
            return proposal
        return super().verdict(
            table, player, {**inputs, "proposal": proposal} if proposal else inputs
        )


class ContentForm(ActionForm):
    """The content of a proposal. An index, a class and co-authors belong to one edition."""

    title = Text(longest=LONGEST_TITLE, required=False)
    body = Text(lines=True, longest=LONGEST_BODY, examples=_CHANGES)
    remarks = fields.SentencesField(label="Remarks")
    left = fields.SentencesField(label="Left to the officer")
    units = fields.UnitsField(label="Passages that are meant")
    conflicts = fields.LinksField(label="Conflicts with")
    dependencies = fields.LinksField(label="Depends on")
    index = fields.IndexField(required=False, label="Adoption index")
    vars()["class"] = fields.ClassField(required=False, label="Class")  # a word of Python
    coauthors = fields.NamesField(label="Co-authors")

    def begin(self, table: Table) -> None:
        if table.game.edition and not state_of(table).edition.weighs:
            for name in ("index", "class", "coauthors"):
                del self.fields[name]

    def inputs(self, *, typed: bool = False) -> dict[str, Any]:
        """Without `remarks`, `left` and `units` where there are none."""
        inputs = super().inputs(typed=typed)
        beside = ("remarks", "left", "units")
        return {name: content for name, content in inputs.items() if name not in beside or content}


def content_refusal(
    table: Table, player: Player | None, data: Inputs, revised: Proposal | None = None
) -> Refusal | None:
    """Why these inputs are no content of a proposal; `revised` is the one to which they
    are another version."""
    refusal = body_refusal(table, data)
    if refusal:
        return refusal
    links = {
        "conflicts with": data.get("conflicts") or [],
        "depends on": data.get("dependencies") or [],
    }
    linked = state_of(table).find_all([handle for handles in links.values() for handle in handles])
    for does, handles in links.items():
        for handle in handles:
            if handle not in linked:
                sentence = f"This game has no proposal {handle} that yours {does}."
                return Refusal("no_such_proposal", sentence, MAIN)
            if revised is not None and linked[handle].pk == revised.pk:
                sentence = f"{revised.label} {does} itself: name another proposal, or none."
                return Refusal("linked_to_itself", sentence, MAIN)
    if index := data.get("index"):
        classes = state_of(table).terms.classes
        chosen = data.get("class") or next(iter(classes))
        if Decimal(index) < classes[chosen]:
            sentence = (
                f"The adoption index of a proposal of the class {chosen} is {classes[chosen]} at"
                f" least, and this one is {index}."
            )
            return Refusal("index_too_low", sentence, MAIN)
    for name in data.get("coauthors") or ():
        if player is not None and name == player.name:
            sentence = "You are the author, and so no co-author. Leave your own name out."
            return Refusal("own_coauthor", sentence, MAIN)
        if name not in table.directory.players and not state_of(table).has_decisions:
            return Refusal("no_such_player", f"There is no player “{name}” in this game.", MAIN)
    return None


@action
class Submit(ProposalAction):
    """Submit a proposal."""

    name = "proposals.submit"
    title = "Submit a proposal"
    sentence = "Submit {title}: {body}"
    also_said = ("(Submit|Create|Write) [following] proposal [{body}]", "Propose {body}")
    button = "Write one"
    page = "proposal_new"

    Form = ContentForm
    unsaid = staticmethod(unread_sentences)

    def judge(self, table: Table, player: Player, **data: Any) -> Verdict:
        refusal = not_a_proposer(table, player) or content_refusal(table, player, data)
        units = refusal or too_much_waits(table, player, data) or confirmed_units(table, data)
        if isinstance(units, Refusal):
            return units

        def submitted(at: Table) -> Outcome:
            proposal, state = submit(at, player, data, units), state_of(at)
            if not state.by_hand(NUMBERS):
                assign_numbers(at, [proposal])
            announcement = f"{player} submits {proposal}."
            if state.edition.period != "nweek":
                if state.by_hand(DISTRIBUTION):
                    await_distribution(at, [proposal])
                else:
                    announcement += f" {distribute(at, proposal)}"
            return Outcome(announcement, figures_of(proposal))

        return Effects(Then(submitted))


def figures_of(proposal: Proposal) -> dict[str, Any]:
    """The figures of a proposal in the record's entry, for programs."""
    return {
        "proposal": proposal.handle,
        "id": f"p{proposal.serial}",
        "version": proposal.version,
        "status": proposal.status,
    }


def proposal_or_refusal(table: Table, handle: Handle | None) -> Proposal | Refusal | None:
    """The proposal that was named, or why there is none; None while none is named."""
    no_such = Refusal("no_such_proposal", f"This game has no proposal {handle}.", MAIN)
    return state_of(table).find(handle) or (None if handle is None else no_such)


class OwnProposalAction(ProposalAction):
    """An act of an author on their own Pending proposal."""

    def not_theirs(self, table: Table, player: Player, proposal: Proposal | None) -> Refusal | None:
        """The refusal of a proposal that is no Pending one of the player's; while none is named, of
        who has none; None where there is one."""
        if proposal is not None and proposal.author_id != player.pk:
            sentence = f"{proposal.label} is {proposal.author}'s: only its author can do this."
            return Refusal("not_the_author", sentence, MAIN)
        state = state_of(table)
        if proposal is None and not state.own_waiting(player):
            sentence = (
                "You have no Pending proposal. Only its author changes one, and only before the"
                " vote begins."
            )
            return Refusal("none_pending", sentence, MAIN)
        if proposal is None or proposal.status == Status.PENDING:
            return None
        if proposal.awaits_since:
            return Refusal("awaiting", why_not_open(state, proposal), MAIN)
        # In a queue proposals are Open from the start.
        if proposal.status == Status.OPEN and state.edition.period == "queue":
            return self.too_late_in_the_queue(proposal)
        sentence = f"{proposal.label} is {proposal.status}: only a Pending one can be changed."
        return Refusal("not_pending", sentence, MAIN)

    def too_late_in_the_queue(self, proposal: Proposal) -> Refusal | None:
        """Why it cannot be done any more with a proposal that waits in the queue."""
        return None


@action
class Revise(OwnProposalAction):
    """Give a Pending proposal of yours another text; it keeps its number."""

    name = "proposals.revise"
    title = "Revise a proposal"
    sentence = "Revise {proposal} to {title}: {body}"
    page = "proposals"

    class Form(ContentForm):
        proposal = fields.ProposalField(lambda state, player: state.own_waiting(player))

    unsaid = staticmethod(unread_sentences)

    def too_late_in_the_queue(self, proposal: Proposal) -> Refusal | None:
        if not proposal.votes.exclude(player=proposal.author).exists():
            return None
        sentence = f"Others have voted on {proposal.label}: withdraw it and submit another."
        return Refusal("voted_on", sentence, MAIN)

    def judge(self, table: Table, player: Player, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        refusal = self.not_theirs(table, player, proposal)
        refusal = refusal or content_refusal(table, player, data, proposal)
        if refusal or proposal is None:
            return refusal
        if "body" in data:
            refusal = VERSIONS.refusal(table.game, proposal.version + 1, MAIN)
            refusal = refusal or too_much_waits(table, player, data, proposal)
        units = refusal or confirmed_units(table, data)
        if isinstance(units, Refusal):
            return units

        def revise(at: Table) -> Outcome:
            save_content(at, proposal, data, units)
            announcement = f"{player} revises {proposal} (version {proposal.version})."
            return Outcome(announcement, figures_of(proposal))

        return Effects(Then(revise))


@action
class WithdrawProposal(OwnProposalAction):
    """Withdraw a Pending proposal of yours: it becomes Historical and Lost."""

    name = "proposals.withdraw"
    title = "Withdraw a proposal"
    sentence = "Withdraw {proposal}"
    also_said = ("(Withdraw|Retract) [proposal] {proposal}",)
    page = "proposals"
    confirm = "A withdrawn proposal is Lost for good; its text can still be read. Withdraw it?"

    class Form(ActionForm):
        proposal = fields.ProposalField(lambda state, player: state.own_waiting(player))

    def absence(self, table: Table) -> Refusal | None:
        refusal = super().absence(table)
        if refusal or state_of(table).lets_withdraw:
            return refusal
        does_not = f"“{MAIN}” does not provide for withdrawing a proposal."
        sentence = f"{does_not} While one is Pending, its author may revise it."
        return Refusal("not_provided_for", sentence, MAIN)

    def judge(self, table: Table, player: Player, proposal: Proposal | None) -> Verdict:
        refusal = self.not_theirs(table, player, proposal)
        if refusal or proposal is None:
            return refusal

        def take_back(at: Table) -> Outcome:
            withdraw(at, proposal)
            return Outcome(f"{player} withdraws {proposal}.", figures_of(proposal))

        return Effects(Then(take_back), Then(move_the_queue))

    def question(self, table: Table, player: Player, data: Inputs) -> str:
        proposal = state_of(table).find(data.get("proposal"))
        return f"{self.confirm.removesuffix('it?')}{proposal}?" if proposal else self.confirm


@action
class CastVote(ProposalAction, PrivateAction):
    """Costs nothing. You may vote again while the vote is open; your last vote counts."""

    name = "proposals.vote"
    title = "Vote on a proposal"
    sentence = "Vote {choice} on {proposal}"
    also_said = (
        "[Cast] vote {choice} [on] {proposal}",
        "[Cast] vote {proposal} {choice}",
        "{choice} on {proposal}",
        "{choice} {proposal}",
    )
    page = "proposals"

    class Form(ActionForm):
        proposal = fields.ProposalField(lambda state, player: state.open)
        choice = fields.WordField(label="Vote")

    def verdict(self, table: Table, player: Any, inputs: Inputs) -> Refusal | Effects:
        return state_of(table).no_votes or super().verdict(table, player, inputs)

    def judge(
        self, table: Table, player: Player, proposal: Proposal | None, choice: str | None
    ) -> Verdict:
        state = state_of(table)
        if proposal is None and not state.open:
            return Refusal("none_open", f"No proposal is Open.{when_pending_open(state)}", MAIN)
        if proposal is not None and (proposal.status != Status.OPEN or proposal.awaits_since):
            return Refusal("not_open", why_not_open(state, proposal), MAIN)
        if (refusal := not_a_voter(state, player, proposal)) or choice is None:
            return refusal
        word = plain_vote(choice)
        refusal = vote_refusal(state, word, player.name, proposal)
        if refusal is None and word.startswith("ENDORSE "):
            name = word.partition(" ")[2]
            if name == player.name or name not in table.directory.players:
                sentence = f"“{name}” is no other player of this game, so you cannot endorse them."
                refusal = Refusal("no_such_player", sentence, MAIN)
        if refusal or proposal is None:
            return refusal
        cast = _CAST.first(proposal=proposal.pk, player=player.pk)
        sealed = table.game.sealed_count + 1
        book = {"sealed": sealed, "entry": None} if proposal.secret else {"entry": table.seq}
        return VOTES.refusal(table.game, (cast[0] if cast else 0) + 1, MAIN) or Effects(
            Set(Vote, proposal=proposal, player=player, word=word, at=table.now, **book),
            Tell({"vote": [proposal.serial, player.name, word]}),
            Then(move_the_queue),
            say=f"{player} votes {word} on {proposal}.",
            figures={"proposal": proposal.handle, "vote": word},
        )

    def is_private(self, table: Table, data: Inputs) -> bool:
        proposal = state_of(table).find(data.get("proposal"))
        return proposal is not None and proposal.secret

    def book(self, table: Table, data: Inputs) -> str:
        proposal = state_of(table).find(data["proposal"])
        return proposal.book if proposal else ""


@action
class SayOfIt(ProposalAction):
    """Say something about a proposal, for all to read."""

    name = "proposals.comment"
    title = "Comment on a proposal"
    sentence = "On {proposal}: {text}"
    button = "Say it"
    page = "proposals"

    class Form(ActionForm):
        proposal = fields.ProposalField(lambda state, player: state.newest)
        text = Text(lines=True, longest=5_000)

    def judge(self, table: Table, player: Player, proposal: Any, text: str | None) -> Verdict:
        if proposal is None or text is None:
            return None
        comments = Comment.objects.filter(proposal=proposal)
        counts = comments.aggregate(
            of_player=Count("pk", filter=Q(player=player)), of_all=Count("pk")
        )
        refusal = REMARKS_OF_PLAYER.refusal(table.game, counts["of_player"] + 1, MAIN)
        remark = {"player": player, "text": text.replace("\r\n", "\n"), "at": table.now}
        return (
            refusal
            or REMARKS.refusal(table.game, counts["of_all"] + 1, MAIN)
            or Effects(
                Set(Comment, proposal=proposal, **remark),
                say=f"{player} comments on {proposal}.",
                figures={"proposal": proposal.handle},
            )
        )


_SUBMIT = Submit()


@action
class BringProposal(Brings):
    """Submit a proposal as by the player who had it waiting before. It is voted on here."""

    name = "proposals.bring"
    title = "Bring a proposal from before"
    sentence = "As before, let {author} propose {title}: {body}"
    button = "Submit"

    class Form(ActionForm):
        author = PlayerField(label="Author")
        title = Text(longest=LONGEST_TITLE, required=False)
        body = Text(lines=True, longest=LONGEST_BODY)
        index = fields.IndexField(required=False, label="Adoption index")

        def begin(self, table: Table) -> None:
            if not (table.game.edition and state_of(table).edition.weighs):
                del self.fields["index"]

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(not _SUBMIT.absence(table))

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        if "author" not in data:
            return None
        author, weighs = table.seat(data["author"]), "index" in data
        # The proposal's content as `proposals.submit` takes it.
        content = {"conflicts": [], "dependencies": [], "units": None, **data}
        content |= {"class": "", "coauthors": []} if weighs else {}
        del content["author"]
        verdict = _SUBMIT.judge(table, author, **content)
        from_before = ". That was brought from before this game"
        return verdict.also(ending=from_before) if isinstance(verdict, Effects) else verdict
