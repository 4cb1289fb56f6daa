"""Proofs of what people saw: receipts, and heads that they bring."""
