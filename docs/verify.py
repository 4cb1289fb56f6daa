"""Check a game of Nomic from what is public, or from a file of it, without the program itself.

    python verify.py https://nomic.example/api/v1/games/horses [--head 40:HASH ...]
    python verify.py horses.export [--head HASH ...] [--receipt FILE ...] [--key PUBLIC ...]

A head is the hash of an entry that you have seen, with its number and a colon before it or without,
or as the site tells it, with its signature. A receipt is a file from the page of your receipts. The
keys that count are those that the address lists and those that you name.
It says what it has checked and what it cannot check, and exits 1 at the first difference. It needs
Python 3.11 or later and nothing else. record-format.md, beside it, says what it goes by.
"""

import hashlib
import hmac
import json
import math
import re
import sys
import urllib.parse
import urllib.request
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

BODY = ("recorded_at", "name", "actor", "inputs", "outcome", "text", "rule")
HEADER = ("seq", "at", "kind", "prev_hash")
SEALED_BODY = ("after", "at", *BODY, "effects", "saw", "nonce", "salt")


ENTRY = (*HEADER, *BODY, "effects", "anchors", "saw", "nonce", "hash", "key")
SEALED = (*SEALED_BODY, "book", "number", "seq", "prev_hash", "hash", "opened_in", "key")
FORMAT, READINGS, READER = 1, 1, 1  # of a record, as entry 1 and each reading of a body have them
FILE, BEFORE_1_0 = "nomic record 1", ("nomic game 1", "nomic game 2")
KINDS = ("action", "event", "officer", "system")
RENAME = "games.rename"
SET_PACE, JOINS = "games.set_pace", ("games.join", "games.add_bot")
RESTORED = "games.restored"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
A_DAY = timedelta(days=1)
MOST_READINGS = 5  # of an address whose game moves on meanwhile


class Mismatch(Exception):
    """Something is not as it was written."""


def demand(holds, sentence):
    if not holds:
        raise Mismatch(sentence)


def object_of(pairs):
    """An object of JSON, in which no key stands twice: programs would read it in two ways."""
    members = dict(pairs)
    demand(len(members) == len(pairs), "An object has a key twice.")
    return members


def read_json(text):
    return json.loads(text, object_pairs_hook=object_of)


# Hashes


