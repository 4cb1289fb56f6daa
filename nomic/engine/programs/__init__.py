"""Programs that players write: checked without being run, and run in a sandbox. No Django here."""

import sys
from importlib.util import find_spec

if find_spec("opentelemetry") is None:  # at each question monty looks for it in all folders anew
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
