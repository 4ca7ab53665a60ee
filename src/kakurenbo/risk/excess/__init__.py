"""Is a release so far from its data that its pairing may be a cheat (004)?"""
