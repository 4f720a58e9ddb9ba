"""The other side of the speed comparison with CLRS-30, run in an environment of its own."""
