"""What is described: purchases, microdata, baskets, pairings, releases, and the profile of a table."""
