"""The search: how attackers go through both tables, each of which may be any number of blocks."""
