"""Edits that count or name a unit: what each makes of a rule's text, or None where it is left."""

FENCE = "```python\nrun()\n\nrest()\n```"

HEAD = "| roll | cat |\n| --- | --- |\n"

CASES: tuple[tuple[str, str, str | None], ...] = (
    # Sentences whose end is sure
    ("deleting the first sentence", "The cat sleeps. It purrs.", "It purrs."),
    ("deleting the last sentence", "The cat sleeps. It purrs.", "The cat sleeps."),
    ("deleting the second sentence", "A cat naps! Is it ill? It is not.", "A cat naps! It is not."),
    ("deleting the only sentence", "The cat sleeps. It purrs.", None),
    ("deleting the first sentence", "Cats, e.g. tabbies, sleep. They purr.", "They purr."),
    ("deleting the first sentence", "It costs 1.5 coins. The cat pays.", "The cat pays."),
    (
        "deleting the first sentence",
        "# Dr. Cat\n\nThe cat naps. It purrs.",
        "# Dr. Cat\n\nIt purrs.",
    ),
    ("deleting the first sentence", f"{FENCE}\n\nThe cat naps. It purrs.", f"{FENCE}\n\nIt purrs."),
    (
        "replacing the first sentence with “Dogs bark.”",
        "| a. B | c |\n| --- | --- |\n| D. E | f |\n\nThe cat naps. It purrs.",
        "| a. B | c |\n| --- | --- |\n| D. E | f |\n\nDogs bark. It purrs.",
    ),
    (
        "inserting “Dogs bark.” after the first sentence",
        "The cat sleeps. It purrs.",
        "The cat sleeps. Dogs bark. It purrs.",
    ),
    ("deleting the sentence beginning “It”", "The cat sleeps. It purrs.", "The cat sleeps."),
    ("deleting the sentence “It purrs.”", "The cat sleeps. It purrs.", "The cat sleeps."),
    ("deleting the sentence “Dr. Cat sleeps.”", "Dr. Cat sleeps. It purrs.", "It purrs."),
    ("deleting the sentence containing “purrs”", "The cat sleeps. It purrs.", "The cat sleeps."),
    *(
        ("deleting the first sentence", text, outcome)
        for text, outcome in (
            ("Dr. Cat sleeps. It purrs.", "It purrs."),
            ("Mr. Cat sleeps. It purrs.", "It purrs."),
            ("St. Cat sleeps. It purrs.", "It purrs."),
            ("Prof. Cat sleeps. It purrs.", "It purrs."),
            ("Fig. 3 shows a cat. It purrs.", "It purrs."),
            ("Adm. Cat sleeps. It purrs.", "It purrs."),
            ("Vol. II is of cats. It purrs.", "It purrs."),
            ("Messrs. Cat and Dog sleep. They purr.", "They purr."),
            ("Mt. Cat sleeps. It purrs.", "It purrs."),
            ("A cat of St. Cat sleeps. It purrs.", "It purrs."),
        )
    ),
    # Sentences whose end is not
    *(
        ("deleting the first sentence", text, None)
        for text in (
            "The cat sleeps.^1 It purrs. It eats.",
            "The cat sleeps.<sup>1</sup> It purrs. It eats.",
            "The cat sleeps.\u200bIt purrs. It eats.",
            "The cat sleeps . It purrs. It eats.",
            "Cats, esp. Tabbies, sleep. They purr.",
            "Is it ill?! Cats purr. They eat.",
            "Sammy Davis Jr. Cat sleeps. It purrs.",
            "Cf. Rule 5 on cats. It purrs.",
            "They call the Dr. Cats purr. They eat.",
            "It lives on Elm Dr. Cats purr. They eat.",
            "Dr. It purrs. It eats.",
            "There are approx. 5 cats. They purr.",
            "There are approx. Five cats. They purr.",
            "“Why?” Loses its meaning. It purrs.",
            '"Why?" Loses its meaning. It purrs.',
            "Yahoo! Is a firm. It purrs.",
            "The cat (see Tom.) Sleeps. It purrs.",
            "The cat (a pet. It is nice) sleeps. It purrs.",
            "J. Cat sleeps. It purrs.",
            "The U.S. Cat sleeps. It purrs.",
            "At 5 p.m. Cats sleep. They purr.",
            "Cats etc. Sleep. They purr.",
            "Wait… Then it sleeps. It purrs.",
            "Wait... Then it sleeps. It purrs.",
            "iCats sleep. iDogs bark. eCats purr.",
            "The cat sleeps.[1] It purrs. It eats.",
            "The cat sleeps.It purrs. It eats.",
            "**Cats.** They sleep. They purr.",
            "Run `a. B` first. It purrs.",
            "On the 3. Race the cat sleeps. It purrs.",
            "猫は眠る。猫は鳴く。",
            "Cats sleep  \nDogs bark. It purrs.",
            "> The cat sleeps. It purrs.",
            "    The cat sleeps. It purrs.",
            "**Dr. Cat**\n\nThe cat sleeps. It purrs.",
            "== Cats ==\n\nThe cat sleeps. It purrs.",
            "* The cat sleeps. It purrs.",
            "The cat has:\n\n* a nap. A purr.",
            "No. 5 is a cat. It purrs.",
            "The cats of the Clan. Cat sleeps. It purrs.",
            "1) The cat sleeps. It purrs.",
        )
    ),
    (
        "inserting “Truly.” after the first sentence",
        "Dr. Cat naps. It purrs.",
        "Dr. Cat naps. Truly. It purrs.",
    ),
    ("inserting “Truly.” after the first sentence", "U.S. Cats nap. They purr.", None),
    ("deleting the sentence “Cat sleeps.”", "Dr. Cat sleeps. It purrs.", None),
    ("deleting the sentence beginning “Cat”", "Dr. Cat sleeps. It purrs.", None),
    ("deleting the sentence beginning “Dr”", "Dr. Cat sleeps. It purrs.", "It purrs."),
    ("deleting the sentence ending “sleeps”", "Dr. Cat sleeps. It purrs.", "It purrs."),
    ("deleting the sentence ending “sleeps”", "Messr. Cat sleeps. It purrs.", None),
    (
        "deleting the sentence beginning “Cats”",
        "* Cats sleep\n* Dogs bark. They run.",
        None,
    ),
    ("deleting the sentence beginning “run”", f"{FENCE}\n\nThe cat naps.", None),
    # Rows of a table, below its heading
    *(
        (f"{edit} of the table", f"{HEAD}| 1 | nap |\n| 4 | eat |\n", outcome)
        for edit, outcome in (
            ("deleting the first row", f"{HEAD}| 4 | eat |\n"),
            ("deleting the last row", f"{HEAD}| 1 | nap |\n"),
            ("deleting row 1", f"{HEAD}| 4 | eat |\n"),
            ("deleting row 2", f"{HEAD}| 1 | nap |\n"),
            ("deleting row 4", None),
            ("deleting the third row", None),
            ("deleting the only row", None),
        )
    ),
    (
        "replacing the second row of the table with “| 5 | purr |”",
        f"{HEAD}| 1 | nap |\n| 4 | eat |\n",
        f"{HEAD}| 1 | nap |\n| 5 | purr |\n",
    ),
    (
        "deleting the first row of the table, and deleting the second row of the table",
        f"{HEAD}| 1 | nap |\n| 2 | eat |\n| 3 | purr |\n",
        None,
    ),
    ("deleting row 4 of the table", f"{HEAD}| 4 | nap |\n| 5 | eat |\n", None),
    ("deleting row 2 of the table", f"{HEAD}| 2 | nap |\n| 5 | eat |\n", None),
    (
        "deleting the last row of the table",
        f"{HEAD}| 1 | nap |\n| 1 | nap |\n",
        f"{HEAD}| 1 | nap |\n",
    ),
    # Words and instances
    *(
        (f"replacing each instance of {named} with “dog”", text, outcome)
        for named, text, outcome in (
            ("the word “cat”", "A cat and a category.", "A dog and a category."),
            ("“cat”", "A cat and a category.", None),
            ("“cat”", "A category.", None),
            ("“cat”", "A cat and the cat.", "A dog and the dog."),
            ("the word “cat”", "A cat’s tail and a cat.", None),
            ("the word “cat”", "A cat-like cat.", None),
            (
                "the word “cat”",
                "A cat, a concat, a cat2 and Cats.",
                "A dog, a concat, a cat2 and Cats.",
            ),
            ("“cat”", "The cat (cat), “cat”.", "The dog (dog), “dog”."),
            ("“cat”", "The cat.\n\n```\ncat = 1\n```", None),
            ("“café”", "A cafe\u0301 and a café.", "A dog and a dog."),
            ("“cafe”", "A cafe\u0301 and a cafe.", "A cafe\u0301 and a dog."),
            ("“aba”", "aba ababa", None),
            ("the word “naïve”", "A nai\u0308ve cat.", "A dog cat."),
            ("the word “can”", "It can, or can't.", "It dog, or can't."),
            ("“can”", "It can, or can't.", None),
            ("the word “or”", "A cat and/or an or.", None),
            ("the word “cat”", "See http://cat.example, cat.", None),
            ("the word “cat”", "A cat\u00adegory, a cat.", None),
            ("the word “cat”", "The _cat_, **cat**; cat:", "The _dog_, **dog**; dog:"),
            ("“Straße”", "Die Straße und Straßen.", None),
            ("the word “кот”", "Это кот, не который.", "Это dog, не который."),
        )
    ),
    ("deleting each instance of “not”", "A note is not a knot.", None),
    ("deleting all instances of “not”", "A note is not a knot.", None),
    ("deleting every instance of the word “not”", "A note is not a knot.", "A note is a knot."),
    ("deleting the word “not”", "A note is not a knot.", "A note is a knot."),
    ("replacing “cafe” with “bar”", "The cafe\u0301 is open.", None),
    ("replacing “café” with “bar”", "The cafe\u0301 is open.", "The bar is open."),
    ("replacing “cat” with “dog”", "The category.", None),
    ("replacing the first instance of “cat” with “dog”", "The category has a cat.", None),
    ("replacing the last instance of “cat” with “dog”", "A cat and a cat.", "A cat and a dog."),
    ("inserting “black” before “cat”", "The category has one.", None),
    # Paragraphs
    ("deleting the first paragraph", "# Cats\n\nThey nap.\n\nThey purr.", "# Cats\n\nThey purr."),
    ("deleting the first paragraph", "# Cats\nThey nap.\n\nThey purr.", "# Cats\n\nThey purr."),
    (
        "deleting the first paragraph",
        "Cats\n----\n\nThey nap.\n\nThey purr.",
        "Cats\n----\n\nThey purr.",
    ),
    ("deleting the second paragraph", "One.\n\n---\n\nTwo.\n\nThree.", "One.\n\n---\n\nThree."),
    ("deleting the second paragraph", "One.\n\n* * *\n\nTwo.\n\nThree.", "One.\n\n* * *\n\nThree."),
    (
        "deleting the third paragraph",
        f"One.\n\n{FENCE}\n\nTwo.\n\nThree.",
        f"One.\n\n{FENCE}\n\nTwo.",
    ),
    (
        "deleting the second paragraph",
        "One.\n\n| a | b |\n| --- | --- |\n| c | d |\n\nTwo.",
        "One.\n\n| a | b |\n| --- | --- |\n| c | d |",
    ),
    (
        "appending “So be it.” to the last paragraph",
        f"One.\n\n{FENCE}",
        f"One. So be it.\n\n{FENCE}",
    ),
    (
        "appending “So be it.” to the last paragraph",
        "One.\n\n```\nrun()",
        "One. So be it.\n\n```\nrun()",
    ),
    ("appending “So be it.” to the first paragraph", "# Cats\n\nOne.", "# Cats\n\nOne. So be it."),
    *(
        ("deleting the first paragraph", text, None)
        for text in (
            "**Cats**\n\nThey nap.",
            "== Cats ==\n\nThey nap.",
            "> They nap.\n\nThey purr.",
            "    run()\n\nThey purr.",
            "[1]: http://cat.example\n\nThey purr.",
            "<!-- Cats -->\n\nThey purr.",
            "* They nap.\n\nThey purr.",
            "They:\n* nap\n* purr\n\nThey eat.",
            "1. ```\n   run()\n\n   ```\n\nThey nap.",
        )
    ),
    ("deleting the last paragraph", "* They nap.\n\n  They purr.", None),
    ("deleting the last paragraph", "They nap.\n\n* They purr.", None),
    ("deleting the second paragraph", "One.\n\n---", None),
    ("deleting the paragraph beginning “These”", "These:\n* nap\n* purr\n\nThey eat.", None),
    ("deleting the paragraph beginning “rest”", f"One.\n\n{FENCE}", None),
    # Items of a list
    ("deleting the last list item", "* nap\n* purr\n", "* nap\n"),
    ("deleting the second list item", "1. nap\n2. purr\n3. eat\n", "1. nap\n3. eat\n"),
    ("deleting the last list item", "* nap\n* purr\n\n- - -\n\nEnd.\n", "* nap\n\n- - -\n\nEnd.\n"),
    (
        "deleting the last list item",
        "* nap\n* purr\n\n```\n* eat\n```\n",
        "* nap\n\n```\n* eat\n```\n",
    ),
    *(
        ("deleting the last list item", text, None)
        for text in (
            "* nap\n* purr\n  * softly\n",
            "* nap\n  * softly\n* purr\n",
            "* nap\n* purr\n\n1. eat\n2. drink\n",
            "* nap\n* purr\n\nThen:\n\n* eat\n",
            "* nap\n* purr\n\n  And more of it.\n",
            "* nap\n- purr\n",
            "* nap\n* purr\nThe cat eats and drinks.\n",
            "- - -\n",
            "```\n* nap\n* purr\n```\n",
            "* ```\n  run()\n  ```\n* purr\n",
        )
    ),
    ("replacing the list item beginning “nap” with “eat”", "* nap\n  * softly\n* purr\n", None),
    # Edits of one sentence that feed each other, or count what the others take
    ("replacing “left” with “right” and “right” with “left”", "Go left, then right.", None),
    (
        "replacing each instance of “left” with “right” and each instance of “right” with “left”",
        "Go left, then right.",
        None,
    ),
    ("replacing “one” with “two”, and replacing “two” with “three”", "It is one.", None),
    ("replacing “one” with “two” and “cat” with “dog”", "It is one cat.", "It is two dog."),
    ("inserting “a dog and” before “a cat”, and deleting “dog”", "It is a cat.", None),
    ("deleting the first sentence and the second sentence", "A one. A two. A three.", None),
    ("deleting the first paragraph and the second paragraph", "One.\n\nTwo.\n\nThree.", None),
    (
        "replacing the first paragraph with “A.”, and replacing the second paragraph with “B.”",
        "One.\n\nTwo.\n\nThree.",
        "A.\n\nB.\n\nThree.",
    ),
    # At a rule's beginning and end
    ("prepending the following paragraph: {Zero.}", "# One\n\nTwo.", "Zero.\n\n# One\n\nTwo."),
    ("prepending the following sentence: {Zero.}", "# One\n\nTwo.", None),
    ("prepending the following sentence: {Zero.}", "One.\n\nTwo.", "Zero. One.\n\nTwo."),
    ("appending the following sentence: {So be it.}", f"One.\n\n{FENCE}", None),
    ("appending the following sentence: {So be it.}", "* One\n* Two", None),
    ("appending the following sentence: {So be it.}", "| a | b |\n| --- | --- |\n| c | d |", None),
    ("appending the following sentence: {So be it.}", "One.", "One. So be it."),
    ("appending the following paragraph: {So be it.}", "```\nrun()", None),
    ("appending the following paragraph: {So be it.}", FENCE, f"{FENCE}\n\nSo be it."),
    ("appending the following line: {So be it.}", "| a | b |\n| --- | --- |\n| c | d |", None),
)

