"""The pages of the proposals, a module a page."""
