"""The guide to explanations runs as it stands there."""

import re
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "explanations.md"


def test_the_guide_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"))
    assert len(blocks) == 3
    names: dict = {}
    for code in blocks:
        exec(code, names)
    printed = capsys.readouterr().out
    assert printed.startswith("step ")
    assert "step 1: " in printed
    assert "correct: False" not in printed
    assert "100.00% of the paths to the source have no error" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["explanations.json.gz"]
