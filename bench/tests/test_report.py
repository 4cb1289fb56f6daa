"""Where figures are kept."""

import json
from pathlib import Path

from bench.figures import Figure
from bench.report import Part, keep
from bench.size import TINY, WHOLE

BEFORE, AFTER = "before\n<!-- figures -->\n", "<!-- end of figures -->\nafter\n"


def _part(ours: float) -> Part:
    return Part(
        "2026-03-04T12:00+00:00", 0.5, 3.0, [Figure("bets", "one", "ms", ours, 2.0, at_most=1)]
    )


def test_a_part_that_is_measured_again_replaces_the_older_one(tmp_path: Path) -> None:
    told, page = tmp_path / "bench.json", tmp_path / "none.md"
    keep({"posts": _part(1.0), "weekly": _part(2.0)}, TINY, told, page)
    keep({"posts": _part(3.0)}, TINY, told, page)
    parts = json.loads(told.read_text())["parts"]
    assert [parts[name]["figures"][0]["ours"] for name in ("posts", "weekly")] == [3.0, 2.0]


def test_figures_of_another_size_do_not_mix(tmp_path: Path) -> None:
    told, page = tmp_path / "bench.json", tmp_path / "none.md"
    keep({"posts": _part(1.0)}, TINY, told, page)
    keep({"weekly": _part(1.0)}, WHOLE, told, page)
    assert json.loads(told.read_text())["parts"].keys() == {"weekly"}


def test_the_page_gets_the_table_of_a_whole_size_and_keeps_its_words(tmp_path: Path) -> None:
    told, page = tmp_path / "bench.json", tmp_path / "page.md"
    page.write_text(f"{BEFORE}old\n{AFTER}")
    keep({"posts": _part(1.0)}, TINY, told, page)
    assert "old" in page.read_text()
    keep({"posts": _part(1.0)}, WHOLE, told, page)
    text = page.read_text()
    assert text.startswith(BEFORE)
    assert text.endswith(AFTER)
    assert "old" not in text
    assert "| bets | one | 1 | 2 | ms | 0.50 | at most 1 | yes |" in text


def test_the_page_keeps_its_figures_where_only_what_has_its_own_table_was_done(
    tmp_path: Path,
) -> None:
    told, page = tmp_path / "bench.json", tmp_path / "page.md"
    page.write_text(f"{BEFORE}old\n{AFTER}")
    keep({"shares:talk": _part(1.0)}, WHOLE, told, page)
    assert page.read_text() == f"{BEFORE}old\n{AFTER}"
    keep({"posts": _part(1.0)}, WHOLE, told, page)
    assert "| bets | one | 1 | 2 |" in page.read_text()
    assert "shares" not in page.read_text()
