"""Graph networks that execute graph algorithms."""

__version__ = "0.1.0.dev0"
