"""A whole game of Agora's horse races, slow and plain, as slow_race.py tells."""

from horses.tests.rules.slow_charts import AGORA, COSTS, HORSES, MULTIPLIERS, PULLS
from horses.tests.rules.slow_race import cross, resolve_movement, step


class SlowGame:
    """A game of races among `players`; it begins with a race that has just started anew."""

    def __init__(self, players: list) -> None:
        self.players = list(players)
        self.dollaries = dict.fromkeys(players, 0)
        self.hooves = dict.fromkeys(players, 0)
        self.points = dict.fromkeys(players, 0)
        self.race = 0
        self.has_run = False
        self.motivated = None  # [galloper, distance] of this week
        self.weekly_action_used = []  # players, this week
        self.monthly_power_used = []  # [player, horse], this month
        self.paid = {"dollary": {}, "points": {}}  # by the last run, to each player
        self.start_anew()

    def start_anew(self) -> None:
        self.race = self.race + 1
        self.positions = {}
        self.places = {}
        self.owners = {}
        self.pulls = {}
        for horse in HORSES:
            self.positions[horse] = 0
            self.places[horse] = None
            self.owners[horse] = AGORA
            self.pulls[horse] = list(PULLS[horse])
        for holder in self.dollaries:
            self.dollaries[holder] = 0
        for holder in self.hooves:
            self.hooves[holder] = 0
        for player in self.players:
            self.dollaries[player] = self.dollaries[player] + 10
        self.jerseys = []  # [player, horse], since the race last started anew
        self.helmets = []  # the same
        self.bets = []  # [player, horse, dollaries], one for each bet

    # Who comes and goes

    def join(self, player: str) -> bool:
        if player in self.players:
            return False
        self.players.append(player)
        if player not in self.dollaries:
            self.dollaries[player] = 0 if self.has_run else 10
            self.hooves[player] = 0
            self.points[player] = 0
        return True

    def leave(self, player: str) -> bool:
        """Their horses go to the lost and found department, and so at once to Agora."""
        if player not in self.players:
            return False
        self.players.remove(player)
        for horse in HORSES:
            if self.owners[horse] == player:
                self.owners[horse] = AGORA
        return True

    # The calendar

    def new_month(self) -> None:
        self.monthly_power_used = []

    def week(self) -> dict:
        """A week starts: the horses run, unless nobody motivated them in the one that ended."""
        motivated = self.motivated
        self.motivated = None
        self.weekly_action_used = []
        self.paid = {"dollary": {}, "points": {}}
        if motivated is None or not self.players:
            return {"ran": False, "moves": [], "crossed": [], "race_ended": False}
        self.has_run = True
        galloper, distance = motivated
        for player in self.players:
            self.hooves[player] = self.hooves[player] + 1
        before = self.positions[galloper]
        moves = resolve_movement(self.positions, self.pulls, galloper, distance)
        if galloper == "Baxter" and self.owners["Baxter"] in self.players:
            # Being pulled, be it by itself, is not running as the galloper.
            steps = min(16, before + distance) - before
            self.pay(self.owners["Baxter"], 2 * steps)
        crossed, race_ended = cross(self.positions, self.places)
        if race_ended:
            self.end_race()
        return {"ran": True, "moves": moves, "crossed": crossed, "race_ended": race_ended}

    def end_race(self) -> None:
        for place, prize in [[1, 50], [2, 30], [3, 15]]:
            for horse in HORSES:
                if self.places[horse] == place and self.owners[horse] in self.players:
                    self.pay(self.owners[horse], prize)
        for horse in HORSES:
            for player in self.players:
                if [player, horse] in self.jerseys and [player, horse] in self.helmets:
                    self.pay(player, 5)
        for horse in HORSES:
            for player in self.players:
                for bettor, horse_bet_on, dollaries in self.bets:
                    if bettor == player and horse_bet_on == horse:
                        self.pay(player, self.multiplier(horse) * dollaries)
        self.reward_the_richest()
        self.start_anew()

    def reward_the_richest(self) -> None:
        for player in self.players:
            has_the_most = True
            for rival in self.players:
                if rival != player and self.dollaries[rival] >= self.dollaries[player]:
                    has_the_most = False
            if has_the_most:
                self.points[player] = self.points[player] + 15
                self.paid["points"][player] = 15

    def pay(self, player: str, dollaries: int) -> None:
        """Dollaries that the races pay, noted since the end of a race destroys them at once."""
        self.dollaries[player] = self.dollaries[player] + dollaries
        if dollaries > 0:
            noted = self.paid["dollary"].get(player, 0)
            self.paid["dollary"][player] = noted + dollaries

    def multiplier(self, horse: str) -> int:
        if self.places[horse] is not None:
            return MULTIPLIERS[horse][str(self.places[horse])]
        if self.positions[horse] >= 12:
            return MULTIPLIERS[horse]["O"]
        return MULTIPLIERS[horse]["X"]

    # What is common to the actions

    def may_act(self, player: str, via_alexia: bool) -> bool:
        """A weekly race action: one a week, and one a month by the power of one's Alexia."""
        if player not in self.players:
            return False
        if via_alexia:
            unused = [player, "Alexia"] not in self.monthly_power_used
            return self.owners["Alexia"] == player and unused
        return player not in self.weekly_action_used

    def acted(self, player: str, via_alexia: bool) -> None:
        if via_alexia:
            self.monthly_power_used.append([player, "Alexia"])
        else:
            self.weekly_action_used.append(player)

    def running(self, horse: str) -> bool:
        return self.places[horse] is None

    def may_bet(self, player: str, horse: str, helmet_with_it: bool = False) -> bool:
        if self.positions[horse] >= 12:
            return helmet_with_it or [player, horse] in self.helmets
        return True

    def add_pull(self, horse: str, added: str) -> None:
        if added not in self.pulls[horse]:
            self.pulls[horse].append(added)

    # The weekly race actions

    def bet(self, player: str, horse: str, dollaries: int, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if dollaries not in [1, 2, 3] or self.dollaries[player] < dollaries:
            return False
        if not self.may_bet(player, horse):
            return False
        self.dollaries[player] = self.dollaries[player] - dollaries
        self.bets.append([player, horse, dollaries])
        self.acted(player, via_alexia)
        return True

    def jersey(self, player: str, horse: str, added: str, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if [player, horse] in self.jerseys or self.hooves[player] < 1:
            return False
        self.hooves[player] = self.hooves[player] - 1
        self.jerseys.append([player, horse])
        self.add_pull(horse, added)
        self.acted(player, via_alexia)
        return True

    def helmet(self, player: str, horse: str, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if [player, horse] in self.helmets or self.hooves[player] < 1:
            return False
        self.hooves[player] = self.hooves[player] - 1
        self.helmets.append([player, horse])
        self.acted(player, via_alexia)
        return True

    def buy(self, player: str, horse: str, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if self.owners[horse] != AGORA or self.dollaries[player] < COSTS[horse]:
            return False
        self.dollaries[player] = self.dollaries[player] - COSTS[horse]
        self.owners[horse] = player
        self.acted(player, via_alexia)
        return True

    def nudge(self, player: str, horse: str, by: int, via_alexia: bool = False) -> bool:
        """`by` is 1 to increase and -1 to decrease. Refused where no step could happen."""
        if not self.may_act(player, via_alexia):
            return False
        if not self.running(horse) or self.hooves[player] < 3:
            return False
        if not step(self.positions, horse, by):
            return False
        step(self.positions, horse, by)
        self.hooves[player] = self.hooves[player] - 3
        self.acted(player, via_alexia)
        return True

    def gain(self, player: str, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        self.dollaries[player] = self.dollaries[player] + 4
        self.acted(player, via_alexia)
        return True

    def fargo(self, player: str, horse: str, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if self.owners["Fargo"] != player or self.hooves[player] < 1:
            return False
        if [player, horse] in self.helmets or not self.may_bet(player, horse, True):
            return False
        self.hooves[player] = self.hooves[player] - 1
        self.helmets.append([player, horse])
        self.bets.append([player, horse, 2])
        self.acted(player, via_alexia)
        return True

    def nacho(
        self, player: str, horse: str, pulling: str, added: str, via_alexia: bool = False
    ) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if self.owners["Nacho"] != player or self.hooves[player] < 1:
            return False
        if [player, horse] in self.jerseys or pulling == horse:
            return False
        self.hooves[player] = self.hooves[player] - 1
        self.jerseys.append([player, horse])
        self.add_pull(pulling, added)
        self.acted(player, via_alexia)
        return True

    def rubert(self, player: str, horse: str, dollaries: int, via_alexia: bool = False) -> bool:
        if not self.may_act(player, via_alexia):
            return False
        if self.owners["Rubert"] != player:
            return False
        if dollaries not in [1, 2, 3] or self.dollaries[player] < dollaries:
            return False
        if not self.may_bet(player, horse):
            return False
        self.dollaries[player] = self.dollaries[player] - dollaries
        self.bets.append([player, horse, dollaries])
        if self.positions[horse] == min(self.positions.values()):
            for _ in range(3):
                step(self.positions, horse, 1)
        self.acted(player, via_alexia)
        return True

    def sugar(self, player: str, horse: str, via_alexia: bool = False) -> bool:
        """Refused where its one step could not happen."""
        if not self.may_act(player, via_alexia):
            return False
        if self.owners["Sugar"] != player or self.hooves[player] < 1:
            return False
        if [player, horse] in self.helmets:
            return False
        if not step(self.positions, horse, 1):
            return False
        self.hooves[player] = self.hooves[player] - 1
        self.helmets.append([player, horse])
        self.acted(player, via_alexia)
        return True

    # The monthly powers

    def cannon(self, player: str) -> bool:
        if player not in self.players or self.owners["Cannon"] != player:
            return False
        if [player, "Cannon"] in self.monthly_power_used or not self.running("Cannon"):
            return False
        if not step(self.positions, "Cannon", 1):
            return False
        self.monthly_power_used.append([player, "Cannon"])
        return True

    def destructor(self, player: str, horse: str) -> bool:
        if player not in self.players or self.owners["Destructor"] != player:
            return False
        if [player, "Destructor"] in self.monthly_power_used or not self.running(horse):
            return False
        if not step(self.positions, horse, -1):
            return False
        step(self.positions, horse, -1)
        self.monthly_power_used.append([player, "Destructor"])
        return True

    # What anybody and any owner may do

    def motivate(self, galloper: str, distance: int) -> bool:
        """Once a week for the whole game; who does it does not matter."""
        if self.motivated is not None:
            return False
        self.motivated = [galloper, distance]
        return True

    def transfer(self, player: str, horse: str, to: str) -> bool:
        if player not in self.players or to not in [*self.players, AGORA] or to == player:
            return False
        if self.owners[horse] != player:
            return False
        self.owners[horse] = to
        return True
