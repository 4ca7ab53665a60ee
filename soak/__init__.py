"""The soak: kills, failing calls, mutated and extreme input, planted leaks, for as long as it is given."""
