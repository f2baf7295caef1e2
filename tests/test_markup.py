"""Notes, tables and line breaks in a page's HTML."""

from __future__ import annotations

from verbatim.site.markup import finish, notes, unspaced

CODE = '<div class="highlight"><pre><span></span><code>x <span class="c1"># (1)!</span>\ny <span class="c1"># (2)!</span>\n</code></pre></div>'


def test_a_mark_becomes_a_link_to_its_note():
    html = notes(CODE + "\n<ol>\n<li>one</li>\n<li>two<ol><li>inner</li></ol></li>\n</ol>\n<p>on</p>", "注")
    assert '<a class="note" href="#note-1" data-number="1" aria-label="注 1"></a>' in html
    assert '<a class="note" href="#note-2" data-number="2" aria-label="注 2"></a>' in html
    assert '<li id="note-1">one</li>' in html
    assert '<li id="note-2">two<ol><li>inner</li></ol></li>' in html
    assert html.endswith("</ol>\n<p>on</p>")
    assert "# (" not in html


def test_notes_are_numbered_through_the_page():
    block = CODE + "<ol><li>one</li><li>two</li></ol>"
    html = notes(block + block, "Note")
    assert [f'id="note-{n}"' in html for n in range(1, 6)] == [True] * 4 + [False]
    assert html.count('data-number="1"') == 2


def test_code_in_a_folded_box_has_notes_too():
    html = notes(f"<details><summary>s</summary>{CODE}\n</details>\n<ol><li>one</li><li>two</li></ol>", "Note")
    assert html.count('class="note"') == 2


def test_without_a_list_below_nothing_changes():
    assert notes(CODE + "<p>x</p><ol><li>one</li></ol>", "Note") == CODE + "<p>x</p><ol><li>one</li></ol>"
    plain = '<div class="highlight"><pre><code>x</code></pre></div><ol><li>one</li></ol>'
    assert notes(plain, "Note") == plain


def test_tables_scroll_in_boxes():
    assert finish("<table><tr><td>1</td></tr></table>", "注") == (
        '<div class="table"><table><tr><td>1</td></tr></table></div>'
    )


def test_no_space_between_lines_of_chinese():
    assert unspaced("<p>一行。\n又一行\nword\n字</p>") == "<p>一行。又一行\nword\n字</p>"
    assert unspaced("<pre>一\n二</pre>一\n二") == "<pre>一\n二</pre>一二"
