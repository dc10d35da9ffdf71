"""An owner's components file: what is of the wrong kind is named, for every game."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from recollect.engine.components import Fault
from recollect.engine.shelf import games, load


@pytest.mark.parametrize("name", games())
def test_a_number_where_a_table_or_a_list_of_tables_should_be_is_named(tmp_path: Path, name: str):
    ours = tomllib.loads((load(name).folder / "components.toml").read_text(encoding="utf-8"))
    kinds = {key: "should be a table" for key, value in ours.items() if isinstance(value, dict)}
    kinds |= {key: "should be a list of tables" for key, value in ours.items() if isinstance(value, list) and isinstance(value[0], dict)}
    assert kinds
    for key, what in kinds.items():
        file = tmp_path / "mine.toml"
        file.write_text(f"{key} = 3\n")
        with pytest.raises(Fault) as fault:
            load(name, file)
        assert fault.value.entry == key and what in fault.value.what and fault.value.file == str(file)


@pytest.mark.parametrize("name", games())
def test_data_that_comes_from_nowhere_is_named(tmp_path: Path, name: str):
    file = tmp_path / "mine.toml"
    ours = (load(name).folder / "components.toml").read_text(encoding="utf-8")
    assert '= "reconstructed"' in ours or '= "rulebook"' in ours
    for told, untold in (('= "rulebook"', "= -1"), ('= "rulebook"', '= "hearsay"')):
        file.write_text(ours.replace(told, untold, 1), encoding="utf-8")
        with pytest.raises(Fault) as fault:
            load(name, file)
        assert "provenance" in fault.value.entry and "must be one of rulebook, deduced" in fault.value.what
