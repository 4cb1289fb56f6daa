"""Many at once: players, remarks, games, strangers at the door."""

from __future__ import annotations

from itertools import batched, count

from bench.benchmarks.shares.sentences import enactment
from bench.benchmarks.shares.stage import Stage
from bench.benchmarks.shares.ways import way


@way("300 players who join one game and act in it, 24 at once", whole=25)
def crowd(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("crowd")
    people = [stage.newcomer() for _ in range(30 if stage.quick else 300)]
    stage.attack()
    handle = author.propose(slug, "To speak of it.")
    for few in batched(people, 24):
        stage.at_once(
            [lambda each=each: each.act(slug, "games.join", name=each.name) for each in few]
        )
    numbers = count()

    def act() -> None:
        person = people[next(numbers) % len(people)]
        person.act(slug, "proposals.comment", proposal=handle, text="So it is.")
        person.get(f"/g/{slug}/")

    stage.on_and_on(act, 24)


@way("a flood of remarks at the table, by eight at once", whole=12)
def talk(stage: Stage) -> None:
    author = stage.newcomer()
    slug = author.start("talk")
    people = [stage.newcomer() for _ in range(8)]
    for person in people:
        person.must(slug, "games.join", name=person.name)
    stage.attack()
    numbers = count()
    words = "@" + " @".join(person.name for person in people) + " http://x.example/" * 40

    def say() -> None:
        turn = next(numbers)
        people[turn % len(people)].post(f"/g/{slug}/talk/", {"text": f"{turn} {words}"[:1000]})

    stage.on_and_on(say, 8)


@way("as many games as one account may have, each with programs that do much each day",
     alone=True, whole=60, quick=50)  # fmt: skip
def many_games(stage: Stage) -> None:
    author = stage.newcomer()
    stage.attack()
    program = "".join(
        f'@every("day")\ndef f{n}():\n    for i in range(90): roll(6)\n' for n in range(99)
    )
    for number in range(5):
        slug = author.start(f"one of many {number}")
        author.adopt(slug, enactment("Dice", program))
    author.post("/start/", {"preset": "multa", "title": "one more"})
    stage.wait(stage.seconds)


@way("attempts to sign in and to sign up, 24 at once", whole=20)
def doors(stage: Stage) -> None:
    stranger = stage.newcomer()
    stage.attack()
    numbers = count()

    def knock() -> None:
        turn = next(numbers)
        login = {"login": f"nobody{turn}", "password": "x" * 4000}
        stranger.post("/accounts/login/", login)
        signup = {"username": f"some{turn}", "password1": "hard-to-guess-1", "email": ""}
        stranger.post("/accounts/signup/", {**signup, "password2": "hard-to-guess-1"})

    stage.on_and_on(knock, 24)
