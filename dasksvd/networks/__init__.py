"""Networks that read sparse codes."""
