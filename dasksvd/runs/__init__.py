"""Runs on disk: folders, the store, the queue and its processes."""
