"""The titles of the seven rules of the races."""

HORSES = "Horses"
RUN = "The Horses Run"
VICTORY = "Horse Victory"
MULTIPLIER = "Horse Multiplier"
ACTIONS = "Weekly Race Actions"
MOTIVATING = "Motivating Horses"
POWERS = "Horse Powers"
TITLES = (HORSES, RUN, VICTORY, MULTIPLIER, ACTIONS, MOTIVATING, POWERS)
