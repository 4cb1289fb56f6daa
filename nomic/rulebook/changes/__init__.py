"""The changes that a proposal makes: its body's prose read into a list of them.

The forms that are read stand in `grammar.lark`; what looks like a change and fits none of them is a
ByHand, for the officer. Nothing here knows Django; reading takes time linear in the length.
"""
