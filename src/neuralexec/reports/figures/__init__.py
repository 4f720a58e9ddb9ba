"""Drawings of saved results; each function gives a matplotlib figure, imported as it is drawn."""
