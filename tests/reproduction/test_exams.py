"""Test graphs: the paper's, the same for all, and never those of a training."""

from neuralexec.graphs.splits import checksum, paper_splits
from neuralexec.reproduction.exams import LARGE, MANY_GRAPHS, PAPER_EXAMS, Exam
from neuralexec.training.config import Config
from neuralexec.training.data import training_problems, validation_problems


def test_the_papers_exams_are_its_test_splits():
    assert [exam.num_nodes for exam in PAPER_EXAMS] == [20, 50, 100]
    for exam in PAPER_EXAMS[:2]:
        split = paper_splits()[f"test-{exam.num_nodes}"]
        assert checksum(exam.draw()) == checksum(split.draw())
        assert len(exam.draw()) == 7 * 5


def test_more_graphs_begin_with_the_papers():
    few, many = Exam(20).draw(), MANY_GRAPHS[0].draw()
    assert len(many) == 10 * len(few)
    of_family = [problem for problem in many if problem.family == "tree"]
    assert checksum(of_family[:5]) == checksum(one for one in few if one.family == "tree")


def test_no_network_has_seen_them():
    config = Config(num_train=5)
    seen = {checksum([one]) for one in (*training_problems(config), *validation_problems(config))}
    assert not seen & {checksum([problem]) for problem in Exam(20).draw()}


def test_each_has_a_name_of_its_own_and_stands_above_the_column_of_its_size():
    exams = (*PAPER_EXAMS, *MANY_GRAPHS, *LARGE)
    assert len({exam.name for exam in exams}) == len(exams)
    assert Exam(100).column == Exam(100, 50).column == "100 nodes"
