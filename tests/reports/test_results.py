"""What a folder holds."""

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.cells import write_cells
from neuralexec.reports.results import Results, read_results
from tests.reports.fake_results import (
    cell_of,
    fake_claims,
    fake_curves,
    fake_explanations,
    fake_trainings,
    write_folder,
)


def test_everything_is_read(tmp_path):
    write_folder(tmp_path)
    found = read_results(tmp_path)
    assert len(found.cells) > 500
    assert found.curves == tuple(fake_curves())
    assert found.explanations == tuple(fake_explanations())
    assert found.trainings == tuple(fake_trainings())
    assert found.claims == tuple(fake_claims())


def test_only_cells_must_be_there(tmp_path):
    with pytest.raises(InputError, match=r"cells\.json: there is no such file"):
        read_results(tmp_path)
    write_cells(tmp_path / "cells.json", [cell_of()])
    assert read_results(tmp_path) == Results((cell_of(),))
