"""Games that are made and run in a browser: starting, inviting, hosting, talking."""
