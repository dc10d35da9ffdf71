"""What a seat sees: scene, templates, style, art; ordinary Python, never compiled."""
