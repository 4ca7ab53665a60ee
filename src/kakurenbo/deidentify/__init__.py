"""Ways to hide: one file per method or building block. Every one ends in fresh pseudonyms."""
