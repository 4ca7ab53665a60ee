"""The changes, numbered."""
