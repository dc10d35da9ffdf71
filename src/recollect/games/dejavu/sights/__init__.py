"""The parts of what a seat sees."""
