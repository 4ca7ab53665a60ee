"""The papers' tables and figures beside ours: what they print, what we measure, and whether the two agree.

`printed` holds the papers' numbers, each with the question it answers; `runs` does the experiments, each one
once; `answers` puts the two together, `tables` and `figures` lay them out, and `results` are the plain
records that come back.
"""
