"""Every chart of every report, one file for each thing drawn; loading one of them loads altair, a second."""
