"""Regenerate the tables of the documentation that follow from the code."""

import re
from pathlib import Path

from neuralexec.algorithms.summary import markdown_table

PAGE = Path(__file__).with_name("signals.md")

text = PAGE.read_text(encoding="utf-8")
PAGE.write_text(re.sub(r"(?ms)^\|.*^\|[^\n]*", markdown_table(), text), encoding="utf-8")
