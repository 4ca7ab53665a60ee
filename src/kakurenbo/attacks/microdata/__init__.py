"""Seekers in tables with one row a person."""
