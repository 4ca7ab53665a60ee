"""What attackers learn from a release, beside what they would have learnt without it."""
