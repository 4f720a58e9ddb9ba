"""The paper again: which networks to train, what to examine them on, and the tables of that."""
