"""Names that people choose, as templates go through them."""

from django.template import engines


def test_whoever_is_called_items_is_listed_like_others() -> None:
    written = "{% for name, vote in votes|pairs %}{{ name }}: {{ vote }}; {% endfor %}"
    template = engines["django"].from_string(written)
    votes = {"items": "FOR", "juan": "AGAINST"}
    assert template.render({"votes": votes}) == "items: FOR; juan: AGAINST; "
