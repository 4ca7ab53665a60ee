"""The linear audit: some people are sought among all, and all are gone through block by block."""
