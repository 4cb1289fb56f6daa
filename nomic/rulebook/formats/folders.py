"""A rulebook in a folder or a zip archive: a file a rule, as the one who keeps Agora's rules has
them, or files of text or JSON, each with one rule or several."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from nomic.rulebook.formats.checking import Enough, Fault, Findings, as_text
from nomic.rulebook.formats.heading_words import heading_words
from nomic.rulebook.formats.headings import read_parts, read_text
from nomic.rulebook.formats.splitting.split import split
from nomic.rulebook.formats.splitting.starts import MOST_HEADINGS, Split, Start, lines_of
from nomic.rulebook.formats.values import Category, Heading, compact, kind_of
from nomic.rulebook.formats.yaml_files import load

type Files = Mapping[str, bytes]

LARGEST = 10_000_000  # bytes of a file or an archive as it is sent
MOST_FILES = 20_000
LARGEST_FILE = 2_000_000  # bytes
LARGEST_TOGETHER = 40_000_000
_KEEPERS = re.compile(r"(?:^|.*/)(rules/[^/]+?|config/index)(?:\.ya?ml)?$")
_RULE_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:-[0-9]+)?")
_ABOUT = re.compile(r"(?:readme|licen[cs]e|contributing|changelog|code_of_conduct)\b.*", re.I)
_NAMED = re.compile(
    r"(?:rule|r|regulation)?[ _-]*(-?[0-9]{1,6}(?:\.[0-9]{1,4})*[a-z]?)(?P<rest>.*)", re.I
)
_FRONT = re.compile(r"---[ \t]*\n(?P<facts>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_FIELD_LIST = re.compile(r"(?::[A-Za-z][\w -]{0,40}:[^\n]*(?:\n|\Z))+")
_MANY_FILES = 3  # of a folder, with a rule each
_KEY = "(its name)"  # the field that is a rule's name in a mapping of rules
_FIELD = re.compile(r":([^:\n]+):[ \t]*([^\n]*)")


def check_size(size: int, name: str) -> None:
    """Raise Fault where a file or an archive has too many bytes."""
    if size > LARGEST:
        raise Fault(f"{name} has {size:,} bytes; {LARGEST:,} are the most.")


def read_folder(folder: Path, findings: Findings) -> Files:
    """The files of the folder that may hold rules; raises Fault."""
    paths: dict[str, Path] = {}
    for count, file in enumerate(_walk(folder)):
        if count >= MOST_FILES:
            raise Fault(f"{folder.name}/ holds more than {MOST_FILES:,} files.")
        name = file.relative_to(folder).as_posix()
        if file.name.startswith("."):
            of_folder = "/" * (file.is_dir() and not file.is_symlink())
            findings.contents.unread.append(f"{name[:100]}{of_folder}: hidden, and not read.")
        else:
            paths[name] = file
    names = _wanted(paths)
    files: dict[str, bytes] = {}
    together = 0
    for name, file in paths.items():
        wanted = names.get(name)
        if not wanted:
            findings.contents.unread.append(f"{name}: this file was not read.")
            continue
        if file.is_symlink() or not file.is_file():
            raise Fault(f"{name} is no plain file.")
        together += _allowed(name, file.stat().st_size, together)
        files[wanted] = file.read_bytes()
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """The files of the folder and of those in it, by their names; of hidden folders themselves."""
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith("."):
            yield from _walk(entry)
        else:
            yield entry


def unpacked(content: bytes, name: str, findings: Findings) -> Files:
    """The files of the archive that may hold rules; raises Fault."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            return dict(_members(archive, name, findings))
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Fault(f"{name} is no zip archive that can be read: {error}.") from None


def _members(archive: ZipFile, name: str, findings: Findings) -> Iterator[tuple[str, bytes]]:
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise Fault(f"{name} holds {len(members):,} files; {MOST_FILES:,} are the most.")
    visible = (member for member in members if not (member.is_dir() or _hidden(member)))
    wanted_of = _wanted([member.filename for member in visible])
    together, names = 0, set[str]()
    hidden = dict.fromkeys(filter(None, map(_hidden, members)))
    findings.contents.unread += (f"{file[:100]}: hidden, and not read." for file in hidden)
    for member in members:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
            raise Fault(f"{name}: the file “{member.filename[:100]}” leads out of the archive.")
        if member.is_dir() or _hidden(member):
            continue
        wanted = wanted_of.get(member.filename)
        if not wanted:
            findings.contents.unread.append(f"{member.filename[:100]}: this file was not read.")
            continue
        together += _allowed(member.filename, member.file_size, together)
        if wanted in names:
            raise Fault(f"{name} holds {wanted} twice.")
        names.add(wanted)
        with archive.open(member) as file:
            yield wanted, file.read(LARGEST_FILE)