def number_of(number):
    """A number as RFC 8785 writes it: as JavaScript does."""
    if isinstance(number, int):
        demand(abs(number) < 2**53, f"{number} is a number that not every language can hold")
        return str(number)
    demand(math.isfinite(number), f"{number} is no number")
    if number == 0:
        return "0"
    sign, digits = ("-" if number < 0 else ""), repr(abs(number))
    mantissa, _, exponent = digits.partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    figures = (whole + fraction).lstrip("0")
    point = int(exponent or 0) + (len(whole) if whole != "0" else len(figures) - len(fraction))
    figures = figures.rstrip("0")
    if len(figures) <= point <= 21:
        return sign + figures.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{figures[:point]}.{figures[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{figures}"
    rest = f".{figures[1:]}" if figures[1:] else ""
    return f"{sign}{figures[0]}{rest}e{point - 1:+d}"


def canonical(content):
    """The text of a JSON value as RFC 8785 has it."""
    if content is None or isinstance(content, bool):
        return json.dumps(content)
    if isinstance(content, int | float):
        return number_of(content)
    if isinstance(content, str):
        return json.dumps(content, ensure_ascii=False)
    if isinstance(content, list):
        return f"[{','.join(map(canonical, content))}]"
    # JavaScript, after which RFC 8785 sorts, compares texts by their units of UTF-16.
    names = sorted(content, key=lambda name: name.encode("utf-16-be"))
    return f"{{{','.join(f'{canonical(name)}:{canonical(content[name])}' for name in names)}}}"


def many(count, one, more):
    """So many of them, in words that fit one and more of them."""
    return f"{count} {one if count == 1 else more}"


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def entry_hash(game, entry):
    """The hash of a public entry."""
    names = (*BODY, "effects", "anchors", "saw", "nonce")
    content = sha(canonical({name: entry[name] for name in names}))
    header = {name: entry[name] for name in HEADER}
    header |= {"game": game.identity, "subgame": entry["name"].partition(".")[0]}
    return sha(canonical({**header, "content": content}))


def tag_of(entry):
    kinds = ("record.anchor", "record.note", "record.part", "record.hidden")
    return entry["name"].removeprefix("record.") if entry["name"] in kinds else "act"


def sealed_hash(game, entry):
    """The hash of a sealed entry."""
    return header_hash(game, entry["book"], entry["number"], tag_of(entry), entry, told_hash(entry))


def told_hash(entry):
    """The hash by which a sealed entry is known before it is open: that of its content."""
    return sha(canonical(body_of(entry)))


def body_of(entry):
    return {name: entry[name] for name in SEALED_BODY}


def header_hash(game, book, number, tag, entry, content):
    header = {"game": game.identity, "book": book, "number": number, "tag": tag}
    return sha(canonical({**header, "prev_hash": entry["prev_hash"], "content": content}))


def genesis(game, book="record"):
    return sha(f"nomic {book} of {game.identity}")


# Signatures: Ed25519 (RFC 8032). A point is X, Y, Z, T, where x = X / Z, y = Y / Z, x y = T / Z

PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME


def add(first, second):
    a = (first[1] - first[0]) * (second[1] - second[0])
    b = (first[1] + first[0]) * (second[1] + second[0])
    c, d = 2 * first[3] * second[3] * CURVE, 2 * first[2] * second[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(count, point):
    total = 0, 1, 1, 0
    while count:
        if count & 1:
            total = add(total, point)
        point, count = add(point, point), count >> 1
    return total


def point_of(encoded):
    y = int.from_bytes(encoded, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    is_there = y < PRIME and (x * x - square) % PRIME == 0 and (x or not odd)
    demand(is_there, "A key or a signature is none: it is no point of the curve.")
    x = x if x & 1 == odd else PRIME - x
    return x, y, 1, x * y % PRIME


BASE = point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def is_signed(words, public, signature):
    public, signature = bytes.fromhex(public), bytes.fromhex(signature)
    factor = int.from_bytes(signature[32:], "little")
    # A factor of the order or more would be a second signature of the same words.
    if len(public) != 32 or len(signature) != 64 or factor >= ORDER:
        return False
    mixed = hashlib.sha512(signature[:32] + public + words).digest()
    challenge = int.from_bytes(mixed, "little") % ORDER
    left_side, right_side = times(factor, BASE), times(challenge, point_of(public))
    right_side = add(point_of(signature[:32]), right_side)
    return all(
        (left_side[n] * right_side[2] - right_side[n] * left_side[2]) % PRIME == 0 for n in (0, 1)
    )


def key_name(public):
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def check_signature(game, claim, signature, subject):
    """Whether a key that counts has signed it; False where the key is not known."""
    if not (public := game.keys.get(claim["key"])):
        return False
    demand(is_signed(canonical(claim).encode(), public, signature), f"{subject} is signed wrongly.")
    return True


# Reading


class PublicGame:
    """A game as far as it can be known: its entries, the open part of its sealed books, its periods
    of dice as an address tells them, the balances and votes that it shows; from a file also the
    master secret and all of the sealed books."""

    def __init__(self, source):
        self.shown_dice = None
        self.balances = None
        self.votes = None
        self.master = self.file_identity = self.end = self.file_pace = None
        self.keys = {}  # public ones, by name
        self.witnessed_heads = []  # signed heads
        self.entries = []
        self.sealed = defaultdict(list)  # by book
        if source.startswith(("http://", "https://")):
            self.read_address(source.rstrip("/"))
        else:
            self.read_file(source)
            must_be_known(self.entries)
        self.identity = self.entries[0]["inputs"]["identity"]
        # By the entry that tells of each restore of the site: up to where it says that entries are
        # lost, and the heads of such ones that were brought.
        self.restores = {
            entry["seq"]: entry["inputs"]["to"]
            for entry in self.entries
            if (entry["kind"], entry["name"]) == ("system", RESTORED)
        }
        self.lost_heads = set()
        fault = "The file's head tells of another game than its first entry."
        demand(self.file_identity in (None, self.identity), fault)

    def read_address(self, address):
        """All that the address shows, as it is at one entry: where there is another one by the end,
        what stands beside the record is read anew."""

        def get(path, **asked):
            with urllib.request.urlopen(f"{address}/{path}?{urllib.parse.urlencode(asked)}") as got:
                return read_json(got.read())

        for _ in range(MOST_READINGS):
            self.read_shown(get)
            if get("record", after=self.entries[-1]["seq"])["last"] == self.entries[-1]["seq"]:
                break
        else:
            raise Mismatch("The game moves on faster than it can be read: check a file of it.")
        with urllib.request.urlopen(f"{address.rpartition('/games/')[0]}/keys") as got:
            self.keys = {key_name(key["public"]): key["public"] for key in read_json(got.read())}

    def read_shown(self, get):
        heads = [witness["head"] for witness in get("witness")["seen"]]
        # Signed ones: the others anybody can make up.
        self.witnessed_heads = [head for head in heads if head.count(":") == 3]
        after = self.entries[-1]["seq"] if self.entries else 0
        while True:
            page = get("record", after=after)
            self.entries += page["entries"]
            if not page["entries"] or page["entries"][-1]["seq"] >= page["last"]:
                break
            after = page["entries"][-1]["seq"]
        must_be_known(self.entries)
        books = {
            opening[0] for entry in self.entries for opening in entry["outcome"].get("opened", ())
        }
        self.sealed.clear()
        for book in sorted(books):
            after = 0
            while page := get("record/opened", after=after, book=book)["entries"]:
                self.sealed[book] += page
                after = page[-1]["number"]
        self.shown_dice, after = [], 0
        while page := get("dice", after=after)["periods"]:
            self.shown_dice += page
            after = page[-1]["opened_in"]
        self.balances = get("balances")
        voted = {effect["vote"][0] for _, _, effect in effects_of(self) if "vote" in effect}
        self.votes = {
            proposal: get(f"proposals/p{proposal}")["votes"] for proposal in sorted(voted)
        }

    def read_file(self, path):
        with Path(path).open(encoding="utf-8") as lines:
            values = [read_json(line) for line in lines if line.strip()]
        head = values[0] if values else {}
        form = head.get("format") if isinstance(head, dict) else None
        old = f"This file (“{form}”) was made before version 1.0: this program cannot read it."
        demand(form not in BEFORE_1_0, old)
        demand(form == FILE, "This is no file of a game.")
        demand("end" in values[-1], "The file is not whole: the line that closes it is missing.")
        self.master, self.file_identity = bytes.fromhex(head["master"]), head["identity"]
        self.end = values[-1]["end"]
        self.file_pace = head["pace"], head["rate"]
        sealed = 0
        for content in values[1:-1]:
            kind, names = ("entry", ENTRY) if "entry" in content else ("sealed", SEALED)
            line = content.get(kind, {})
            whole = set(content) == {kind} and set(line) == set(names)
            demand(whole, "A line of the file has other fields than it should.")
            check_key(line)
            if kind == "entry":
                self.entries.append(line)
            else:
                sealed += 1
                placed = (line["seq"], line["after"]) == (sealed, len(self.entries))
                demand(placed, f"Sealed entry {sealed} of the file is not in its place.")
                self.sealed[line["book"]].append(line)


def must_be_known(entries):
    """A record of another version is of another form, which this program does not know."""
    demand(entries, "There is no entry.")
    first = entries[0]["inputs"]
    numbers = [("format", first.get("format"), FORMAT)]
    numbers.append(("readings", first["settings"].get("readings"), READINGS))
    for entry in entries:
        for reading in entry["outcome"].get("read", ()):
            numbers.append(("reader", reading.get("reader"), READER))
    for name, number, supported in numbers:
        same = type(number) is int and number == supported
        demand(
            same, f"The record's {name} is {number}: this program knows {name} {supported} alone."
        )


def check_key(line):
    """The key of an act, of which the nonce tells the hash."""
    key, nonce = line["key"], line["nonce"]
    same = not (key and nonce) or sha(key.partition("/")[2]) == nonce
    demand(same, f"The line of {line['hash']} has another key than its nonce tells.")


# Checks, each of which returns what it has checked


def check_recorded(game):
    """Wall time goes on from entry to entry, through the record and all that is known of its sealed
    books; a machine's clock may be set back, but by no more than a day."""
    last = None
    for name, entry in in_order(game):
        fits = MOMENT.fullmatch(entry["recorded_at"]) and MOMENT.fullmatch(entry["at"])
        demand(fits, f"{name} has a moment that is not written as moments are.")
        moment = datetime.fromisoformat(entry["recorded_at"])
        demand(not last or moment >= last - A_DAY, f"{name} was recorded before the one before it.")
        last = max(moment, last or moment)


def in_order(game):
    """All known entries with their names, as they were made. Of sealed ones between the same two
    public ones only a file tells the order; of different books of an address, moments have to."""
    places = [((entry["seq"],), f"Entry {entry['seq']}", entry) for entry in game.entries]
    for book, entries in game.sealed.items():
        latest = ""
        for entry in entries:
            latest = max(latest, entry["recorded_at"])
            turn = (entry["seq"], "") if game.end else (0, latest)
            name = f"Sealed entry {entry['number']} of “{book}”"
            places.append(((entry["after"], *turn), name, entry))
    return [place[1:] for place in sorted(places, key=lambda place: place[0])]


def check_chain(game):
    head, at = genesis(game), ""
    for number, entry in enumerate(game.entries, 1):
        demand(entry["seq"] == number, f"Entry {number} is missing.")
        demand(entry["kind"] in KINDS, f"Entry {number} is of no kind that there is.")
        demand(entry["prev_hash"] == head, f"Entry {number} does not follow the one before it.")
        demand(entry["at"] >= at, f"Entry {number} lies before the one before it.")
        demand(entry["hash"] == entry_hash(game, entry), f"Entry {number} is not what it was.")
        head, at = entry["hash"], entry["at"]
    check_recorded(game)
    if game.end:
        paced = [game.entries[0], *(entry for entry in game.entries if entry["name"] == SET_PACE)]
        same_pace = game.file_pace == (paced[-1]["inputs"]["pace"], paced[-1]["inputs"]["rate"])
        demand(same_pace, "The file's head tells of another pace.")
        end = [game.end["entries"], game.end["hash"]]
        demand(end == [len(game.entries), head], "The file ends with other entries than it says.")
    written = many(len(game.entries), "entry is as it was", "entries are as they were")
    return f"{written} written; the last hash is {head}"


def check_head(game, head_text):
    """Whether a key that counts has signed the head, which has to be of this history."""
    number, head, *signed_by = (("" if ":" in head_text else ":") + head_text).split(":")
    whole = len(signed_by) in (0, 2) and (not number or number.isdecimal())
    demand(
        whole, f"{head_text} is no head: NUMBER:HASH, a hash alone, or NUMBER:HASH:KEY:SIGNATURE."
    )
    words = signed_by and statement(game, int(number), head, signed_by[0])
    signed = signed_by and check_signature(game, words, signed_by[1], f"The head {head_text}")
    numbers = [entry["seq"] for entry in game.entries if entry["hash"] == head]
    if signed and not numbers and is_lost(game, int(number)):
        game.lost_heads.add(head_text)
        return True
    fault = f"The head {head_text} is of another history than this one."
    demand(numbers and (not number or numbers == [int(number)]), fault)
    return bool(signed)


def is_lost(game, number, before=math.inf):
    """Whether an entry of the record says that one of that number was lost by a restore."""
    return any(mark <= number <= to and mark < before for mark, to in game.restores.items())


def check_witnesses(game):
    for head_text in game.witnessed_heads:
        check_head(game, head_text)
    heads = many(
        len(game.witnessed_heads),
        "head that others have seen is",
        "heads that others have seen are",
    )
    return f"{heads} of this history"


def check_restores(game):
    for mark, to in game.restores.items():
        entry = game.entries[mark - 1]
        same = entry["outcome"].get("lost") == [mark, entry["inputs"]["to"]] and to >= mark
        demand(same, f"Entry {mark} says otherwise what a restore took than it was told.")
    if not game.restores:
        return "no entry says that the site was restored from a backup"
    lost = [
        f"entry {mark} says that {mark} to {to} are lost"
        + ("" if game.entries[mark - 1]["inputs"]["known"] else " at most, and nobody knows which")
        for mark, to in game.restores.items()
    ]
    heads = many(len(game.lost_heads), "head that was brought is", "heads that were brought are")
    return f"THE SITE WAS RESTORED FROM A BACKUP: {', and '.join(lost)}; {heads} of such entries"


def check_heads(game, heads):
    signed = sum(check_head(game, head_text) for head_text in heads)
    named_by_acts = 0
    acts = [(f"Entry {entry['seq']}", entry["seq"] - 1, entry) for entry in game.entries]
    for book, entries in game.sealed.items():
        acts += [
            (f"Sealed entry {entry['number']} of “{book}”", entry["after"], entry)
            for entry in entries
        ]
    for name, last, entry in acts:
        saw = entry.get("saw")
        if saw is not None:
            shaped = isinstance(saw, list) and len(saw) in (2, 4) and type(saw[0]) is int
            shaped = shaped and all(isinstance(word, str) for word in saw[1:])
            demand(shaped, f"{name}: what its actor had seen is no head.")
            named_entry = game.entries[saw[0] - 1] if 0 < saw[0] <= last else {}
            wrong = f"{name}: its actor had seen another entry {saw[0]}."
            if len(saw) == 4:  # kept with the site's signature, since it was of another history
                words = statement(game, saw[0], saw[1], saw[2])
                by = check_signature(game, words, saw[3], f"What the actor of it had seen, {saw},")
                wrong += " The site has signed both." if by else ""
            was_lost = len(saw) == 4 and by and is_lost(game, saw[0], last + 1)
            demand(named_entry.get("hash") == saw[1] or was_lost, wrong)
            named_by_acts += 1
    heads_told = many(len(heads), "head", "heads")
    return (
        f"{heads_told} given ({signed} of them signed by a key that counts), and {named_by_acts}"
        " that acts name, are of this history"
    )


def statement(game, number, head, key):
    claim = {"says": "nomic receipt 1", "game": game.identity, "book": "record", "number": number}
    return {**claim, "hash": head, "content": None, "key": key}


def check_receipts(game, files):
    count = closed = signed = 0
    for file in files:
        content = read_json(Path(file).read_text(encoding="utf-8"))
        for receipt in content.get("receipts", [content]):
            for signed_part in receipt["signed"]:
                subject = f"The receipt of {signed_part['said']['hash']} in {file}"
                is_ours = check_signature(
                    game, signed_part["said"], signed_part["signature"], subject
                )
                subject += "" if is_ours else ", which no key that counts has signed,"
                signed += is_ours
                if is_ours and is_of_lost(game, signed_part):
                    game.lost_heads.add(signed_part["said"]["hash"])
                else:
                    closed += check_receipt(game, receipt.get("entry"), signed_part, subject)
                count += 1
    return (
        f"{many(count, 'receipt', 'receipts')} ({signed} signed by a key that counts), {closed} of"
        " what is sealed yet"
    )


def is_of_lost(game, signed):
    """Whether that receipt is of an act that is not there, since a restore took it."""
    claim, opens = signed["said"], signed.get("opens")
    if claim["book"] == "record":
        shown, place = {entry["hash"] for entry in game.entries}, claim["number"]
    else:
        shown = {told_hash(sealed_entry) for sealed_entry in game.sealed[claim["book"]]}
        place = opens["after"] + 1 if opens else 0
    return claim["hash"] not in shown and is_lost(game, place)


def check_receipt(game, entry, signed, subject):
    """Whether the receipt is of an act that is not open yet."""
    claim, opens = signed["said"], signed.get("opens")
    demand(claim["game"] == game.identity, f"{subject} is of another game.")
    if claim["book"] == "record":
        numbered = game.entries[claim["number"] - 1] if claim["number"] <= len(game.entries) else {}
        same = numbered.get("hash") == claim["hash"]
        demand(same, f"{subject} is of another history than this one.")
        whole = entry_hash(game, entry) == claim["hash"] if entry else True
        demand(whole, f"{subject} holds another entry than it says.")
        return False
    content = opens and sha(canonical(opens))
    same = not opens or content == claim["content"]
    demand(same, f"{subject} opens something else than was sealed.")
    same_acts = [
        sealed_entry
        for sealed_entry in game.sealed[claim["book"]]
        if told_hash(sealed_entry) == claim["hash"]
    ]
    if not same_acts:
        opened = [entry for entry in game.sealed[claim["book"]] if entry["opened_in"]]
        shown = opens and any(entry["after"] > opens["after"] for entry in opened)
        demand(not shown and not game.end, f"{subject}: its act was left out of the opening.")
        return True
    same = not opens or told_hash(same_acts[0]) == content
    demand(same, f"{subject} is of another act than the one that is shown.")
    return not same_acts[0]["opened_in"]


def check_books(game):
    """The sealed books: their chains, that openings account for every number, their anchors."""
    check_events(game)
    if game.master:
        check_salts(game)
    accounted = accounts(game)
    books = {*accounted, *game.sealed}
    if game.end:
        books |= {book for entry in game.entries for book in entry["anchors"]}
        demand(set(game.end["sealed"]) == books, "The file's end tells of other sealed books.")
    for book in sorted(books):
        check_book(game, book, accounted[book])
    opened = sum(is_open for numbers in accounted.values() for is_open, _, _ in numbers.values())
    entries = many(opened, "opened sealed entry", "opened sealed entries")
    same = many(len(books), "book", "books") + (" is" if opened == 1 else " are")
    return f"{entries} in {same} what was sealed"


def check_events(game):
    """Each event anchors its subgame's book, and those of the subgame's that are begun."""
    begun = set()
    for entry in game.entries:
        subgame = entry["name"].partition(".")[0]
        due = {subgame, *(book for book in begun if book.startswith(f"{subgame}/"))}
        fault = f"Entry {entry['seq']} anchors fewer books than it has to."
        demand(entry["kind"] != "event" or due <= set(entry["anchors"]), fault)
        opened = {opening[0] for opening in entry["outcome"].get("opened", ())}
        begun = (begun | set(entry["anchors"])) - opened


def accounts(game):
    """Each sealed number that openings tell of, by book: whether it is open, its digest or, closed,
    its (tag, content), and the number of the entry that tells so."""
    by_book = defaultdict(dict)
    for entry in game.entries:
        for book, number, digest in entry["outcome"].get("opened", ()):
            by_book[book][number] = True, digest, entry["seq"]
        for book, number, tag, content in entry["outcome"].get("closed", ()):
            by_book[book][number] = False, (tag, content), entry["seq"]
    return by_book


def check_book(game, book, accounted):
    served = {entry["number"]: entry for entry in game.sealed[book]}
    last_accounted = max(accounted, default=0)
    last = max((seq for _, _, seq in accounted.values()), default=0)
    reach = last + ("/" in book)  # one that is opened by itself is opened whole
    head, heads, place = genesis(game, f"sealed book {book}"), {}, (0, "")
    for number in range(1, max(last_accounted, *served, 0) + 1):
        name = f"Sealed entry {number} of “{book}”"
        is_open, recorded, seq = accounted.get(number, (False, None, 0))
        demand(recorded or number > last_accounted, f"{name} was left out of the opening.")
        wrong = f"{name} is an act that was left out of the opening."
        demand(is_open or not recorded or recorded[0] != "act", wrong)
        if entry := served.get(number):
            head = check_sealed(game, name, entry, head)
            later = (entry["after"], entry["at"]) >= place
            demand(later, f"{name} is older than the one before it.")
            place = entry["after"], entry["at"]
            known_as = (recorded, seq) if is_open else (head, None)
            same = known_as == (head, entry["opened_in"])
            demand(same, f"{name} is not the one that was opened.")
            same_closed = recorded in (None, (tag_of(entry), told_hash(entry)))
            demand(is_open or same_closed, f"{name} is not the one that stays closed.")
            if tag_of(entry) == "anchor":
                heads[entry["after"] + 1] = head
                missed = number > last_accounted and entry["after"] + 1 < reach
                demand(not missed, f"{name} and what is before it were left out of the opening.")
        else:
            demand(recorded and not is_open, f"{name} is not shown.")
            head = header_hash(game, book, number, recorded[0], {"prev_hash": head}, recorded[1])
    known_to = len(game.entries) if game.end else max(reach - 1, *heads, 0)
    anchors = {entry["seq"]: entry["anchors"].get(book) for entry in game.entries[:known_to]}
    wrong = f"The anchors of “{book}” are not those of its entries."
    demand({seq: digest for seq, digest in anchors.items() if digest} == heads, wrong)
    if game.end:
        wrong = f"The file's book “{book}” ends otherwise than it says."
        demand(game.end["sealed"][book] == [len(served), head], wrong)


def check_sealed(game, name, entry, head):
    """The hash of a sealed entry, which the public entry after it may have to name."""
    demand(entry["prev_hash"] == head, f"{name} does not follow the one before it.")
    demand(entry["hash"] == sealed_hash(game, entry), f"{name} is not what was sealed.")
    if tag_of(entry) == "part":
        outcome = game.entries[entry["after"]]["outcome"]
        is_named = outcome.get("part") == told_hash(entry)
        demand(is_named, f"{name} is named by no entry.")
    return entry["hash"]


def check_salts(game):
    wrong = "The master secret is not the one that entry 1 commits to."
    demand(hashlib.sha256(game.master).hexdigest() == game.entries[0]["inputs"]["master"], wrong)
    for book, entries in game.sealed.items():
        for entry in entries:
            words = f"sealed\n{book} {entry['number']}".encode()
            salt = hmac.digest(game.master, words, "sha256").hex()
            demand(
                entry["salt"] == salt, f"Sealed entry {entry['number']} of “{book}” is salted anew."
            )


def effects_of(game):
    """Each effect that is known, with its public entry and whether a private act had it."""
    for entry in game.entries:
        for effect in entry["effects"]:
            yield entry, False, effect
    for entries in game.sealed.values():
        acts = {sealed_entry["number"]: sealed_entry["actor"] for sealed_entry in entries}
        for sealed_entry in entries:
            entry, of = {"seq": sealed_entry["after"] + 1}, sealed_entry["outcome"].get("of")
            for effect in sealed_entry["effects"]:
                actor = acts.get(of) if of else game.entries[sealed_entry["after"]]["actor"]
                yield {**entry, "actor": actor}, bool(of), effect


def roll(seed, words, options):
    attempt = 0
    while True:
        message = "\n".join(map(str, (*words, attempt))).encode()
        number = int.from_bytes(hmac.digest(seed, message, "sha256"), "big")
        # A number of the last, incomplete run of options would make some likelier than others.
        if number < 2**256 - 2**256 % options:
            return number % options
        attempt += 1


def check_dice(game):
    periods, rolls = read_dice(game)
    total = secret = 0
    for name, period in periods.items():
        if not period["seed"] and not game.master:
            secret += len(rolls[name])
            continue
        seed = bytes.fromhex(derived(game, name) if game.master else period["seed"])
        wrong = f"The seed of period {name} is not the one that served."
        demand(period["seed"] in (None, seed.hex()), wrong)
        wrong = f"The seed of period {name} is not the one committed to."
        demand(hashlib.sha256(seed).hexdigest() == period["commitment"], wrong)
        casts = sorted(rolls[name], key=lambda cast: cast["count"])
        counts = [cast["count"] for cast in casts]
        demand(counts == list(range(len(casts))), f"A roll of period {name} is missing or twice.")
        for cast in casts:
            place = (name[0], name[2], cast["seat"], cast["count"], cast["after"])
            words = (game.identity, *place)
            wrong = f"The roll “{cast['roll']}” of period {name} is not what its seed gives."
            demand(roll(seed, words, size_of(cast["options"])) == cast["value"], wrong)
            wrong = f"Entry {cast['entry']} rolls dice of period {name}, which is not open then."
            demand(period["opened_in"] <= cast["entry"] <= period["closed_in"], wrong)
        total += len(casts)
    if game.shown_dice is not None:
        compare_dice(game, periods, rolls)
    rolls_told = many(total, "roll follows from its seed", "rolls follow from their seeds")
    return f"{rolls_told}, {many(secret, 'is of a seed', 'are of seeds')} secret yet"


def read_dice(game):
    """The periods and their rolls, as the entries tell them."""
    periods, counts, rolls = {}, defaultdict(int), defaultdict(list)
    seats = seats_of(game)
    acts = [(None, genesis(game)), *((None, "") for _ in game.entries)]
    for entry in game.entries:
        if entry["actor"] and entry["kind"] in ("action", "officer"):
            acts[entry["seq"]] = seats.get(entry["actor"], -1), entry["hash"]
    for entry, _, effect in effects_of(game):
        name = tuple(effect.get("period", ()))
        if "commitment" in effect:
            new_period = {"commitment": effect["commitment"], "seed": None}
            new_period |= {"opened_in": entry["seq"], "closed_in": math.inf}
            last = periods.get((*name[:2], counts[name[:2]]))
            # What a restore took can have opened periods: it begins one that none of it had.
            skips = entry["seq"] in game.restores
            in_turn = name[2] > counts[name[:2]] if skips else name[2] == counts[name[:2]] + 1
            demand(in_turn, f"Period {name} is opened out of its turn.")
            counts[name[:2]] = name[2]
            wrong = f"The seed of the period before {name} was never published."
            demand(not last or last["seed"], wrong)
            periods[name] = new_period
        elif "seed" in effect:
            demand(name in periods, f"Period {name} is closed and was never opened.")
            periods[name] |= {"seed": effect["seed"], "closed_in": entry["seq"]}
        elif "roll" in effect:
            rolls[name].append({**effect, "entry": entry["seq"]})
            place = f"Entry {entry['seq']}, the roll “{effect['roll']}”"
            actor = entry["actor"]
            before = (
                digest
                for player, digest in acts[entry["seq"] - 1 :: -1]
                if digest and player != seats.get(actor, -1)
            )
            late = f"{place}: it does not come after the last act of another player."
            demand(effect["after"] == next(before, acts[0][1]), late)
            demand(
                seats.get(actor) == effect["seat"],
                f"{place}: {actor or 'nobody'} has another seat.",
            )
    for name in rolls:
        demand(name in periods, f"Period {name} has rolls and was never opened.")
    return periods, rolls


def seats_of(game):
    """The number of each player's seat, in the order of joining; nobody has 0. Who takes another
    name keeps the seat, and nobody else takes the name that they had."""
    seats, number = {None: 0}, 0
    for entry in game.entries:
        if entry["name"] in JOINS:
            player = entry["outcome"].get("bot", entry["actor"])
            number += player not in seats
            seats.setdefault(player, number)
        elif entry["name"] == RENAME:
            seats[entry["inputs"]["name"]] = seats.get(entry["outcome"]["before"])
    return seats


def names_now(game):
    """Of each name that a player has had, the one by which they go now."""
    names = {}
    for entry in game.entries:
        if entry["name"] == RENAME:
            former, name = entry["outcome"].get("before"), entry["inputs"]["name"]
            names |= {older: name for older, now in names.items() if now == former} | {former: name}
    return names


def derived(game, name):
    purpose, is_private, number = name
    words = ["private seed" if is_private else "seed", str(number), *([purpose] if purpose else [])]
    return hmac.digest(game.master, "\n".join(words).encode(), "sha256").hex()


def compare_dice(game, periods, rolls):
    """Compare the dice as the address shows them with those of the entries; raises Wrong."""
    shown = {
        (period["purpose"], period["private"], period["number"]): period
        for period in game.shown_dice
    }
    demand(set(shown) == set(periods), "The dice that are shown are not those of the entries.")
    for name, period in periods.items():
        shown_period = shown[name]
        facts = ("commitment", "seed", "opened_in")
        same = all(shown_period[fact] == period[fact] for fact in facts)
        demand(same, f"Period {name} is shown otherwise than the entries tell it.")
        if name[1] and not period["seed"]:
            continue
        ours = {cast["count"]: [cast["roll"], *facts_of(cast)] for cast in rolls[name]}
        theirs = {cast["count"]: [cast["label"], *facts_of(cast)] for cast in shown_period["rolls"]}
        same = ours == theirs and len(theirs) == len(shown_period["rolls"])
        demand(same, f"The rolls of period {name} are shown otherwise.")


def size_of(options):
    """How many there were to choose from: a number stands for those from 1 to it."""
    return options if isinstance(options, int) else len(options)


def facts_of(roll):
    return [roll[name] for name in ("options", "value", "seat", "after")]


def check_balances(game):
    """Who has what; an asset that was secret at any time is not compared, since what was done with
    it in other books may not be open."""
    held, transfers, names = defaultdict(int), 0, names_now(game)
    for entry, _, effect in effects_of(game):
        sums = defaultdict(int)
        for holder, asset, amount in effect.get("moves", ()):
            held[names.get(holder, holder), asset] += whole_number(amount, entry)
            sums[asset] += whole_number(amount, entry)
        odd = [asset for asset, total in sums.items() if total]
        demand(not odd, f"Entry {entry['seq']} moves {odd[:1]} out of nothing.")
        transfers += "moves" in effect
    balanced = many(transfers, "transfer balances", "transfers balance")
    if game.balances is None:
        return balanced
    sealed = [entry for book in game.sealed.values() for entry in book]
    public, secret = assets_in(game.entries), assets_in(sealed)
    shown = {
        (holder, asset): has
        for holder, holdings in game.balances.items()
        for asset, has in holdings.items()
    }
    compared_places = {place for place in {*shown, *held} if place[1] in public - secret}
    untold = [place for place, has in shown.items() if has and place[1] not in public | secret]
    demand(not untold, f"{untold[:1]}: no entry tells of that.")
    compared = sorted(place for place in compared_places if place[0] != "Mint")
    for holder, asset in compared:
        has, reckoned = shown.get((holder, asset), 0), held[holder, asset]
        demand(has == reckoned, f"{holder} has {has} {asset}; the entries make {reckoned}.")
    made = many(len(compared), "balance is", "balances are")
    return f"{balanced}, and {made} what the entries make"


def whole_number(amount, entry):
    """An amount; one that not every language can hold stands as a text."""
    is_text = isinstance(amount, str) and re.fullmatch(r"-?[1-9]\d*", amount)
    demand(type(amount) is int or is_text, f"Entry {entry['seq']} moves {amount}, no whole number.")
    return int(amount)


def check_votes(game):
    """A vote that is shown is the last one of that player's that entries tell, or one before it
    where votes were struck."""
    words, names = defaultdict(list), names_now(game)
    for _, _, effect in effects_of(game):
        if "vote" in effect:
            proposal, player, word = effect["vote"]
            words[proposal, names.get(player, player)].append(word)
    struck = any(entry["name"] == "proposals.strike_vote" for entry in game.entries)
    for proposal, player in words:
        shown = struck or game.votes is None or player in game.votes[proposal]
        demand(shown, f"{player}'s vote on proposal p{proposal} is not shown.")
    for proposal, votes in (game.votes or {}).items():
        for player, word in votes.items():
            wrong = f"{player}'s vote on proposal p{proposal} is not the one that entries tell."
            demand(word in words[proposal, player][0 if struck else -1 :], wrong)
    return many(sum(map(len, words.values())), "vote is told", "votes are told") + " by entries"


def assets_in(entries):
    effects = [effect for entry in entries for effect in entry["effects"]]
    return {asset for effect in effects for _, asset, _ in effect.get("moves", ())}


def check_rules(game):
    texts = {rule["title"]: sha(rule["text"]) for rule in game.entries[0]["inputs"]["rules"]}
    versions = {
        effect["rule"]: effect["text"]
        for effect in game.entries[0]["effects"]
        if "version" in effect
    }
    demand(texts == versions, "Entry 1 begins with other rules than it says.")
    reached = set()
    for entry, _, effect in effects_of(game):
        if "version" in effect:
            number = effect["version"]
            fault = f"Entry {entry['seq']}: no rule has the version before that of"
            demand(type(number) is int, f"{fault} “{effect['rule']}”, which is no whole number.")
            has_version_before = number == 1 or number - 1 in reached or not game.end
            demand(has_version_before, f"{fault} “{effect['rule']}”.")
            reached.add(number)
    return many(len(texts), "rule is that", "rules are those") + " of the beginning"


HISTORY = "that this is the only history: give --head with a hash that you have seen, or --receipt"
CANNOT = (
    HISTORY,
    "that the rules were played: a file of the game, imported, is played again",
    "that nobody who knew the seeds had a second seat try keys directly before they acted, and"
    " that the site did not try the moments that it wrote for an act before a roll",
    "that rules are shown as entries tell them, and switches and pages altogether",
)
CLOSED = "what is sealed and not opened yet, but for its anchors; balances of what was secret once"


def main(words):
    source, *options = words
    brought, option = {"--head": [], "--receipt": [], "--key": []}, None
    for word in options:
        if word in brought:
            option = word
        else:
            demand(option, "Say --head, --receipt or --key before what you have seen.")
            brought[option].append(word)
    game = PublicGame(source)
    game.keys |= {key_name(public): public for public in brought["--key"]}
    print(f"Game {game.identity}, a record of format {FORMAT}")
    checks = [check_chain, lambda game: check_heads(game, brought["--head"])]
    checks += [check_witnesses, lambda game: check_receipts(game, brought["--receipt"])]
    checks.append(check_restores)
    checks += [check_books, check_dice, check_balances, check_votes, check_rules]
    for check in checks:
        print("checked:", check(game))
    for gap in CANNOT + (() if game.end else (CLOSED,)):
        print("cannot check:", gap)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1:])
    except BrokenPipeError:
        sys.exit(1)
    except Mismatch as wrong:
        sys.exit(f"WRONG: {wrong}")
    except (OSError, RecursionError) as error:
        sys.exit(f"This cannot be read: {error}")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as broken:
        sys.exit(f"WRONG: the record is not in its form ({type(broken).__name__}: {broken})")
