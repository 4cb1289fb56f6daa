"""The changes that a proposal makes: its body's prose read into a list of them.

A body is laid out (`layout.py`), cut into sentences that a grammar reads (`sentences.py`,
`grammar.lark`), and their trees are built into changes (`building.py`). What looks like a change
and fits no form of the grammar is a ByHand, for the officer (`left.py`). Nothing here knows Django;
reading takes time linear in the length.
"""
