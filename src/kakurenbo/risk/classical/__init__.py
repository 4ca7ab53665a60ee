"""The classical measures of a release: k, l, t, and the chances in groups of equals."""
