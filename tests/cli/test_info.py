import json


def info(neuralexec, path, *arguments):
    return json.loads(neuralexec("info", path, "--json", *arguments).out)


def test_what_a_file_holds(neuralexec, roads):
    summary = info(neuralexec, roads)
    assert summary["file"] == str(roads)
    expected = {
        "nodes": 5,
        "edges": 4,
        "self_edges": 0,
        "directed": False,
        "components": 2,
        "largest_component": 3,
        "isolated_nodes": 0,
        "most_neighbours": 2,
        "lightest": 1.0,
        "heaviest": 3.0,
        "first_names": ["a", "b", "c"],
    }
    assert {name: summary[name] for name in expected} == expected


def test_the_table_says_the_same(neuralexec, roads):
    out = neuralexec("info", roads).out
    assert "4 undirected" in out
    assert "2 components" in out


def test_bad_files_are_refused(neuralexec, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b,1\nb,c,heavy\n")
    message = neuralexec.fails("info", path)
    assert f"{path}, line 2: weight 'heavy' is not a number" in message
