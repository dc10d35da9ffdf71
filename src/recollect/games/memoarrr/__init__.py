"""Memoarrr!, by Carlo Bortolini: find a way over the smoking island, card by linked card."""
