"""Templates are laid out for those who write them; what is sent has none of their indentation."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_BLOCKS = (
    "article|aside|blockquote|body|caption|circle|dd|defs|desc|details|div|dl|dt|fieldset|"
    "figcaption|figure|footer|form|g|h[1-6]|head|header|html|legend|li|line|link|main|meta|nav|ol|"
    "optgroup|option|p|path|polyline|rect|script|section|summary|table|tbody|td|template|"
    "text|tfoot|th|thead|title|tr|ul|use"
)
_CODE = r"\{%.*?%\}|\{\{.*?\}\}"
_WITHIN = rf'(?:{_CODE}|"(?:{_CODE}|[^"])*"|[^">])*'
_KEPT = re.compile(r"(<(pre|textarea)\b.*?</\2>)", re.S)
_INDENTATION = re.compile(r"\s*\n\s*")
_TAG = re.compile(rf"<[a-z]{_WITHIN}>")
_BLOCK = re.compile(rf" ?(</?(?:{_BLOCKS})\b{_WITHIN}>) ?")
_CONTROL = re.compile(rf"(<(?:button|select)\b{_WITHIN}>) | (</(?:button|select)>)")


def squeezed(source: str) -> str:
    """The template without what only lays it out; what a browser draws of it stays the same."""
    parts = _KEPT.split(source)
    for place in range(0, len(parts), 3):  # between them stands what is kept as it is
        part = _INDENTATION.sub(" ", parts[place])
        part = _TAG.sub(lambda tag: re.sub(r" (/?>)$", r"\1", tag[0]), part)
        parts[place] = _CONTROL.sub(r"\1\2", _BLOCK.sub(r"\1", part))
    del parts[2::3]
    return "".join(parts)


class Loader(filesystem.Loader):
    """Reads our own templates, squeezed if they are pages."""

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        return squeezed(source) if origin.name.endswith(".html") else source
