"""The panel: who attacks in an audit, on which rung of the ladder, with nothing computed twice."""
