import gzip

import pytest

from neuralexec import Graph, InputError, InputWarning, read_graph, write_graph

TRIANGLE = Graph.from_edges(3, [0, 1, 0], [1, 2, 2], [1.0, 2.0, 3.5], names=["a", "b", "c"])


def read(tmp_path, text, name="graph.txt", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_graph(path, **options)


@pytest.mark.parametrize(
    "text",
    [
        "a b 1\nb c 2\na c 3.5\n",
        "a,b,1\nb,c,2\na,c,3.5",
        "a;b;1\nb;c;2\na;c;3.5\n",
        "a\tb\t1\r\nb\tc\t2\r\na\tc\t3.5\r\n",
        "  a   b \t 1\n\n# comment\n% another\nb c 2.0\n\na c 35e-1\n",
        '"a","b",1\n"b","c",2\n"a","c",3.5\n',
        "source,target,weight\na,b,1\nb,c,2\na,c,3.5\n",
        "\ufeffFrom To Weight\na b 1\nb c 2\na c 3.5\n",
        "a, b, 1\nb, c, 2\na, c, 3.5\n",
    ],
)
@pytest.mark.parametrize("name", ["graph.txt", "graph.csv", "graph"])
def test_many_ways_to_write_one_graph(tmp_path, text, name):
    assert read(tmp_path, text, name) == TRIANGLE


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("0 1\n1 2\n", ["0", "1", "2"]),
        ("1 2\n2 3\n", ["1", "2", "3"]),
        ("30 7\n7 1000000000000\n", ["7", "30", "1000000000000"]),
        ("FromNodeId ToNodeId\n5 3\n", ["3", "5"]),
        ("u v\n5 3\n", ["3", "5"]),
        ("10 9\n9 x\n", ["10", "9", "x"]),
        ("1 99999999999999999999\n", ["1", "99999999999999999999"]),
        ("+1 1\n", ["+1", "1"]),
        ("\u0663 3\n", ["\u0663", "3"]),
        ("from to\nto x\n", ["from", "to", "x"]),
        ("01 2\n1 3\n", ["01", "2", "1", "3"]),
    ],
)
def test_names(tmp_path, text, names):
    assert list(read(tmp_path, text).names) == names


@pytest.mark.parametrize("name", ["graph.txt", "graph.tsv", "graph.csv"])
def test_names_with_blanks_between_tabs(tmp_path, name):
    graph = read(tmp_path, "New York\tSan José\t1\nSan José\tRio\t2\n", name)
    assert list(graph.names) == ["New York", "San José", "Rio"]


def test_a_header_that_is_only_a_guess_is_said(tmp_path):
    with pytest.warns(InputWarning, match=r"line 1 \(city, other city, km\) is taken for a header"):
        assert read(tmp_path, "city,other city,km\na,b,1\nb,c,2\na,c,3.5\n") == TRIANGLE


def test_without_weights_edges_weigh_one(tmp_path):
    assert set(read(tmp_path, "1 2\n2 3\n").weights) == {1.0}


def test_edges_are_undirected_unless_said_otherwise(tmp_path):
    assert not read(tmp_path, "1 2\n").directed
    assert read(tmp_path, "1 2\n", directed=True).directed
    write_graph(Graph.from_edges(2, [0], [1], directed=True), tmp_path / "one_way.csv")
    assert read_graph(tmp_path / "one_way.csv").directed
    assert not read_graph(tmp_path / "one_way.csv", directed=False).directed


def test_numbers_and_names_are_read_alike(tmp_path):
    """The fast way for numbers and the slow way for everything else must agree."""
    lines = [f"{i} {(7 * i) % 50} {i / 8}" for i in range(1, 50)]
    fast = read(tmp_path, "\n".join(lines))
    slow = read(
        tmp_path, "\n".join(f'"{line.split()[0]}",{",".join(line.split()[1:])}' for line in lines)
    )
    assert fast == slow


