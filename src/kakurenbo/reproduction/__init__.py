"""Reproduction: the papers' tables and figures made anew, each row beside what was printed."""
