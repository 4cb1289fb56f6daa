"""Bodies in the shapes of many nomics: the texts of the rules that each makes otherwise, by title
(None where the rule is gone), or LEFT where all is left to the officer."""

LEFT: dict[str, str | None] = {}

RULES: tuple[tuple[str, str, str], ...] = (
    ("4", "Sins", "Nine cats sin."),
    ("7", "Cats", "A cat naps, and purrs."),
    ("1.8", "Naps", "Cats nap."),
    ("24", "Exclusive Victory", "The cat wins."),
    ("101", "Rating", "One, two and three."),
    ("107", "Visitors", "| No | Who |\n| --- | --- |\n| 4 | Thug |\n| 5 | Cook |"),
    ("108", "Guests", "{|\n! No !! Who\n|-\n| 4 || Thug\n|-\n| 5 || Cook\n|}"),
)
NAPS = {"Cats": "A cat sleeps, and purrs."}
SIX = {"Rating": "One, two and six."}
COOK = {"Visitors": "| No | Who |\n| --- | --- |\n| 5 | Cook |"}
JUDGE = {"Visitors": "| No | Who |\n| --- | --- |\n| 4 | Judge |\n| 5 | Cook |"}
NEW: dict[str, str | None] = {"Dogs": "Dogs bark."}

AGORA: tuple[tuple[str, dict[str, str | None]], ...] = (
    *(
        (
            f"{head}:\n* replace “two” with “five”; and\n* delete “ and three”.",
            {"Rating": "One, five."},
        )
        for head in (
            "Amend rule 101",
            "Amend rule 101 as a single amendment",
            "Amend Rule 101, as a single amendment, as follows",
            "Amend the rule with title “Rating”",
            "Amend the rule numbered 101",
            "Rule 101 is amended as follows",
        )
    ),
    ("Amend rule 101, as a single amendment, by:\n- replacing “three” with “six”.", SIX),
    (
        "Amend rule 101 by doing the following as a single amendment:\n1. replacing “three” with"
        " “six”.",
        SIX,
    ),
    ("Rule 101 is amended by replacing “three” with “six”.", SIX),
    ("Rule 101 is amended to read: {One, two and six.}", SIX),
    ("Rule 101 is hereby amended to read as follows:\n> One, two and six.", SIX),
    ("Amend rule 101 if it rains:\n* replace “three” with “six”.", LEFT),
    ("Amend rule 101 as a single amendment if it rains:\n* replace “three” with “six”.", LEFT),
    ("Amend rule 101:\n{\nOne, two and six.\n}", LEFT),
    ("Amend rule 101:\n* Players bark.", LEFT),
    ("Rule 101 is amended to read: {One, two and six.} on Friday.", LEFT),
    ("Rule 101 is not amended to read: {One, two and six.}", LEFT),
    ("Rule 101 is amended by Bob.", LEFT),
    ("// It says too much.\nAmend rule 101 by replacing “three” with “six”.\n  // The end.", SIX),
    ("{\n// It says too much.\nAmend rule 101 by replacing “three” with “six”.\n}", SIX),
    ("// Repeal rule 4.\nAmend rule 101 by replacing “three” with “six”.", SIX),
    ("Amend rule 101 to read: {\n// One.\nTwo.\n}", {"Rating": "// One.\nTwo."}),
    ("Repeal rule 4. // Not really.", LEFT),
    ("// This happens only\nif it rains.\n\nRepeal rule 4.", LEFT),
    ("/ Not really.\n\nRepeal rule 4.", LEFT),
    ("Enact a new (Power=1) rule titled “Dogs” with the text: {Dogs bark.}", NEW),
    ("Enact a new (Power=1.0) rule entitled “Dogs” that reads: {Dogs bark.}", NEW),
    ("Create a rule titled “Dogs” with the following text: {Dogs bark.}", NEW),
    ("Re-enact rule 900 (Power=1), “Dogs”, with the following text: {Dogs bark.}", NEW),
    ("Enact the following rule, titled “Dogs”: {Dogs bark.}", NEW),
    ("Enact the following rule:\n{\nTitle: Dogs\nPower: 1\nText: Dogs bark.\n}", NEW),
    ("Enact the following rule:\n{\nTitle: “Dogs”\n\nDogs bark.\n}", NEW),
    ("Enact a new (Power=1 if it rains) rule titled “Dogs” with the text: {Dogs bark.}", LEFT),
    ("Enact the following rule:\n{\nTitle: Dogs\nDogs bark.\n}", LEFT),
    ("Enact the following rule:\n{\nTitle: dogs if it rains\n\nDogs bark.\n}", LEFT),
    ("Enact the following rule:\n\nTitle: Dogs\nText: Dogs bark.", LEFT),
    ("Re-enact rule 900 with the following text: {Dogs bark.}", LEFT),
    ("Re-title rule 4 to “Virtues”.", {"Sins": None, "Virtues": "Nine cats sin."}),
    ("Re-title rule 4 to “Virtues” or “Vices”.", LEFT),
    ("Amend the rule with the title “Cats” by replacing “naps” with “sleeps”.", NAPS),
    ('Amend rule 7 by replacing “naps" with “sleeps".', NAPS),
    ('Amend rule 7 by replacing "naps” with "sleeps”.', NAPS),
    ('Amend rule 7 by replacing “naps” with "sleeps".', NAPS),
    ('Amend rule 7 by replacing “naps" with "sleeps”.', LEFT),
    ('Amend rule 7 by replacing “naps "loudly" with “sleeps”.', LEFT),
    ('Amend rule 7 by replacing "naps "and" purrs" with "sleeps".', LEFT),
    ("Amend rule 7 by replacing “naps with sleeps.", LEFT),
)

