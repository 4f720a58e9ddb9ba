"""The tables of docs/performance.md, from what the suites have measured.

python -m benchmarks.tables
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "performance.md"
HEADER = ["What", "Ours", "Other", "Ratio", "Target", "Reached"]


def write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for path in sorted((ROOT / "results").glob("benchmarks-*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        suite = path.stem.partition("-")[2]
        marks = f"<!-- {suite} -->", f"<!-- end of {suite} -->"
        pattern = f"(?s){re.escape(marks[0])}.*{re.escape(marks[1])}"
        if not re.search(pattern, text):
            raise SystemExit(f"{PAGE} has no place for the table of {suite}: {marks[0]}")
        table = "\n".join((marks[0], f"{results['machine']}.", "", *rows(results), marks[1]))
        text = re.sub(pattern, lambda _, table=table: table, text)
    PAGE.write_text(text, encoding="utf-8")


def rows(results: dict[str, Any]) -> list[str]:
    lines = [HEADER, ["---"] * len(HEADER), *map(cells, results["lines"])]
    return ["| " + " | ".join(line) + " |" for line in lines]


def cells(line: dict[str, Any]) -> list[str]:
    return [
        line["what"],
        line["ours"],
        line["other"],
        f"{line['ratio']:.2f}",
        line["target"],
        "yes" if line["reached"] else "no",
    ]


if __name__ == "__main__":
    write()
