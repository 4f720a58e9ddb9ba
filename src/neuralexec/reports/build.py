"""From the JSON of a folder: a Markdown file per table, figures, and one page with all of it."""

from __future__ import annotations

from pathlib import Path

from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import check_place, replacing
from neuralexec.reports.drawings import drawings_of, slug
from neuralexec.reports.layout import tables_of
from neuralexec.reports.page import page
from neuralexec.reports.results import read_results
from neuralexec.reports.tables import markdown_table


def build(folder: Path) -> list[Path]:
    """Write everything that the results allow into their folder, and say what was written."""
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; give the one that holds cells.json")
    results = read_results(folder)
    drawings = drawings_of(results)
    content = {
        f"{_file_name(table)}.md": markdown_table(results.cells, table).encode()
        for table in tables_of(results.cells)
    }
    for drawing in drawings:
        content[f"{drawing.name}.svg"] = drawing.svg.encode()
        content[f"{drawing.name}.png"] = drawing.png
    content["report.html"] = page(results, drawings).encode()
    return [_write(folder / name, data) for name, data in content.items()]


def _file_name(table: str) -> str:
    """Its own name where that is a plain one, such as appendixE."""
    return table if table.isalnum() else slug(table)


def _write(path: Path, data: bytes) -> Path:
    check_place(path)
    with replacing(path) as stream:
        stream.write(data)
    return path
