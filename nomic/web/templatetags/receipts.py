"""What a receipt in one line says."""

from django import template

register = template.Library()


@register.filter
def receipt(tag: str) -> dict[str, str]:
    """The parts of NUMBER:HASH:KEY:SIGNATURE; of a private act there is no number."""
    number, digest, key, signature = [*tag.split(":"), "", "", ""][:4]
    named = number or digest
    return {
        "number": number,
        "hash": digest,
        "key": key,
        "signature": signature,
        "named": named,
        "whole": tag,
    }
