"""Audit a release: the panel of attackers, its proof, what is kept, who is found and why, yes or no."""