def test_a_file_is_read_in_parts(tmp_path, monkeypatch):
    lines = "".join(f"{i} {i + 1} {i / 4}\n" for i in range(25))
    whole = read(tmp_path, lines)
    for rows in (5, 7, 25):
        monkeypatch.setattr("neuralexec.graphs.formats.edge_list.ROWS_AT_ONCE", rows)
        assert read(tmp_path, lines) == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b 1\nb c\n", r"graph.txt, line 2: expected 3 columns; found 2"),
        ("1 2\n2 3 4\n", r"line 2: expected 2 columns; found 3"),
        ("1 2 3 4\n", r"line 1: expected 2 or 3 columns .*; found 4"),
        ("1\n2\n", r"line 1: expected 2 or 3 columns .*; found 1"),
        ("1 2 0.5\n\n2 3 heavy\n", r"line 3: weight 'heavy' is not a number"),
        ("a b x\nb c 1\n", r"line 1: weight 'x' is not a number"),
        ("1 2 x\n2 3 1\n", r"line 1: weight 'x' is not a number"),
        ("1;2;0,5\n2;3;0,7\n", r"line 1: weight '0,5' is not a number; write it with a decimal"),
        ("a b 1,5\n", r"line 1: weight '1,5' is not a number; write it with a decimal point"),
        ("Lyon;Paris;4,65\nRome;Oslo;2,25\n", r"line 1: weight '4,65' is not a number"),
        ("weight,source,target\n5,1,2\n", r"line 1: has its columns in another order"),
        ("id,source,target\n5,1,2\n", r"line 1: has its columns in another order"),
        ("target,source\n1,2\n", r"line 1: has its columns in another order"),
        ("a,b,c,d\n", r"line 1: expected 2 or 3 columns .*; found 4"),
        ("x,y,z\n" + "p,q,1\n" * 50 + "x,q,1\n", r"line 1: weight 'z' is not a number"),
        ("# neuralexec directed=false nodes=2000000000 first=0\na b\n", r"line 2: node 'a' is not"),
        ("a b 1e308\nb c 1e308\n", r"add up to more than a number can hold"),
        ("1 99999999999999999999 1\n1 2 x\n", r"line 2: weight 'x'"),
        ("1 2\n1 3 # of a kind\n", r"line 2: expected 2 columns; found 6"),
        ("1 2 1_000\n", r"line 1: weight '1_000' is not a number"),
        ("1 2 nan\n", r"line 1: weight 'nan' cannot be used: weights must be finite, 0 or more"),
        ("a b 1\nb c inf\n", r"line 2: weight 'inf' cannot be used"),
        ("1 2 1\n2 3 1e999\n", r"line 2: weight '1e999' cannot be used"),
        ("1 2 1\n2 3 -0.5\n", r"line 2: weight '-0.5' cannot be used"),
        ("1 2\n3 -4\n", r"line 2: node -4 is out of range"),
        ("a,b\n,c\n", r"line 2: names no node"),
        ('a,b\n"c,d\n', r"line 2: has a quote that does not close"),
        ("# only\n# comments\n", r"graph.txt: has no edges"),
        ("\n\n", r"has no edges"),
        ("source,target,weight\n", r"has a header but no edges"),
        (b"a b\nb \xff\n", r"line 2: is not UTF-8 text; save the file as UTF-8"),
        (b"a b\nb \0c\n", r"line 2: holds a zero byte"),
        ("# neuralexec directed=false nodes=2 first=0\n0 2\n", r"line 2: node '2' is not among"),
        ('# neuralexec directed=false nodes=2\n# node "a"\na b\n', r"promises 2 names; found 1"),
        (
            "# neuralexec directed=false nodes=9999999999 first=0\n0 1\n",
            r"at most 2,147,483,647 nodes",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_of_duplicate_edges_the_lightest_stays(tmp_path):
    with pytest.warns(InputWarning, match=r"graph.txt: 1 duplicate edge: the lightest"):
        graph = read(tmp_path, "a b 2\nb a 1\n")
    assert set(graph.weights) == {1.0}


@pytest.mark.parametrize("name", ["a b", "#a", 'say "hi"', "a,b"])
def test_plain_text_refuses_names_it_cannot_hold(tmp_path, name):
    graph = Graph.from_edges(2, [0], [1], names=[name, "z"])
    with pytest.raises(InputError, match=r"has no place here; use .*json"):
        write_graph(graph, tmp_path / "graph.txt")
    assert list(tmp_path.iterdir()) == []
    write_graph(graph, tmp_path / "graph.csv")
    assert read_graph(tmp_path / "graph.csv") == graph


def test_a_list_too_long_for_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 1000)
    with pytest.raises(InputError, match=r"an edge list of 50 lines or so needs about"):
        read(tmp_path, "1 2\n" * 50)


@pytest.mark.parametrize("row", [b"1 2\n", b"a b\n"])
def test_a_zipped_list_too_long_for_memory_is_refused_while_it_is_read(tmp_path, monkeypatch, row):
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 600_000)
    monkeypatch.setattr("neuralexec.graphs.formats.edge_list.ROWS_AT_ONCE", 1000)
    zipped = gzip.compress(row * 50_000)
    assert len(zipped) < 1000
    with pytest.raises(InputError, match=r"an edge list of 6,000 lines or so needs about"):
        read(tmp_path, zipped)
