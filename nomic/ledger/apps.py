from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "nomic.ledger"
    label = "ledger"
