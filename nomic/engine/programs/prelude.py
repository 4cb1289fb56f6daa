"""The surroundings of a program in the sandbox: the functions that it may call. No Django here.

What they do is collected there and told at the end as one text of JSON; the house looks at it again
before it does any of it, since a program may have its hands on everything in its process.
"""

from pathlib import Path

# The language has these, alike in every game; what programs cause at an act is a game's bound.
MOST_MOVES = 1000  # of a call
MOST_STATE = 65536  # bytes
MOST_SAID = 20  # sentences
LONGEST_SAID = 500  # characters
FEW_ENTRIES, MOST_ENTRIES = 20, 100  # of the record, read at once
MOST_AMOUNT = 10**12
MOST_PUBLISHED = 3  # documents of a call
LONGEST_PAPER, LONGEST_TITLE = 20_000, 120  # characters of each
MOST_DOCUMENTS = 100  # listed at once
MOST_SIDES = 1000
MOST_ANNOUNCED = 3  # acts in a call
MOST_DEEDS = 20  # for parties, in a call
LONGEST_ANNOUNCED = 20_000  # characters of what one takes
MOST_TOLD = 400_000  # characters of all that a call tells

# What a program may call and read, for the type checker; the shapes in it are known to both.
STUBS = Path(__file__).with_name("stubs.txt").read_text(encoding="utf-8")
_SHAPES = STUBS[STUBS.index("@dataclass") : STUBS.index("now:")]

