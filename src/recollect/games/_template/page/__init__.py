"""What a seat sees of Seven Cards."""