def _is_keepers(name: str) -> bool:
    """Whether a file of that name says that all are as the keeper of Agora's rules has them."""
    base = name.rpartition("/")[2]
    is_other = _ABOUT.fullmatch(base) or ("." in base and not _RULE_NUMBER.fullmatch(base))
    return bool(_KEEPERS.fullmatch(name)) and not is_other


def _hidden(member: ZipInfo) -> str:
    """What of a file's path in an archive is hidden, from its beginning on; "" for nothing."""
    parts = member.filename.split("/")
    for at, part in enumerate(parts):
        if part.startswith(".") or part == "__MACOSX":
            return "/".join(parts[: at + 1]) + "/" * (at + 1 < len(parts))
    return ""


def _wanted(names: Collection[str]) -> dict[str, str]:
    """Of the files that are read the names under which they are."""
    if any(map(_is_keepers, names)):
        matches = filter(None, map(_KEEPERS.fullmatch, names))
        return {match[0]: match[1] for match in matches}
    kinds = {name: kind_of(name.rpartition("/")[2]) for name in names}
    texts = [name for name, kind in kinds.items() if kind not in ("", "html", "csv")]
    rules = [name for name in texts if not _ABOUT.fullmatch(name.rpartition("/")[2])]
    # A repository of nothing else has its rules where it is read first.
    readme = [name for name in texts if name.rpartition("/")[2].casefold().startswith("readme")]
    return {name: name for name in rules or readme}


def _allowed(name: str, size: int, together: int) -> int:
    """The size, in bytes; raises Fault where it is too great, by itself or with those before."""
    if size > LARGEST_FILE:
        raise Fault(f"{name} has {size:,} bytes; {LARGEST_FILE:,} are the most.")
    if together + size > LARGEST_TOGETHER:
        raise Fault(f"Together the files have more than {LARGEST_TOGETHER:,} bytes.")
    return size


def read_files(
    files: Files, findings: Findings, read_json: Callable[[str, str, Findings], None]
) -> None:
    """Add the rules of these files to the findings, by an index where there is one; raises
    Fault."""
    if any(map(_is_keepers, files)):
        rules = {name[6:]: file for name, file in files.items() if name.startswith("rules/")}
        _read_keepers(rules, files.get("config/index"), findings)
        return
    if not files:
        raise Fault(
            "There is no folder rules/ with a file a rule in it, and no file of text, YAML or JSON."
        )
    beside = Counter(name.rpartition("/")[0] for name in files)
    for name in sorted(files, key=_numeric):
        is_of_many = beside[name.rpartition("/")[0]] >= _MANY_FILES
        try:
            text = as_text(files[name], name, findings.note)
            is_alone = len(files) == 1
            read_file(text, name, findings, read_json, is_of_many=is_of_many, is_alone=is_alone)
        except Enough:
            raise
        except Fault as fault:
            findings.fault(str(fault))


# Files as the keeper of Agora's rules has them


def _read_keepers(rules: dict[str, bytes], index: bytes | None, findings: Findings) -> None:
    """The rules that the index names in its order, and all others as repealed."""
    if not rules:
        raise Fault("There is no folder rules/ with a file a rule in it.")
    if index is None:
        findings.note("There is no config/index: all rules are taken to be in force.")
        placed = [(name, "") for name in sorted(rules, key=_numeric)]
    else:
        findings.index = as_text(index, "config/index", findings.note)
        placed = _index(load(findings.index, "config/index"), findings)
    for name, category in placed:
        if name in rules:
            _read_rule(rules.pop(name), name, findings, category=category)
        else:
            findings.fault(f"config/index names rule {name}, and there is no rules/{name}.")
    for name in sorted(rules, key=_numeric):
        _read_rule(rules[name], name, findings, repealed=True)


