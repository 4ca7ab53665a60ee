"""Tuning: search methods and parameters for the least utility loss under a limit on the measured risk."""
