"""How exposed people are by the tables alone: no pairing, no guess."""
