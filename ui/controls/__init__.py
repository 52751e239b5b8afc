"""What a visitor sets."""