_FIRST, _WORD = (
    "deleting the first sentence",
    "replacing each instance of the word “cat” with “dog”",
)
_EACH = "replacing each instance of “cat” with “dog”"

QUOTED: tuple[tuple[str, str, str, str], ...] = (
    (_FIRST, "Yahoo! Is a firm. It purrs.", "Yahoo! Is a firm.", "It purrs."),
    (_FIRST, "“Why?” Loses its meaning. It purrs.", "“Why?” Loses its meaning.", "It purrs."),
    (_FIRST, '"Why?" Loses its meaning. It purrs.', "“Why?” Loses its meaning.", "It purrs."),
    (_FIRST, "The cat (see Tom.) Sleeps. It purrs.", "The cat (see Tom.) Sleeps.", "It purrs."),
    (_FIRST, "The U.S. Cat sleeps. It purrs.", "The U.S.", "Cat sleeps. It purrs."),
    (_FIRST, "The U.S. Cat sleeps. It purrs.", "The U.S. Cat\nsleeps.", "It purrs."),
    (_FIRST, "Cats etc. Sleep. They purr.", "Cats etc. Sleep.", "They purr."),
    (_FIRST, "* The cat sleeps. It purrs.", "The cat sleeps.", "* It purrs."),
    (_FIRST, "No. 5 naps. No. 5 naps", "No. 5 naps.", "No. 5 naps"),
    (_FIRST, "At 5 p.m. The cat naps. It purrs.", "At 5 p.m. The cat naps.", "It purrs."),
    ("deleting the first paragraph", "**Cats**\n\nThey nap.", "They nap.", "**Cats**"),
    (
        "deleting the last paragraph",
        "They nap.\n\n* They purr.\n\n  They eat.",
        "They nap.",
        "* They purr.\n\n  They eat.",
    ),
    ("deleting the last list item", "* nap\n  * softly\n* purr\n", "purr", "* nap\n  * softly\n"),
    ("deleting the last list item", "* nap\n- purr\n", "- purr", "* nap\n"),
    (
        "deleting the last list item",
        "* nap\n* purr\n  * softly\n",
        "* purr\n  * softly",
        "* nap\n",
    ),
    (_WORD, "A cat-like cat.", "like cat", "A cat-like dog."),
    (_WORD, "A cat-like cat.", "A cat … like cat", "A dog-like dog."),
    (_EACH, "A cat and a category.", "A cat and", "A dog and a category."),
    (
        "deleting row 2 of the table",
        f"{HEAD}| 2 | nap |\n| 5 | eat |\n",
        "| 5  | eat |",
        f"{HEAD}| 2 | nap |\n",
    ),
    ("deleting the last instance of “cat”", "A concat, a cat.", "a cat.", "A concat, a ."),
)
"""What is not sure, the passage that its author quotes, and what becomes of the text."""

