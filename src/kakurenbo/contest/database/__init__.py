"""What a contest remembers: its tables, how they are reached, and how they change from version to version."""
