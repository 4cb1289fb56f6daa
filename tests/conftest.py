"""The lottery is played on a site of its own (test_the_lottery.py), not on that of all tests."""

from django.apps import apps

collect_ignore = [] if apps.is_installed("tests.lottery") else ["lottery"]
