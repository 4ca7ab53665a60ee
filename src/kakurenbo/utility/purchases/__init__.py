"""What a release of purchases cost."""
