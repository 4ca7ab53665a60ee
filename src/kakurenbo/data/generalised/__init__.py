"""Generalised values: ranges, sets, masks and stars, written and read in one place."""
