"""Programs that players write: checked without being run, and run in a sandbox. No Django here."""
