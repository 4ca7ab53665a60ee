"""Coverage: whether what a release shows can be compared with the original at all."""
