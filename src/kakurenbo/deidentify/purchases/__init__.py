"""Ways to hide in purchase histories."""
