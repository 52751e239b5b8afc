"""Speed and memory, as ratios to other libraries measured in the same run."""
