"""What the pages of Vivid Memories are made from; ordinary Python, never compiled."""
