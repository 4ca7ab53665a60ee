"""How the tables came to be what they are: one file for every change, run in order."""
