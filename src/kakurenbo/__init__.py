"""Kakurenbo."""
