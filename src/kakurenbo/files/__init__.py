"""Reading and writing: tables, contest layouts, pairings, the release folder, known datasets."""
