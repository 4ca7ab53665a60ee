"""Ways to seek: one file per idea. Each tells what the attacker holds, what he does, and when he has won."""
