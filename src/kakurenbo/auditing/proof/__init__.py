"""The proof: every attacker tried where the answer is known."""
