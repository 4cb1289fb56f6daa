"""The name of an account, and where else than in its row it stands."""

from django.contrib.auth.models import User

from nomic.quotas.models import Hold
from nomic.record.models import SeenHead

_LONGEST = SeenHead._meta.get_field("name").max_length


def witness_name(username: str) -> str:
    """The name by which the API keeps that an account without a seat has seen a head."""
    return f"@{username}"[:_LONGEST]


def rename_account(user: User, name: str) -> None:
    """Let the account be called that from now on, and what the site keeps of it by its name."""
    former = User.objects.get(pk=user.pk).username
    User.objects.filter(pk=user.pk).update(username=name)
    rename_beside_it(former, witness_name(name), name)


def rename_beside_it(former: str, witness: str, name: str) -> None:
    """Put the new name in the place of the former one where the site keeps the name and no key: in
    the heads that the account has seen, and the holds that it made as the operator."""
    for head in SeenHead.objects.filter(player=None, name=witness_name(former)):
        same_head = SeenHead.objects.filter(
            player=None, game=head.game_id, hash=head.hash, name=witness
        )
        if same_head.exists():
            head.delete()
        else:
            SeenHead.objects.filter(pk=head.pk).update(name=witness)
    for column in ("by", "ended_by"):
        Hold.objects.filter(**{column: former}).update(**{column: name})
