"""Who owns what. The database itself refuses a book that does not balance.

Postings reference their transfer, holder and asset without foreign keys of their own: those
three can never be deleted, and the trigger that keeps the balances checks all references of a
statement at once, and that they are of the game that the posting names, which a foreign key would
do row by row.
"""

import pgtrigger
from django.db import models
from django.db.models import Q

from nomic.games.guards import APPEND_ONLY, NEVER_DELETED, Hidden, InGame, of_one_game, referred_to
from nomic.games.models import Game, GameOf, Player

_KEEP_BALANCES = """
SELECT s.*, a.indestructible AND s.goes_back AS destroys INTO wrong
  FROM (
    SELECT n.transfer_id, n.asset_id, SUM(n.amount) AS total, MAX(n.holder_id) AS holder,
           MIN(n.game_id) AS first_game, MAX(n.game_id) AS last_game,
           MAX(n.holder_id) FILTER (WHERE h.game_id IS DISTINCT FROM n.game_id) AS stranger,
           bool_or(h.kind = 'mint' AND n.amount > 0) AS goes_back
      FROM new_rows n
      LEFT JOIN ledger_holder h ON h.id = n.holder_id
     GROUP BY n.transfer_id, n.asset_id
  ) s
  LEFT JOIN ledger_transfer t ON t.id = s.transfer_id
  LEFT JOIN games_game g ON g.id = t.game_id
  LEFT JOIN ledger_asset a ON a.id = s.asset_id
  WHERE s.total <> 0
     OR g.id IS NULL
     OR s.stranger IS NOT NULL
     OR (s.first_game, s.last_game) <> (t.game_id, t.game_id)
     OR a.game_id IS DISTINCT FROM t.game_id
     OR t.entry <= g.last_entry
     OR t.sealed <= g.sealed_count
     OR a.indestructible AND s.goes_back
  ORDER BY s.total = 0 LIMIT 1;
IF FOUND AND wrong.total <> 0 THEN
  RAISE EXCEPTION 'transfer % does not balance: asset % is off by %',
    wrong.transfer_id, wrong.asset_id, wrong.total USING ERRCODE = 'check_violation';
ELSIF FOUND AND wrong.destroys THEN
  RAISE EXCEPTION 'asset % is indestructible', wrong.asset_id USING ERRCODE = 'check_violation';
ELSIF FOUND THEN
  RAISE EXCEPTION
    'asset % of holder % is of another game than transfer %, or its entry is written already',
    wrong.asset_id, COALESCE(wrong.stranger, wrong.holder), wrong.transfer_id
    USING ERRCODE = 'check_violation';
END IF;

MERGE INTO ledger_balance b
USING (
  SELECT game_id, holder_id, asset_id, SUM(amount)::bigint AS amount
    FROM new_rows GROUP BY game_id, holder_id, asset_id
) s ON b.holder_id = s.holder_id AND b.asset_id = s.asset_id
WHEN MATCHED THEN UPDATE SET amount = b.amount + s.amount
WHEN NOT MATCHED THEN
  INSERT (game_id, holder_id, asset_id, amount, is_mint, is_unique, may_owe)
  VALUES (s.game_id, s.holder_id, s.asset_id, s.amount,
          (SELECT kind = 'mint' FROM ledger_holder WHERE id = s.holder_id),
          (SELECT kind = 'unique' FROM ledger_asset WHERE id = s.asset_id),
          (SELECT may_owe FROM ledger_asset WHERE id = s.asset_id));
RETURN NULL;
"""

_ONLY_BY_POSTINGS = """
IF pg_trigger_depth() < 2 THEN
  RAISE EXCEPTION 'balances are kept by the postings and cannot be written'
    USING ERRCODE = 'check_violation';
END IF;
RETURN NULL;
"""

_SAME_HOLDER = """
IF (OLD.game_id, OLD.kind, OLD.player_id) IS DISTINCT FROM (NEW.game_id, NEW.kind, NEW.player_id)
THEN
  RAISE EXCEPTION 'holder % stays what it is', OLD.id USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""

_SAME_ASSET = """
IF TG_OP = 'UPDATE'
   AND (OLD.game_id, OLD.mint_id, OLD.kind) IS DISTINCT FROM (NEW.game_id, NEW.mint_id, NEW.kind)
