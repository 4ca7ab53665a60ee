"""Ways to hide in tables with one row a person."""