BLOGNOMIC: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("Add a new dynastic rule, “Dogs”, with the following text:\n> Dogs bark.", NEW),
    ("Add a new dynastic rule, called “Dogs”, with the following text: {Dogs bark.}", NEW),
    ("Create a dynastic rule “Dogs” with the following text: {Dogs bark.}", NEW),
    ("Create a new dynastic rule titled “Dogs”:\n> Dogs bark.", NEW),
    ("Add a new Rule. Call it “Dogs” and give it the following text: {Dogs bark.}", NEW),
    ("Add a new Rule. Call it “Dogs” and give it the text “Dogs bark.”", NEW),
    ("Add a new Rule. Call it “Dogs” and give it the text that Bob likes.", LEFT),
    ("Add a new Rule. Call it “Dogs” if it rains and give it the text “Dogs bark.”", LEFT),
    ("Add a new dynastic rule, “Dogs”, if it rains, with the following text: {Dogs bark.}", LEFT),
    ("In the rule Cats, replace “naps” with “sleeps”.", NAPS),
    ("In the rule Cats, replace the text\n\n    naps\n\nwith\n\n    sleeps", NAPS),
    ("In the rule Cats, replace the text\n\nnaps\n\nwith\n\nsleeps", NAPS),
    ("In the rule Cats, replace the text:\n\nnaps\n\nwith the following:\n\nsleeps", NAPS),
    (
        "In the rule Exclusive Victory, replace “cat” with “dog”.",
        {"Exclusive Victory": "The dog wins."},
    ),
    ("In the rule Cats, replace the text\n\nnaps\n\nwith\n\nsleeps\n\nJust kidding.", LEFT),
    ("In the rule Cats, replace the text\n\nnaps\n\nwith glee\n\nsleeps", LEFT),
    ("In the rule Cats, replace the text\n\nnaps\n\nand so on\n\nwith\n\nsleeps", LEFT),
    ("In the rule Cats Unless It Rains, replace “naps” with “sleeps”.", LEFT),
    ("In the rule cats, replace “naps” with “sleeps”.", LEFT),
    ("In the rule Cats if it rains, replace “naps” with “sleeps”.", LEFT),
    ("In the rule Dogs, replace “naps” with “sleeps”.", LEFT),
    (
        "Add the following to the end of the rule Naps:\n> So be it.",
        {"Naps": "Cats nap.\n\nSo be it."},
    ),
    ("Add the following to the end of the rule Naps or Cats:\n> So be it.", LEFT),
    ("Reword Rule 1.8 (Naps) to:-\n> Cats sleep.", {"Naps": "Cats sleep."}),
    ("Reword Rule 1.8 (Naps) to:-\n\nCats sleep.", {"Naps": "Cats sleep."}),
    ("Reword Rule 1.8 (Naps) to read: {Cats sleep.}", {"Naps": "Cats sleep."}),
    ("Reword Rule 1.8 (Naps) to something better:-\n> Cats sleep.", LEFT),
    ("Reword Rule 1.8 (Cats) to:-\n> Cats sleep.", LEFT),
    ("Change “naps” to “sleeps” in the rule “Cats”", NAPS),
    ("Change “naps” to “sleeps” in the rule Cats.", NAPS),
    ("Change “naps” to “sleeps” in the rule “Cats” until Friday", LEFT),
    (
        "Add a subrule titled “Tabbies” to the rule “Cats” with the text: {They nap.}\n\nIn the"
        " rule “Cats”, in the subrule “Tabbies”, replace “nap” with “sleep”.",
        {"Tabbies": "They sleep."},
    ),
    ("In the rule “Cats”, in the subrule “Sins”, replace “Nine” with “Ten”.", LEFT),
    ("In rule 7, in the subrule “Sins”, replace “Nine” with “Ten”.", LEFT),
)

