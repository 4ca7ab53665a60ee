"""What a release of microdata cost."""
