"""After the game, and only then: what every seat was shown, what it remembered, what was luck, and why it ended as it did."""

from recollect.review.report import Report, review

__all__ = ["Report", "review"]
