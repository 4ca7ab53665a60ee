"""Learnt: what an attacker believes of people after he has looked, against the truth; without a pairing."""
