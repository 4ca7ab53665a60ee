"""The contest: teams hide people, other teams seek them, a judge scores, a board ranks."""
