"""Seekers in purchase histories."""
