"""Risk: what a guess is worth against the secret, and how large the groups are that people hide in."""
