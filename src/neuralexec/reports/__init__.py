"""What the paper reports, and tables made from saved results; runs without torch."""
