"""The frame of the static pages that are kept of a contest: no script, no forms, nobody is signed in."""
