"""Sending a file that is made while it is sent."""

from collections.abc import Iterable, Iterator

from django.http import HttpResponse, StreamingHttpResponse

_AT_ONCE = 64_000  # characters that are sent together


def sent(lines: Iterable[str], name: str, content_type: str) -> StreamingHttpResponse:
    """The answer that sends these lines as a file of that name."""
    answer = StreamingHttpResponse(_in_parts(lines), content_type=f"{content_type}; charset=utf-8")
    return as_file(answer, name)


def as_file[Answer: (HttpResponse, StreamingHttpResponse)](answer: Answer, name: str) -> Answer:
    """That answer, which a browser keeps as a file of that name."""
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _in_parts(lines: Iterable[str]) -> Iterator[str]:
    part, size = list[str](), 0
    for line in lines:
        part.append(line)
        size += len(line)
        if size >= _AT_ONCE:
            yield "".join(part)
            part, size = [], 0
    yield "".join(part)
