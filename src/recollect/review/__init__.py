"""After the game, and only then: what every seat was shown, what it remembered, what was luck, and why it ended as it did."""

from recollect.review.report import Report, chances_of, review

__all__ = ["Report", "chances_of", "review"]
