"""Tuning: search methods and parameters for the least utility loss under a limit on the measured risk.

`search.tune` is the door. A `plan` is a chain of methods; the `space` says which plans there are; `starts`
names those that theory and the papers would try first; `trials` measures one plan; `workers` measures many at
once; `sampling` proposes the next ones; `study` keeps them in a file; `checks` draws the best again;
`results` says which to take and why.
"""