BLUE_SHEEP: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("**Addition:** __Dogs__\nDogs bark.", NEW),
    ("**Addition**: __Dogs__\n\n> Dogs bark.", NEW),
    ("**Addition:** __Dogs__\n\nDogs bark.\n\n**Removal:** __Sins__", {**NEW, "Sins": None}),
    ("**Removal:** __Sins__\n**Removal:** __Cats__", {"Sins": None, "Cats": None}),
    ("**Amendment:** __Cats__\n> A cat sleeps, and purrs.", NAPS),
    (
        "**Amendment:** __Cats__\n{A cat sleeps, and purrs.}\n**Removal:** __Sins__",
        {**NAPS, "Sins": None},
    ),
    ("**Amendment:** __Cats__\nThe nap becomes a sleep.", LEFT),
    ("**Addition:** __Dogs__\nDogs bark.\n\nJust kidding.", LEFT),
    ("**Addition:** __Dogs__ if it rains\nDogs bark.", LEFT),
    ("**Removal:** __Sins__\n\nOnly if it rains.", LEFT),
    ("**Removal:** __Sins__ and __Cats__", LEFT),
    ("**Removal:** Sins", LEFT),
    ("**Addition:** __Dogs__", LEFT),
    ("**Suggestion:** __Dogs__\n{Dogs bark.}", LEFT),
)

GIT: tuple[tuple[str, dict[str, str | None]], ...] = (
    ('Append the following to rule 1.8: "So be it."', {"Naps": "Cats nap.\n\nSo be it."}),
    ("Add the following to the end of rule 1.8: “So be it.”", {"Naps": "Cats nap.\n\nSo be it."}),
    ('Append the following to rule 1.8: "So be it." if it rains.', LEFT),
    ('Append the following to rule 1.8: "So be it.', LEFT),
    ('Append the following to rule 1.8: "So "be" it."', LEFT),
    ("Change rule 7 to read: {A cat sleeps, and purrs.}", NAPS),
    ("Rule 7 is amended to read: “A cat sleeps, and purrs.”", NAPS),
    ("Modify the text of rule 7 to read: {A cat sleeps, and purrs.}", NAPS),
    ("Replace the text of rule 7 with:-\n> A cat sleeps, and purrs.", NAPS),
    ("Change rule 7 to read like a poem: {A cat sleeps, and purrs.}", LEFT),
    ("Repeal Rule 24: Exclusive Victory", {"Exclusive Victory": None}),
    ("Repeal Rule 24: “Exclusive Victory”.", {"Exclusive Victory": None}),
    ("Repeal Rule 24: Exclusive Victory, if it rains", LEFT),
    ("Repeal Rule 24: Sins", LEFT),
    ("Repeal Rule 24: maybe", LEFT),
    (
        "Repeal the rule Sins and the rule Exclusive Victory.",
        {"Sins": None, "Exclusive Victory": None},
    ),
    ("Repeal the rules Sins and Cats.", LEFT),
    ("Repeal the rule Sins and Cats.", LEFT),
    ("Add a subrule titled “Dogs” to the rule Cats with the text: {Dogs bark.}", NEW),
    ("Repeal rule numbered 24.", {"Exclusive Victory": None}),
    ("Repeal the rule numbered 24 or 7.", LEFT),
)

