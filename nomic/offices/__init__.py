"""The officers' site at /office/: duties, the clock's health, reports, corrections, and books.

It is an admin site with the Unfold theme that shows an officer the games in which they hold
office, and a superuser all of them. The pages run under the same Content-Security-Policy as the
rest of the site. Unfold's own scripts would need more: Alpine evaluates the expressions in its
attributes (`unsafe-eval`), some of them write `style` attributes, and its colours stand in an
inline style sheet (`unsafe-inline`). So the few templates that lean on them are replaced in
templates/unfold and templates/admin, the colours stand in static/office.css, and static/office.js
does what is left to do (the sidebar on a phone, light and dark). Every page works without it.
"""