MISQUOTED: tuple[tuple[str, str, str, str], ...] = (
    (_FIRST, "Dr. Cat sleeps. It purrs.", "Cat sleeps.", "stands nowhere"),
    (_FIRST, "Dr. Cat sleeps. It purrs.", "Dr. Cat sleeps. It", "stands nowhere"),
    (_FIRST, "Dr. Cat sleeps. It purrs.", "Dogs bark.", "stands nowhere"),
    (_FIRST, "Dr. Cat sleeps. It purrs.", "", "leaves it to the officer"),
    (_FIRST, "Cats nap.\n\nThey purr.", "Cats nap. They purr.", "stands nowhere"),
    (_FIRST, "# Cats nap.\n\nThey purr. They eat.", "Cats nap.", "stands nowhere"),
    (_FIRST, "```\nCats nap.\n```\n\nThey purr. They eat.", "Cats nap.", "stands nowhere"),
    (_FIRST, "| a |\n| --- |\n| Cats nap. |\n\nThey purr.", "Cats nap.", "stands nowhere"),
    (_FIRST, "The cafe\u0301 is open. It purrs.", "The cafe", "stands nowhere"),
    (_FIRST, "A\u0301 cat naps. It purrs.", "\u0301 cat naps.", "stands nowhere"),
    (_FIRST, "Cats nap. They purr.", "a" * 200_000, "stands nowhere"),
    ("deleting the second sentence", "O.K. So it is. O.K. So it is.", "So it is.", "not clear"),
    ("deleting the second paragraph", "One.\n\nTwo.", "One.\n\nTwo.", "stands nowhere"),
    ("deleting the second paragraph", "One two.\n\nThree.", "two.", "stands nowhere"),
    ("deleting the last list item", "* nap\n* purr", "pur", "stands nowhere"),
    ("deleting the sentence beginning “Cats”", "Cats nap. They purr.", "They purr.", "is none"),
    ("deleting the last row of the table", f"{HEAD}| 2 | nap |", "| 3 | nap |", "stands nowhere"),
    (_EACH, "A cat and a category.", "a category", "is a part of other words"),
    (_EACH, "A cat and a cat.", "a cow", "“a cow”, which its author confirmed, stands nowhere"),
    (_EACH, "The cat, the cat.", "cat", "stands 2 times"),
    (_EACH, "A cat and a cow.", "a cow", "“cat” stands nowhere in what its author confirmed"),
    ("deleting the last instance of “cat”", "A cat, a cat.", "A cat, a cat.", "more than once"),
)
"""What its author quotes and may not be meant, and why."""