THEN
  RAISE EXCEPTION 'asset % stays what it is', OLD.id USING ERRCODE = 'check_violation';
END IF;
IF TG_OP = 'UPDATE' AND OLD.visibility = 'public' AND NEW.visibility <> 'public' THEN
  RAISE EXCEPTION 'asset % is public for good', NEW.name USING ERRCODE = 'check_violation';
END IF;
IF NOT EXISTS (
  SELECT FROM ledger_holder WHERE id = NEW.mint_id AND kind = 'mint' AND game_id = NEW.game_id
) THEN
  RAISE EXCEPTION 'asset % does not come from a mint of its game', NEW.name
    USING ERRCODE = 'check_violation';
END IF;
RETURN NEW;
"""

# What is owed once nobody may owe it any more stays owed: no balance changes by a change of rules.
_LET_OWE = """
IF NEW.may_owe AND NOT OLD.may_owe THEN
  UPDATE ledger_balance SET may_owe = true WHERE asset_id = NEW.id;
END IF;
RETURN NULL;
"""


AGORA = "Agora"  # the game itself, where its rules are Agora's
SCORE = "points"
_ONE_OF_THE_SCORE = "point"


class AssetKind(models.TextChoices):
    CURRENCY = "currency"
    UNIQUE = "unique"


class AssetVisibility(models.TextChoices):
    PUBLIC = "public"
    PRIVATE = "private"


class HolderKind(models.TextChoices):
    PLAYER = "player"
    GAME = "game"
    LOST_AND_FOUND = "lost_and_found"
    MINT = "mint"
    ESCROW = "escrow"
    DECK = "deck"


class Holder(models.Model):
    """One who can own: a player, the game itself (“Agora”), the lost and found department,
    a deck, an escrow, or the mint from which all assets come."""

    # Decks and escrows until they have had something public (nomic/engine/directory.py).
    hides = Hidden(unless=~Q(kind__in=(HolderKind.DECK, HolderKind.ESCROW)))
    game = models.ForeignKey(Game, models.PROTECT, related_name="holders")
    kind = models.CharField(max_length=20, choices=HolderKind)
    name = models.CharField(max_length=60)
    player = models.OneToOneField(
        Player, models.PROTECT, null=True, blank=True, related_name="holder", db_constraint=False
    )

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=("game", "kind", "name"), name="one_holder_a_name"),
            models.CheckConstraint(
                name="players_and_only_they_are_players",
                condition=Q(kind=HolderKind.PLAYER, player__isnull=False)
                | (~Q(kind=HolderKind.PLAYER) & Q(player__isnull=True)),
            ),
            *of_one_game("ledger_holder", "player"),
            referred_to("ledger_holder"),
        )
        triggers = (
            NEVER_DELETED,
            pgtrigger.Trigger(
                name="same_holder",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                func=_SAME_HOLDER,
            ),
        )

    def __str__(self) -> str:
        return self.name


class Asset(models.Model):
    """A thing that is owned: a currency, or a unique thing with a supply of one.

    `fixed` assets cannot be transferred by their owner: actions ask `Books.cannot_transfer`.
    `indestructible` ones never go back to the mint: the posting trigger refuses it. Of a currency
    that its holders `may_owe` they may have less than nothing.
    A private asset's balances are for its owner and the holder of `officer` only; what is public
    stays so.
    """

    hides = Hidden(unless=Q(visibility=AssetVisibility.PUBLIC))
    game = models.ForeignKey(Game, models.PROTECT, related_name="assets")
    mint = InGame(Holder, models.PROTECT, related_name="minted")
    name = models.CharField(max_length=60)
    plural = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=AssetKind)
    fixed = models.BooleanField(default=False)
    indestructible = models.BooleanField(default=False)
    may_owe = models.BooleanField(default=False)
    visibility = models.CharField(
        max_length=10, choices=AssetVisibility, default=AssetVisibility.PUBLIC
    )
    officer = models.CharField(max_length=60, blank=True)
    family = models.CharField(max_length=40, blank=True, help_text="“horse”, “card” …")

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=("game", "name"), name="one_asset_a_name"),
            *of_one_game("ledger_asset", "mint"),
            referred_to("ledger_asset"),
        )
        triggers = (
            NEVER_DELETED,
            pgtrigger.Trigger(
                name="same_asset",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=_SAME_ASSET,
            ),
            pgtrigger.Trigger(
                name="let_owe",
                when=pgtrigger.After,
                operation=pgtrigger.UpdateOf("may_owe"),
                func=_LET_OWE,
            ),
        )

    def __str__(self) -> str:
        return self.name

    def amount(self, number: int, written: str = "") -> str:
        """The amount in words that count: “1 hoof”, “3 hooves”; perhaps with the number as it is
        `written` elsewhere."""
        return f"{written or number} {self.singular if number == 1 else self.plural}"

    @property
    def singular(self) -> str:
        """The name of one of it. The score goes by its plural: “points”."""
        return _ONE_OF_THE_SCORE if self.name == SCORE else self.name

    @property
    def names(self) -> tuple[str, str, str]:
        """What it may be called: by its name, as one of it, as several."""
        return self.name, self.singular, self.plural


class Transfer(models.Model):
    """Why something changed hands: the entry of the record, the rule, a few words.

    Where a private act moved it, `sealed` is the number of the sealed entry and `entry` is empty:
    such a transfer is in no list that others see.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="transfers")
    entry = models.PositiveIntegerField(
        null=True, blank=True, help_text="The number of its entry in the record"
    )
    sealed = models.PositiveIntegerField(null=True, blank=True, editable=False)
    rule = models.CharField(max_length=120, blank=True)
    why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("game", "entry")),
            # By it PostgreSQL sees that a sealed entry which goes, with its game, has no transfer.
            models.Index(
                fields=("game", "sealed"),
                name="sealed_transfers",
                condition=Q(sealed__isnull=False),
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="a_transfer_is_of_one_book",
                condition=Q(entry__isnull=False, sealed__isnull=True)
                | Q(entry__isnull=True, sealed__isnull=False),
            ),
        )
        triggers = (APPEND_ONLY,)


