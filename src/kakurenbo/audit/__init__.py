"""What is asked of a release as a whole: which methods made it, and later the audit and its tuning."""
