"""What docs/scaling.md tells of bounds is what stands in the code."""

from nomic.embedded.places import ROOT
from nomic.offices.management.commands.bounds import tables

_BEGIN, _END = "<!-- manage.py bounds -->\n", "\n<!-- end of bounds -->"


def test_the_table_of_bounds_is_the_one_that_the_command_prints():
    page = (ROOT / "docs" / "scaling.md").read_text()
    told = page.partition(_BEGIN)[2].partition(_END)[0]
    assert told.strip() == tables(), "write what `manage.py bounds` prints into docs/scaling.md"
