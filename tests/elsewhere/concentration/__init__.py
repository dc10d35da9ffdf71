"""Plain Concentration: the game of pairs, without a private look. It has no page of its own, so the table's plain one is tested with it."""
