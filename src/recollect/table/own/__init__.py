"""What belongs to a person: their games, what the games say of them, a rating, their memory, and the passphrase that keeps it."""
