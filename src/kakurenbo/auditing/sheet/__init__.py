"""Data sheets made: the columns as they are released, what they may be used for, and who was tried."""
