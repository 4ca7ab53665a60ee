"""Judging: what a submission is worth under the rules of a contest, with or without a server."""
