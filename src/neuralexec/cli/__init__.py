"""The `neuralexec` command: one file per verb; the only room that prints or parses."""
