"""What is sent of a template that is laid out over many lines."""

from nomic.web.squeezing import squeezed


def test_indentation_is_not_sent() -> None:
    laid_out = """
      <ul
        class="{% if page > 1 %}later{% endif %}"
      >
        {% for name in names %}
          <li>
            {{ name }}
          </li>
        {% endfor %}
      </ul>
    """
    sent = (
        '<ul class="{% if page > 1 %}later{% endif %}">'
        "{% for name in names %}<li>{{ name }}</li>{% endfor %}</ul>"
    )
    assert squeezed(laid_out) == sent


def test_a_space_between_words_stays_whatever_stands_between_them() -> None:
    assert squeezed("<p>\n  Bet <b>2</b>\n  on\n  {{ horse }}\n</p>") == (
        "<p>Bet <b>2</b> on {{ horse }}</p>"
    )
    assert squeezed("<button>\n  Yes\n</button>\n<button>\n  No\n</button>") == (
        "<button>Yes</button> <button>No</button>"
    )


def test_what_is_preformatted_stays_as_it_is() -> None:
    kept = '<pre class="report">a\n  b</pre><textarea>\n  c\n</textarea>'
    assert squeezed(kept) == kept
