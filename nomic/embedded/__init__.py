"""The bundled PostgreSQL and Valkey, and the one-command server."""
