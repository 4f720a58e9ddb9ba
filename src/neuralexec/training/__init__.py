"""Teach an executor: settings, data, losses, the loop, and checkpoints."""
