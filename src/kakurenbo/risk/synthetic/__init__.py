"""What synthetic rows give away: whose rows they copy, who is singled out, and who was used to make them."""