# `program`, `function`, `given`, `state_text`, `moment`, `ahead` and the function `ask` come from
# outside. `ahead` is what is known before it is asked for.
AROUND = f"""
import json
from dataclasses import dataclass
from typing import Literal

{_SHAPES}
Player = str
Inputs = dict
now, ENDED = moment, "The program has refused"
state = json.loads(state_text)
other_states = {{}}
moves, sentences, changed, answers = [], [], {{}}, {{}}
turns, turned = [], {{}}
papers, intents, deeds = [], [], []
holdings, owners = ahead["balances"], ahead["owners"]

def declaration(*words, **options):
    return lambda function: function

def _asked_once(question, *details):
    place = (question, details)
    if place not in answers:
        answers[place] = ask(question, *details)
    return answers[place]

def asset_declaration(*words):
    return None

def _held(owner, asset):
    if type(asset) is not str or asset not in holdings:
        holdings[asset] = ask("balances", asset)
    return holdings[asset].get(owner, 0) + _changed(asset).get(owner, 0)

def _changed(asset):
    if type(asset) is not str or asset not in changed:
        if type(asset) is not str or asset not in holdings:
            ask("amount", 1, asset)
        changed[asset] = {{}}
    return changed[asset]

def _amount(number):
    if type(number) is not int or not 0 <= number <= {MOST_AMOUNT}:
        raise ValueError("An amount is a whole number from 0 to {MOST_AMOUNT:,}")
    return number

def _move(source, target, amount, asset):
    if len(moves) == {MOST_MOVES}:
        raise ValueError("A program moves at most {MOST_MOVES:,} times in a call")
    held = _changed(asset)
    if source is not None:
        held[source] = held.get(source, 0) - amount
    if target is not None:
        held[target] = held.get(target, 0) + amount
    if amount:
        moves.append([source, target, amount, asset])

def _owner(name):
    if not owners:
        owners.update(ask("owners"))
    if type(name) is not str or name not in owners:
        raise ValueError(f"Nobody in this game is called {{str(name)[:60]}}")
    return name

def refuse(sentence):
    ask("refuse", str(sentence)[:{LONGEST_SAID}])
    raise RuntimeError(ENDED)

def players():
    return list(ahead["players"] or _asked_once("players"))

def balance(owner, asset):
    return _held(_owner(owner), asset)

def pay(owner, amount, asset, to=None):
    held = balance(owner, asset)
    if held < _amount(amount) and not _asked_once("may_owe", asset):
        refuse(f"This costs {{ask('amount', amount, asset)}}, and {{owner}} has {{held}}.")
    _move(owner, None if to is None else _owner(to), amount, asset)

def give(owner, amount, asset):
    _move(None, _owner(owner), _amount(amount), asset)

def take(owner, amount, asset):
    taken = max(min(_amount(amount), balance(owner, asset)), 0)
    _move(owner, None, taken, asset)
    return taken

def say(sentence):
    if len(sentences) == {MOST_SAID}:
        raise ValueError("A program says at most {MOST_SAID} sentences in a call")
    sentences.append(str(sentence)[:{LONGEST_SAID}])

def roll(sides):
    if type(sides) is not int or not 1 <= sides <= {MOST_SIDES}:
        raise ValueError("A die has 1 to {MOST_SIDES:,} sides")
    return ask("roll", sides)

def rules():
    return [Rule(*columns) for columns in _asked_once("rules")]

def rule_text(title):
    return _asked_once("text", title)

def rule_table(title, *columns):
    if not columns:
        raise ValueError("A table is found by the names of its columns")
    return [dict(row) for row in _asked_once("table", title, *columns)]

def _switch(name, of):
    if type(name) is not str or type(of) is not str:
        raise ValueError("A switch, and whose it is, are texts")
    return _asked_once("switch", name, of)

def switch(name, of=""):
    key, standing = _switch(name, of)
    return turned.get((key, of), standing)

def set_switch(name, value, of=""):
    key, standing = _switch(name, of)
    if type(value) not in (int, str):
        raise ValueError("A switch is set to a number or a text")
    setting = _asked_once("reads", name, str(value)[:{LONGEST_SAID}])
    if len(turns) == {MOST_MOVES}:
        raise ValueError("A program sets switches at most {MOST_MOVES:,} times in a call")
    turned[(key, of)] = setting
    turns.append([key, of, str(setting)])

def announce(act, **inputs):
    if type(act) is not str or any(type(part) not in (str, int, bool) for part in inputs.values()):
        raise ValueError("What is announced is the name of an act, with texts, numbers and truths")
    if len(intents) == {MOST_ANNOUNCED}:
        raise ValueError("A program announces at most {MOST_ANNOUNCED} acts in a call")
    intents.append([act, inputs])

def act_for(player, act, **inputs):
    if type(player) is not str or type(act) is not str:
        raise ValueError("For whom it is done, and the name of the act, are texts")
    if any(type(part) not in (str, int, bool) for part in inputs.values()):
        raise ValueError("What an act takes are texts, numbers and truths")
    if len(deeds) == {MOST_DEEDS}:
        raise ValueError("A program acts for its parties at most {MOST_DEEDS} times in a call")
    deeds.append([player, act, inputs])

def parties():
    return list(_asked_once("parties"))

def account():
    return _asked_once("account")

def office(name):
    return _asked_once("offices").get(name)

def record(most={FEW_ENTRIES}):
    if type(most) is not int or not 1 <= most <= {MOST_ENTRIES}:
        raise ValueError("At most {MOST_ENTRIES} entries of the record are told")
    read = {FEW_ENTRIES} if most <= {FEW_ENTRIES} else {MOST_ENTRIES}
    return [Entry(*columns) for columns in _asked_once("record", read)[:most]]

def documents(kind=""):
    if type(kind) is not str:
        raise ValueError("A kind of document is a text")
    return [Document(*columns) for columns in _asked_once("documents", kind)]

def document_text(number):
    if type(number) is not int:
        raise ValueError("A document is asked for by its number")
    return _asked_once("document", number)

def publish(kind, title, text):
    longest = {LONGEST_TITLE}, {LONGEST_TITLE}, {LONGEST_PAPER}
    for words, most in zip((kind, title, text), longest):
        if type(words) is not str or not words.strip() or len(words) > most:
            raise ValueError(f"A kind, a title and a text are texts, this of 1 to {{most}} signs")
    if len(papers) == {MOST_PUBLISHED}:
        raise ValueError("A program publishes at most {MOST_PUBLISHED} documents in a call")
    papers.append([kind, title, text])

def state_of(title):
    place, text = ask("state", title)
    if not place:
        return state
    if place not in other_states:
        other_states[place] = json.loads(text)
    return other_states[place]

def _small(value, depth=3):
    if value is None or type(value) in (bool, int, float):
        return value
    if type(value) is str:
        return value[:{LONGEST_SAID}]
    if depth and type(value) in (list, tuple):
        return [_small(part, depth - 1) for part in value[:1000]]
    raise ValueError("What a function returns are texts, numbers and lists of them")

def _drawing(kind, parts, label, **options):
    return {{"kind": kind, label: _small(parts), "all": len(parts),
            **{{name: _small(option) for name, option in options.items()}}}}

def table(headings, rows):
    return _drawing("table", rows, "rows", headings=headings)

def bars(amounts, unit=""):
    return _drawing("bars", list(amounts.items()), "pairs", unit=unit)

def series(points, unit=""):
    return _drawing("series", points, "points", unit=unit)

def track(places, length):
    return _drawing("track", list(places.items()), "pairs", length=length)

def call():
    scope = {{
        "action": declaration, "every": declaration, "before": declaration, "after": declaration,
        "view": declaration, "decide": declaration,
        "currency": asset_declaration, "thing": asset_declaration,
        "Player": Player, "Inputs": Inputs, "Event": Event, "Rule": Rule,
        "Ballot": Ballot, "Outcome": str, "Entry": Entry, "Document": Document, "Literal": Literal,
        "documents": documents, "document_text": document_text, "publish": publish,
        "now": now, "state": state, "state_of": state_of, "refuse": refuse,
        "players": players, "balance": balance, "pay": pay, "give": give, "take": take,
        "say": say, "roll": roll, "rules": rules, "rule_table": rule_table,
        "rule_text": rule_text, "office": office, "switch": switch, "set_switch": set_switch,
        "announce": announce, "act_for": act_for, "parties": parties, "account": account,
        "record": record, "table": table, "bars": bars, "series": series, "track": track,
    }}
    exec(program, scope)
    for name, shape in (("event", Event), ("ballot", Ballot)):
        if given.get(name) is not None:
            given[name] = shape(**given[name])
    returned = scope[function](**given)
    return returned if type(returned) is dict else _small(returned)

drawn = call()
states = {{place: json.dumps(other) for place, other in other_states.items()}}
states[""] = json.dumps(state)
if any(len(text) > {MOST_STATE} for text in states.values()):
    raise ValueError("The state of a rule takes at most {MOST_STATE >> 10} KiB")
result = json.dumps([moves, sentences, states, drawn, turns, papers, intents, deeds])
if len(result) > {MOST_TOLD}:
    raise ValueError("A program tells too much at once")
result
"""