def _numeric(name: str) -> tuple[tuple[int, str], ...]:
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+|[0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


def _index(categories: Any, findings: Findings) -> list[tuple[str, str]]:
    """The names of the rules' files in order, each with its category; raises Fault."""
    where = "config/index"
    if not isinstance(categories, Sequence) or isinstance(categories, str):
        raise Fault(f"{where} is a list of categories, each with `name` and `rules`.")
    placed: dict[str, str] = {}
    for at, category in enumerate(categories, 1):
        numbers = (category.get("rules") or []) if isinstance(category, Mapping) else None
        if not isinstance(numbers, Sequence):
            raise Fault(f"{where}, category {at}: a category has `name` and `rules`.")
        name = str(category.get("name") or "")
        for number in numbers:
            if str(number) in placed:
                raise Fault(f"{where} names rule {number} twice.")
            placed[str(number)] = name
        more = {field: fact for field, fact in category.items() if field not in ("name", "rules")}
        note = more.pop("note", "")
        if more or note:
            text = note if isinstance(note, str) else compact(note)
            findings.categories.append(
                Category(name, text.removesuffix("\n"), compact(more) if more else "")
            )
    return list(placed.items())


def _read_rule(
    content: bytes, name: str, findings: Findings, *, category: str = "", repealed: bool = False
) -> None:
    where = f"rules/{name}"
    file = ""
    try:
        file = as_text(content, where, findings.note)
        facts = load(file, where)
    except Enough:
        raise
    except Fault as unread:
        if repealed:
            findings.contents.rules += 1
            findings.keep_repealed(file, where, unread)
        else:
            findings.fault(str(unread))
        return
    if isinstance(facts, dict):
        if name[0].isdecimal() and not {"id", "number"} & facts.keys():
            facts["id"] = name
        number = str(facts.get("id", facts.get("number", name)))
        if number != name and not name.startswith((f"{number}-", "place-", "site-")):
            fault = f"{where}: its id is {number}, which is not its file's name."
            if not repealed:
                findings.fault(fault)
                return
            findings.note(f"{fault} It is kept as rule {name}.")
            facts = {**facts, "id": name, "id in the file": facts.get("id")}
        facts = _without_end(facts)
    findings.contents.add_facts(facts, where)
    findings.add(facts, where, repealed=repealed, category=category, filed=file)


# Other files


def read_file(
    text: str,
    name: str,
    findings: Findings,
    read_json: Callable[[str, str, Findings], None],
    *,
    is_of_many: bool = False,
    is_alone: bool = False,
) -> None:
    """Add the rule of a file, or the rules, to the findings; raises Fault. One that `is_of_many` is
    in a folder of files, one that `is_alone` all that was brought."""
    folder, _, base = name.rpartition("/")
    kind = kind_of(base)
    numbered = _NAMED.fullmatch(base.rpartition(".")[0])
    if kind == "json":
        read_json(text, name, findings)
        return
    if kind == "yaml":
        document, body = load(text, name), ""
        rules = document if isinstance(document, list) else rules_within(document)
        text_field = findings.choices.fields.get("text", "text")
        if rules:
            findings.contents.add_facts(document, name)
            for at, rule in enumerate(rules, 1):
                findings.add(_without_end(rule, text_field), f"{name}, rule {at}", category=folder)
            return
        document = _without_end(document, text_field)
    else:
        document, body = _front(text, name)
        may_have_several = not document and (is_alone or not numbered)
        parts = split(text, name) if may_have_several else Split(text, [])
        if len(parts.starts) > 1 and not (is_of_many and _is_one_rule(text, parts.starts)):
            category = "" if is_alone else folder
            read_parts(parts, name, findings, category, is_of_several=not is_alone)
            return
    if not isinstance(document, dict):
        raise Fault(f"{name}: a rule is a mapping of fields, and this is none.")
    heading, body, further = _parted(text, body, name, findings)
    facts = _named_facts(document, heading, body, base, numbered, findings)
    findings.contents.add_facts({**document, "text below": body}, name)
    findings.add(facts, name, category=folder, markup="wiki" if kind == "wiki" else "")
    if further:
        read_text(further, name, findings, folder, is_of_several=True)


def _is_one_rule(text: str, starts: list[Start]) -> bool:
    """Whether the text is of one rule that has parts: its first heading is greater than the others,
    has a text at once, and none has a number."""
    first, others = starts[0], starts[1:]
    is_greatest = all(start.level > first.level for start in others)
    has_text = bool(text[first.ends : others[0].begins].strip())
    has_numbers = any(start.number for start in starts)
    return is_greatest and has_text and not has_numbers and not text[: first.begins].strip()


def _parted(text: str, body: str, name: str, findings: Findings) -> tuple[Start | None, str, str]:
    """Of the body of a rule's own file the heading with which it begins, what is that rule's, and
    the whole text from the first heading on that is said to begin another, in its lines; each
    heading in it may be said so."""
    above = text.count("\n", 0, len(text) - len(body))
    starts = split(body, name).starts if body.strip() else []
    heading = None
    if starts and not body[: starts[0].begins].strip():
        heading = starts[0]
    for start, line in zip(starts, lines_of(body, starts), strict=True):
        if start is heading:
            continue
        place = f"{name}:{above + line}"
        if findings.choices.headings.get(place, "text") != "text":
            return heading, body[: start.begins], "\n" * (above + line - 1) + body[start.begins :]
        if len(findings.headings) < MOST_HEADINGS:
            findings.headings.append(Heading(place, start.words[:200], "text"))
    return heading, body, ""


def _without_end(rule: Any, name: str = "text") -> Any:
    """The rule without the newline at the end of its text, a field of that name: it is YAML's."""
    if isinstance(rule, dict) and isinstance(rule.get(name), str):
        return {**rule, name: rule[name].removesuffix("\n")}
    return rule


def rules_within(document: object) -> list[Any]:
    """The rules of a document that is no list: the one list of mappings in it, or, where it has
    nothing but mappings by names, these with their names, or texts by numbers, or several of these
    by their categories; none where it is otherwise."""
    if not isinstance(document, dict) or not document:
        return []
    if {"title", "name", "text"} & document.keys() and not is_of_mappings(document.get("rules")):
        return []  # a rule itself, whose history is a list as well
    lists = {str(name): fact for name, fact in document.items() if is_of_mappings(fact)}
    rules = {name: fact for name, fact in lists.items() if name.casefold() == "rules"} or lists
    if len(rules) == 1:
        return [rule for fact in rules.values() for rule in fact]
    parts = {str(name): _texts_by_numbers(fact) for name, fact in document.items()}
    if all(parts.values()) or len(lists) == len(document):
        parts = parts if all(parts.values()) else lists
        return [{"category": name, **rule} for name, part in parts.items() for rule in part]
    if not lists and is_of_mappings([*document.values()]):
        return [{_KEY: str(key), **rule} for key, rule in document.items()]
    return _texts_by_numbers(document)


def _texts_by_numbers(document: object) -> list[Any]:
    """The rules of a mapping of numbers to texts, none where it is another."""
    if not isinstance(document, dict) or not all(
        isinstance(fact, str) and _RULE_NUMBER.fullmatch(str(key)) for key, fact in document.items()
    ):
        return []
    return [{"number": str(key), "text": fact} for key, fact in document.items()]


def is_of_mappings(fact: object) -> bool:
    """Whether it is a list of mappings, and not empty."""
    return isinstance(fact, list) and bool(fact) and all(isinstance(rule, dict) for rule in fact)


def _named_facts(
    document: dict[str, Any],
    heading: Start | None,
    body: str,
    base: str,
    numbered: re.Match[str] | None,
    findings: Findings,
) -> dict[str, Any]:
    """The fields of a rule's own file, those that it does not have by the heading with which its
    body begins or by its name."""
    chosen = findings.choices.fields
    facts = dict(document)
    number = numbered[1] if numbered else ""
    words = numbered["rest"] if numbered else base.rpartition(".")[0]
    title = re.sub(r"[ _-]+", " ", words).strip()
    if heading:
        head = heading_words(heading.words, loose=True)
        if number and head.number not in (number, ""):
            head = heading_words(heading.words)  # “# 2 Fast” in another rule's file is a title
        if not number or head.number in (number, ""):
            findings.contents.reworded.append(heading.words)
            title, number = head.title, number or head.number
            body = body[heading.ends :]
            for name, fact in (("power", head.power), ("rule_class", head.rule_class)):
                if fact:
                    facts.setdefault(name, fact)
    if body.strip() or not {"text", chosen.get("text")} & facts.keys():
        facts["text below" if chosen.get("text") in facts else "text"] = body.strip("\n")
    if number and not {"id", "number", chosen.get("number")} & facts.keys():
        facts["number"] = number
    if not {"name", "title", chosen.get("title")} & facts.keys():
        facts["title"] = title or f"Rule {number}"
    return facts


def _front(text: str, name: str) -> tuple[dict[str, Any], str]:
    """The fields at the top of a file, between `---` or as `:name: words`, and what stands below
    them; raises Fault."""
    if front := _FRONT.match(text):
        facts = load(front["facts"], name) or {}
        if not isinstance(facts, dict):
            raise Fault(f"{name}: what stands between --- at its top is no mapping of fields.")
        return facts, text[front.end() :]
    if fields := _FIELD_LIST.match(text):
        return dict(_FIELD.findall(fields[0])), text[fields.end() :]
    return {}, text
