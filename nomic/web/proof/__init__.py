"""What lets people prove what they saw: receipts, and heads that they bring."""