class Posting(models.Model):
    """One holder's side of a transfer: a signed, whole amount of one asset."""

    game = GameOf("transfer")
    transfer = models.ForeignKey(
        Transfer, models.PROTECT, related_name="postings", db_constraint=False
    )
    holder = models.ForeignKey(
        Holder, models.PROTECT, related_name="postings", db_constraint=False, db_index=False
    )
    asset = models.ForeignKey(
        Asset, models.PROTECT, related_name="postings", db_constraint=False, db_index=False
    )
    amount = models.BigIntegerField()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("holder", "asset", "id")),)
        constraints = (
            models.CheckConstraint(name="a_posting_moves_something", condition=~Q(amount=0)),
        )
        triggers = (
            APPEND_ONLY,
            pgtrigger.Trigger(
                name="keep_balances",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="new_rows"),
                declare=[("wrong", "record")],
                func=_KEEP_BALANCES,
            ),
        )


class Balance(models.Model):
    """The amount that a holder has of an asset: the sum of its postings, kept by the database."""

    hides = Hidden(unless=Q(asset__visibility=AssetVisibility.PUBLIC))
    game = GameOf("holder")
    holder = models.ForeignKey(
        Holder, models.PROTECT, related_name="balances", db_constraint=False, db_index=False
    )
    asset = models.ForeignKey(Asset, models.PROTECT, related_name="balances", db_constraint=False)
    amount = models.BigIntegerField()
    is_mint = models.BooleanField()
    is_unique = models.BooleanField()
    may_owe = models.BooleanField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("holder", "asset"), name="one_balance_each"),
            models.CheckConstraint(
                name="no_debts_but_allowed",
                condition=Q(amount__gte=0) | Q(is_mint=True) | Q(may_owe=True),
            ),
            models.CheckConstraint(
                name="a_unique_thing_is_one",
                condition=Q(is_unique=False) | Q(amount__gte=-1, amount__lte=1),
            ),
        )
        triggers = (
            pgtrigger.Trigger(
                name="only_by_postings",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Insert
                | pgtrigger.Update
                | pgtrigger.Delete
                | pgtrigger.Truncate,
                func=_ONLY_BY_POSTINGS,
            ),
        )
