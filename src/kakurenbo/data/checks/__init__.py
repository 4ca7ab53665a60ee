"""The door: what a table must be before anything else sees it."""
