"""Results to Markdown, JSON and figures: sees the records that come back, never the algorithms."""