EDGES: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("In rule 101, delete “ and three”.", {"Rating": "One, two."}),
    ('In rule 101, delete " and three".', {"Rating": "One, two."}),
    ('In rule 101, replace " and" with ", then".', {"Rating": "One, two, then three."}),
    ('In rule 101, replace "two " with "five ".', {"Rating": "One, five and three."}),
    ('In rule 101, replace " two " with " five ".', {"Rating": "One, five and three."}),
    ("In rule 101, delete “ and ”.", LEFT),
    ('In rule 101, replace " and " with "or".', LEFT),
    ('In rule 101, replace " three " with " six ".', LEFT),
    ('In rule 101, replace " two with " five ".', LEFT),
    ('In rule 101, replace "two " or " three" with " five".', LEFT),
)

ROWS: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("In rule 107, delete the row “4”.", COOK),
    ("In the rule “Visitors”, delete the row “4” from the Visitors table.", COOK),
    ("Delete the row beginning with “4” from the table in rule 107.", COOK),
    ("Amend rule 107 by deleting the “4” row.", COOK),
    ("In rule 107, replace the row “4” with “| 4 | Judge |”.", JUDGE),
    ("In rule 107, replace the row “4” with: {| 4 || Judge}", JUDGE),
    ("In rule 107, replace the row “4” with the following row:\n| 4 | Judge |", JUDGE),
    (
        "In rule 108, delete the row “4”.",
        {"Guests": "{|\n! No !! Who\n|-\n| 5 || Cook\n|}"},
    ),
    (
        "In rule 108, replace the row “5” with “| 5 || Judge”.",
        {"Guests": "{|\n! No !! Who\n|-\n| 4 || Thug\n|-\n| 5 || Judge\n|}"},
    ),
    ("In rule 107, delete the row “Thug”.", LEFT),
    ("In rule 107, delete the row “6”.", LEFT),
    ("In rule 107, delete the rows “4” and “5”.", LEFT),
    ("In rule 107, delete the row “4” if it rains.", LEFT),
    ("In rule 107, delete the row “4” from the Guests table.", LEFT),
    ("In rule 107, replace the row “4” with “| 4 | Judge | Bob |”.", LEFT),
    ("In rule 107, replace the row “4” with “Judge”.", LEFT),
    ("In rule 107, replace the row “4” with: {| 4 | Judge |\n| 6 | Bob |}", LEFT),
    ("In rule 101, delete the row “One”.", LEFT),
)

THROUGHOUT: tuple[tuple[str, dict[str, str | None]], ...] = (
    (
        "Throughout the ruleset, replace “Thug” with “Judge”.",
        {**JUDGE, "Guests": "{|\n! No !! Who\n|-\n| 4 || Judge\n|-\n| 5 || Cook\n|}"},
    ),
    (
        "Throughout the rules, replace the word “cat” with “dog”.",
        {"Cats": "A dog naps, and purrs.", "Exclusive Victory": "The dog wins."},
    ),
    ("Throughout the ruleset, replace “cat” with “dog”.", LEFT),
    ("Throughout the ruleset, replace “dog” with “cat”.", LEFT),
    ("Throughout the ruleset, replace “Thug” with “Judge” on Friday.", LEFT),
    ("Throughout the ruleset, replace “Thug” with “Judge” in rule 107.", LEFT),
    ("Throughout the ruleset, replace the first sentence with “Judge”.", LEFT),
    ("Throughout the day, replace “Thug” with “Judge”.", LEFT),
)

TWO = {"Cats": "So.\n\nBe it.\n\nA cat naps, and purrs."}
PREPENDED: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("Amend rule 7 by prepending the following paragraph: {So.\n\nBe it.}", TWO),
    ("Amend rule 7 by prepending the following paragraphs:\n> So.\n>\n> Be it.", TWO),
    ("Prepend the following paragraphs to rule 7: {So.\n\nBe it.}", TWO),
    ("Amend rule 7 by prepending the following paragraph:\n\nSo.\n\nBe it.", LEFT),
    ("Amend rule 7 by prepending two paragraphs: {So.\n\nBe it.}", LEFT),
)
