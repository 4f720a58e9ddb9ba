"""Graphs as NumPy arrays: families to draw from, files to read and write, data to train on."""
