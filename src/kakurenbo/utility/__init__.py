"""Utility: what a release cost, one file per family of measures."""
