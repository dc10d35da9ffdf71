"""One folder a game; the folder is its registration."""
