"""Risk: what a guess is worth against the secret, and how large the crowds are that people hide in."""
