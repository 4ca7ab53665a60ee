"""The papers' tables and figures beside ours: what they print, what we measure, and whether the two agree.

One module for each paper holds its printed numbers, each with the question it answers, and lays out its
tables and figures; `clusters` holds what 000, 002 and 003 share. `runs` does the experiments, each one once,
`compare` judges, `paper` puts the papers asked for together, and `results` are the plain records returned.
"""
