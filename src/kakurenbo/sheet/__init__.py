"""The data sheet: what a release says of itself to whoever gets it, as a record and as a page to read."""
