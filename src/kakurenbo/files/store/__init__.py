"""Purchases on disk in blocks of whole customers: read once in a stream, opened at once ever after."""
