"""`python -m neuralexec` is the command."""

from neuralexec.cli.main import main

main()
