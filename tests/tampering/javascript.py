"""Running verifier.mjs in Chromium, as a page that writes down what came of it."""

from __future__ import annotations

import html
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browser import CHROMIUM

VERIFIER = Path(__file__).with_name("verifier.mjs").read_text("utf-8")
_QUIETLY = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
_BEGIN, _END = "<pre>", "</pre>"


def evaluate(expression: str, given: Any = None) -> Any:
    """What that expression comes to, where the verifier's functions are known and `given` too."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        known = json.dumps(given).replace("<", "\\u003c")
        script = f"{VERIFIER}\nconst given = {known};\nconst found = {expression};"
        shown = 'document.querySelector("pre").textContent = JSON.stringify(found);'
        text = f'{_BEGIN}{_END}<script type="module">{script}\n{shown}</script>'
        page.write_text(f'<!doctype html><meta charset="utf-8">{text}', "utf-8")
        asked = (f"--user-data-dir={folder}", "--dump-dom", page.as_uri())
        done = subprocess.run((CHROMIUM, *_QUIETLY, *asked), capture_output=True, check=True)
    said = done.stdout.decode().partition(_BEGIN)[2].partition(_END)[0]
    return json.loads(html.unescape(said))


VERIFIED = """given.map(([file, ...heads]) => {
  try { return verify(file, heads); } catch (error) { return error.message; }
})"""


def verified(*files: tuple[str, ...]) -> list[dict[str, int] | str]:
    """Of each file, which heads may follow: what was counted, or what is wrong."""
    found: list[dict[str, int] | str] = evaluate(VERIFIED, files)
    return found
