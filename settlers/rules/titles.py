"""The titles of the isle's rules."""

GIFT = "The Gift of the Isle"
DECK = "The Dice Deck"
VISITORS = "Visitors"
MERCHANT = "Merchant"
SEALED = "The Sealed Visits"
THUG = "Thug"
TITLES = (GIFT, DECK, VISITORS, MERCHANT, SEALED, THUG)
