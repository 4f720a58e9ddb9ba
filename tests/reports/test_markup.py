"""Elements, and what is escaped in them."""

from neuralexec.reports.markup import Markup, element, join, simple_table


def test_text_is_escaped_once():
    inner = element("b", "<&>")
    assert inner == "<b>&lt;&amp;&gt;</b>"
    assert element("p", inner, "<") == "<p><b>&lt;&amp;&gt;</b>&lt;</p>"
    assert isinstance(join("a", inner), Markup)


def test_attributes_are_escaped():
    assert element("a", title="\"<x>&'", rowspan=2) == (
        '<a title="&quot;&lt;x&gt;&amp;&#x27;" rowspan="2"></a>'
    )
    assert element("a", class_=None, aria_label="b") == '<a aria-label="b"></a>'


def test_a_table():
    text = simple_table(["a", "<"], [["1", "&"]], "some")
    assert text == (
        '<div class="wide"><table class="some">'
        '<thead><tr><th scope="col">a</th><th scope="col">&lt;</th></tr></thead>'
        '<tbody><tr><th scope="row">1</th><td>&amp;</td></tr></tbody></table></div>'
    )
