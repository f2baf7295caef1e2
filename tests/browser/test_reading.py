"""How a page reads, on a screen and on paper; what it says of itself to those who look for it from outside."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.miniature import MINIATURE, ROOT, each_language, timers
from verbatim import git
from verbatim.checks.lengths import MOST_COLUMNS
from verbatim.site.html import markup

# -- Lists ----------------------------------------------------------------------------------------

LIST = """
<article><p class="filter" data-label="Filter" data-none="Nothing."><b>3</b> messages</p>
<h2>KeyError</h2><ul><li>no key <a href="#a">where</a></li></ul>
<h2>ValueError</h2><ul><li>bad Value</li><li>no value</li></ul></article>
"""
BRIEF = """
<nav><ul><li id="to-one"><a href="#in-one">One</a></li></ul></nav>
<article class="md-typeset"><p class="filter of-errors brief" data-label="Filter" data-none="Nothing."><b>6</b> messages</p>
<h2 id="in-one">One <span class="count">1</span></h2><ul><li><a href="#a">KeyError: 1</a></li></ul>
<h2>Two <span class="count">1</span></h2><ul><li><a href="#b">KeyError: 2</a></li></ul>
<h2>Three <span class="count">4</span></h2><ul><li><a href="#c">RuntimeError: no sizes (2x3)</a> · also with <code>mm:</code>,
<code>addmm:</code> · <b>3</b> messages · in 5 places</li><li><a href="#d">RuntimeError: no …</a></li></ul></article>
"""


def run_scripts(page, name: str) -> None:
    """Run a script of the site on a page as it stands, behind the one that all pages run."""
    for script in ("page.js", name):
        page.add_script_tag(path=ROOT / "docs/assets" / script)


def test_a_list_is_filtered_without_a_request(visit):
    seen = visit("about:blank")
    page = seen.page
    page.set_content(LIST)
    run_scripts(page, "lists.js")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    field, count = page.get_by_label("Filter"), page.locator(".filter b")

    def shown() -> list[str]:
        return [e.inner_text() for e in page.locator("h2:visible, li:visible").all()]

    field.fill(" value NO ")
    assert (shown(), count.inner_text()) == (["ValueError", "no value"], "1 / 3")
    field.fill("nowhere")
    assert shown() == [] and page.get_by_text("Nothing.").is_visible()
    field.fill("")
    assert (len(shown()), count.inner_text()) == (5, "3")
    assert not page.get_by_text("Nothing.").is_visible()
    assert seen.requests == []


def test_the_counts_of_groups_follow_the_filter_and_hidden_ones_leave_no_room(visit):
    page = visit("about:blank").page
    page.set_content(BRIEF)
    run_scripts(page, "lists.js")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    field, count = page.get_by_label("Filter"), page.locator(".filter b")
    groups = "all => all.filter(e => e.checkVisibility()).map(e => e.textContent)"
    between = "document.querySelector('h2:not([hidden])').offsetTop - document.querySelector('.filter').offsetTop"
    above = page.evaluate(between)
    field.fill("addmm")
    assert page.locator("h2").evaluate_all(groups) == ["Three 3"] and count.inner_text() == "3 / 6"
    assert page.evaluate(between) == above and not page.locator("#to-one").is_visible()
    field.fill("keyerror")
    assert page.locator("#to-one").is_visible()
    assert page.locator("h2").evaluate_all(groups) == ["One 1", "Two 1"] and count.inner_text() == "2 / 6"
    field.fill("")
    assert page.locator("h2").evaluate_all(groups) == ["One 1", "Two 1", "Three 4"] and count.inner_text() == "6"


def test_a_line_is_found_by_each_message_that_it_stands_for(visit):
    page = visit("about:blank").page
    page.set_content(BRIEF)
    page.evaluate(
        """() => {
          const message = (text) => text.trim();
          const recognise = async (text) => [{ text }];
          self.verbatimSearch = { load: async () => {}, start: async () => {}, telling: () => true, message, recognise };
        }"""
    )
    run_scripts(page, "lists.js")
    for text in ("RuntimeError: addmm: no sizes (4x5)", "RuntimeError: no sizes (4x5)"):
        page.get_by_label("Filter").fill(text)
        expect(page.locator("li:visible a").first).to_have_attribute("href", "#c")
        expect(page.locator(".filter b")).to_have_text("4 / 6" if "addmm" not in text else "3 / 6")


#: The text of each line of an element.
LINES = """element => {
  const found = new Map();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); )
    for (let i = 0; i < node.length; i++) {
      const range = new Range();
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const { top } = range.getBoundingClientRect();
      found.set(top, (found.get(top) ?? "") + node.data[i]);
    }
  return [...found.values()];
}"""


@pytest.mark.parametrize("width", [390, 768, 1280])
@each_language
def test_lines_end_within_long_names_behind_a_dot_or_an_underscore(visit, prefix, width):
    name = "torch.distributed.checkpoint.state_dict.set_model_state_dict"
    contents = f'<nav class="md-nav--secondary"><span class="md-ellipsis">{name}</span></nav>'
    table = f"<div class='table'><table><tr>{f'<td><code>{name}</code></td>' * 3}</tr></table></div>"
    article = f"<article class='md-typeset'><h2>{name}</h2><ul><li><code>{name}</code></li></ul>{table}</article>"
    page = visit("about:blank").page
    page.set_viewport_size({"width": width, "height": 800})
    html = f'<html lang="{"en" if prefix else "zh"}"><body><div style="width: 12rem">{contents}</div>{article}'
    page.set_content(markup.breakable(html))
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    shown = page.locator(".md-ellipsis, h2, code")
    assert shown.all_text_contents() == [name] * 6, "nothing is added to what is copied"
    for lines in [element.evaluate(LINES) for element in shown.all()]:
        assert "".join(lines) == name and all(line[-1] in "._" for line in lines[:-1]), lines
    assert len(shown.first.evaluate(LINES)) > 1


def test_on_a_phone_numbers_stay_whole_and_pictures_stay_readable(visit):
    page = visit("about:blank").page
    page.set_viewport_size({"width": 390, "height": 800})
    cells = "".join(f'<td align="{side}">6.90–7.14</td>' for side in ("left", "right"))
    table = f'<div class="table"><table><tr>{cells}<td>{"word " * 40}</td></tr></table></div>'
    picture = '<p id="picture"><img alt="" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 9 5%22/>"></p>'
    page.set_content(f'<html lang="en"><body><article class="md-typeset">{table}{picture}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    page.add_script_tag(path=ROOT / "docs/assets/page.js")
    assert page.locator("td[align=right]").evaluate("e => getComputedStyle(e).whiteSpace") == "nowrap"
    assert page.locator("#picture").evaluate("e => e.scrollWidth > e.clientWidth && e.tabIndex === 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def steps(text: str) -> str:
    said = " ".join(f"· {step.split()[0]}" for step in text.split(";"))
    return f'<span data-steps="{text}">{said}</span>'


WORDS = {"from": "From", "to": "to", "all": "any", "none": "Nothing.", "kinds": {"changed": "other", "new": "runs"}}
CHANGES = f"""
<nav><ul><li id="to-one"><a href="#in-one">One</a></li></ul></nav>
<article class="md-typeset"><p class="between" data-torch="1.0 2.0 3.0" data-words='{json.dumps(WORDS)}' data-eased='["new"]'>
<b>3</b> places</p>
<h3 id="in-one">One</h3><ul><li><a href="#a">there and back</a> {steps("2.0 0 1 changed;3.0 1 0 changed")}</li></ul>
<h3>Two</h3><ul><li><a href="#b">now</a> {steps("3.0 0 1 changed")}</li>
<li><a href="#c">eased</a> {steps("2.0 0 1 new")}</li></ul>
<h2>torch 3.0</h2><ul><li>stays</li></ul></article>
"""


@pytest.mark.parametrize("touched", [True, False], ids=["touch", "mouse"])
def test_on_a_narrow_screen_the_buttons_of_code_come_when_they_are_asked_for_and_cover_none(visit, address, touched):
    options = {"has_touch": True, "is_mobile": True} if touched else {}
    page = visit(address + "autograd/leaf/", width="phone", **options).page
    block = page.locator("article pre:has(.md-code__nav)").first
    buttons = block.locator(".md-code__nav")
    expect(buttons).to_have_css("opacity", "0")
    block.tap() if touched else block.hover()
    expect(buttons).to_have_css("opacity", "1")
    expect(buttons).to_have_css("pointer-events", "auto")
    bar, code = buttons.bounding_box(), block.locator("code").bounding_box()
    assert bar["y"] + bar["height"] <= code["y"] + 1
    wide = visit(address + "autograd/leaf/").page
    expect(wide.locator("article pre > .md-code__nav").first).to_have_css("opacity", "1")


def test_code_that_scrolls_is_reached_with_the_keyboard_of_a_touched_screen_too(visit, address):
    page = visit(address + "autograd/leaf/", width="phone", has_touch=True, is_mobile=True).page
    scrolling = page.locator("article .highlight pre > code").filter(visible=True)
    wide = [code for code in scrolling.all() if code.evaluate("e => e.scrollWidth > e.clientWidth")]
    assert wide and all(code.get_attribute("tabindex") == "0" for code in wide)
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_key_in_the_search_field_has_four_edges(visit, address, scheme):
    page = visit(address, scheme=scheme).page
    key = page.locator(".ask kbd").evaluate(
        """key => { const { style, ...sides } = getComputedStyle(key);
          return ["Top", "Right", "Bottom", "Left"].map(side =>
            [getComputedStyle(key)[`border${side}Width`], getComputedStyle(key)[`border${side}Color`]]); }"""
    )
    ground = page.locator(".ask").evaluate("field => getComputedStyle(field).backgroundColor")
    assert len(set(map(tuple, key))) == 1 and key[0][0] == "1px" and key[0][1] != ground


def test_the_list_of_pages_begins_with_a_whole_row_and_shows_the_page_that_is_open(visit, address):
    page = visit(address + "autograd/leaf/").page
    edges = page.evaluate(
        """() => new Promise(resolve => {
          const box = document.querySelector(".md-sidebar--primary .md-sidebar__scrollwrap");
          const row = document.querySelector(".md-nav--primary a.md-nav__link--active").closest("li");
          const rows = Array.from({ length: 60 }, () => row.cloneNode(true));
          rows.forEach(one => one.querySelectorAll(".md-nav__link--active").forEach(link => link.classList.remove("md-nav__link--active")));
          row.before(...rows.slice(30));
          row.after(...rows.slice(0, 30));
          box.scrollTop = row.offsetTop - box.clientHeight / 2 - 7;
          requestAnimationFrame(() => requestAnimationFrame(() => {
            const { top, bottom } = box.getBoundingClientRect();
            const tops = [...box.querySelectorAll(".md-nav__link")].map(link => link.getBoundingClientRect().top);
            const own = row.getBoundingClientRect();
            resolve([Math.min(...tops.map(one => Math.abs(one - top))), own.top >= top && own.bottom <= bottom]);
          }));
        })"""
    )
    assert edges[0] < 1.5 and edges[1]


def test_a_list_of_pages_that_fits_is_not_scrolled(visit, address):
    page = visit(address + "autograd/leaf/").page
    page.set_viewport_size({"width": 1024, "height": 900})
    page.reload()
    box = page.locator(".md-sidebar--primary .md-sidebar__scrollwrap")
    assert box.locator("a.md-nav__link--active").is_visible() and box.evaluate("e => e.scrollTop") == 0


def test_the_chooser_of_a_release_can_be_hit_on_a_phone(visit, address):
    box = visit(address + "autograd/leaf/", width="phone").page.locator(".torch select").bounding_box()
    assert box["height"] >= 24 and box["width"] >= 24


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_shade_behind_which_code_goes_on_is_a_tone_of_its_box(visit, address, scheme):
    page = visit(address + "autograd/leaf/", width="phone", scheme=scheme).page
    shade, ground = page.locator("article .highlight pre > code").first.evaluate(
        """code => { const probe = document.createElement("i");
          code.append(probe);
          const { style } = probe;
          return ["var(--edge)", "var(--cover)"].map(colour => {
            style.color = colour;
            return getComputedStyle(probe).color.match(/[\\d.]+/g).slice(-3).map(Number);
          }); }"""
    )
    scale = 1 if max(shade) > 1 else 255
    parts = [one * scale / other for one, other in zip(shade, ground, strict=True)]
    assert max(parts) - min(parts) < 0.1 and max(parts) < 1


def test_what_changed_between_two_releases_is_listed_by_chapter(visit):
    page = visit("about:blank").page
    page.set_content(CHANGES)
    run_scripts(page, "changes/steps.js")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    older, newer, count = page.get_by_label("From"), page.get_by_label("to"), page.locator(".between b")

    def shown() -> list[str]:
        return [e.inner_text().strip() for e in page.locator("h3:visible, article li:visible").all()]

    everything = shown()
    assert len(everything) == 6 and count.inner_text() == "3"
    older.select_option("1.0")
    assert (shown(), count.inner_text()) == (["Two", "now · 3.0 other", "stays"], "1 / 3")
    lists = "all => all.map(e => e.checkVisibility())"
    assert page.locator("article ul").evaluate_all(lists) == [False, True, True]  # an empty one would take room
    assert not page.locator("#to-one").is_visible()
    newer.select_option("2.0")
    assert (shown(), count.inner_text()) == (["One", "there and back · 2.0 other", "stays"], "1 / 3")
    older.select_option("")
    newer.select_option("")
    assert (shown(), count.inner_text()) == (everything, "3")
    older.select_option("2.0")
    assert newer.locator("option:disabled").all_inner_texts() == ["1.0", "2.0"]
    older.select_option("3.0")
    assert shown() == ["stays"] and page.get_by_text("Nothing.").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_a_list_gets_its_filter(visit, width):
    page = visit("about:blank").page
    page.set_viewport_size({"width": width, "height": 800})
    page.set_content(f'<html lang="en"><body class="md-typeset">{LIST}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    places = """() => [...document.querySelectorAll('.filter b, h2, li')].map(e => {
        const { x, y } = e.getBoundingClientRect();
        return [Math.round(x), Math.round(y / 3)];
    })"""
    before = page.evaluate(places)
    run_scripts(page, "lists.js")
    box = page.get_by_label("Filter").bounding_box()
    assert box["x"] + box["width"] > 360 if width == 390 else box["width"] > 200
    assert page.evaluate(places) == before


def test_a_title_beside_a_button_has_lines_of_one_length(visit):
    page = visit("about:blank").page
    page.set_viewport_size({"width": 440, "height": 800})
    button = '<a class="md-content__button" style="float: right; width: 40px; height: 30px"></a>'
    link = '<a class="headerlink" style="display: inline-block; margin-left: 10px">¶</a>'
    title = f"<h1>Loss curves that give away a mistake in the loop{link}</h1>"
    page.set_content(f'<html lang="en"><article class="md-typeset">{button}{title}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    widths = page.locator("h1").evaluate(
        """title => {
            const range = document.createRange();
            range.selectNodeContents(title.firstChild);
            return [...range.getClientRects()].map(line => line.width);
        }"""
    )
    assert len(widths) > 1 and min(widths) > max(widths) * 0.6


def test_the_notebook_view_folds_other_releases_as_the_page_does(visit):
    page = visit("about:blank").page
    fold = "<details{}><summary>In other versions</summary></details>"
    page.set_content(f'<div class="md-typeset">{fold.format(" class=versions")}<div class="notebook">{fold.format("")}')
    for name in ("site.css", "notebook.css"):
        page.add_style_tag(path=ROOT / "docs/assets" / name)
    looks = page.locator("summary").evaluate_all(
        """all => all.map(e => {
            const [own, icon] = [getComputedStyle(e), getComputedStyle(e, "::before")];
            return [own.color, own.backgroundColor, own.fontWeight, icon.backgroundColor, icon.maskImage];
        })"""
    )
    assert looks[0] == looks[1]


def test_long_names_are_whole_in_the_contents(visit):
    page = visit("about:blank").page
    name = '<span class="md-ellipsis" style="overflow: hidden">torch._dynamo.exc.BackendCompilerFailed 2</span>'
    page.set_content(f'<nav class="md-nav--secondary" style="display: flex; width: 180px">{name}</nav>')
    assert page.locator("span").evaluate("e => e.scrollWidth > e.clientWidth")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    assert page.locator("span").evaluate("e => e.scrollWidth <= e.clientWidth")


# -- Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["en/autograd/leaf/", "en/autograd/leaf/notebook/"])
def test_a_phone_has_the_contents_in_a_fold_and_a_wide_screen_beside_the_text(visit, address, path):
    wide = visit(address + path).page
    beside = wide.locator(".md-sidebar--secondary a").evaluate_all("links => links.map(a => a.hash)")
    assert beside and not wide.locator(".contents").is_visible()
    phone = visit(address + path, width="phone").page
    assert not phone.locator(".md-sidebar--secondary").is_visible()
    assert not phone.locator(".contents a").first.is_visible()
    phone.locator(".contents summary").click()
    assert phone.locator(".contents a").evaluate_all("links => links.map(a => a.hash)") == beside
    phone.locator(".contents a").last.click()
    phone.wait_for_function("hash => location.hash === hash", arg=beside[-1])


TOP = """() => {
  const y = (element) => element.getBoundingClientRect().y;
  const parts = [...document.querySelectorAll(".take > *")].filter((part) => part.offsetHeight);
  return [new Set(parts.map(y)).size, y(document.querySelector("article > p:not(:empty)"))];
}"""


@pytest.mark.parametrize(("width", "rows"), [(1440, 1), (1280, 1), (390, 2)])
@each_language
def test_one_line_stands_between_the_title_and_the_answer(visit, address, prefix, width, rows):
    page = visit(address + prefix + "autograd/leaf/").page
    page.set_viewport_size({"width": width, "height": 844})
    found, top = page.evaluate(TOP)
    assert found <= rows
    assert top <= 250 or width > 390
    first = page.locator(".take a").first
    assert "colab" in first.get_attribute("href") and first.is_visible()


def test_a_menu_opens_without_scripts_and_alone(visit, address):
    page = visit(address + "autograd/leaf/", width="phone", java_script_enabled=False).page
    more, contents = page.locator(".take summary").all()
    more.click()
    assert page.locator(".take a[download][href$='.ipynb']").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    contents.click()
    assert page.locator(".contents a").first.is_visible()
    assert not page.locator(".take a[download][href$='.ipynb']").is_visible()


def test_a_menu_closes_with_escape_and_with_a_click_beside_it(visit, address):
    page = visit(address + "autograd/leaf/", width="phone").page
    more, item = page.locator(".take summary").first, page.locator(".take a[download][href$='.ipynb']")
    more.click()
    item.focus()
    page.keyboard.press("Escape")
    assert not item.is_visible()
    assert more.evaluate("e => e === document.activeElement")
    more.click()
    page.locator("h1").click()
    assert not item.is_visible()


def test_the_contents_mark_the_last_section_at_the_end_of_the_page(visit, address):
    page = visit(address + "autograd/leaf/").page
    links = page.locator(".md-sidebar--secondary .md-nav__link[href^='#']")
    first, *_, last = links.evaluate_all("links => links.map(a => a.hash)")
    marked = """hash => [...document.querySelectorAll('.md-sidebar--secondary .md-nav__link--active')]
        .map(a => a.hash).join() === hash"""
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_function(marked, arg=last)
    page.locator(f".md-content [id='{first[1:]}']").evaluate("e => e.scrollIntoView()")
    page.wait_for_function(marked, arg=first)


def test_what_is_jumped_to_is_there_at_once(visit, address):
    page = visit(address + "autograd/leaf/").page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize(("prefix", "most"), [("", 45), ("en/", 85)], ids=["zh", "en"])
@pytest.mark.parametrize("wide", [768, 1440, 1920])
def test_lines_are_not_too_long_to_read(visit, address, prefix, most, wide):
    # Letters are counted, as readers see them: the browser has fonts for both languages, whatever the machine has.
    page = visit(address + prefix + "autograd/leaf/").page
    page.set_viewport_size({"width": wide, "height": 900})
    page.locator("article p").nth(1).evaluate(
        "(p, text) => { p.textContent = text; }",
        "字" * 200 if not prefix else "Every output was printed by PyTorch. " * 9,
    )
    longest = (
        page.locator("article p")
        .nth(1)
        .evaluate(
            """p => {
            const range = new Range(), tops = {};
            for (let i = 0; i < p.firstChild.length; i++) {
                range.setStart(p.firstChild, i);
                range.setEnd(p.firstChild, i + 1);
                const top = Math.round(range.getBoundingClientRect().top);
                tops[top] = (tops[top] ?? 0) + 1;
            }
            return Math.max(...Object.values(tops));
        }"""
        )
    )
    assert longest <= most


@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_a_page_shows_as_many_columns_of_code_as_a_line_may_have(visit, address, prefix):
    page = visit(address + prefix + "autograd/leaf/").page  # 1440 pixels wide
    code = page.locator("article .highlight code").first
    fits = "(code, columns) => { code.textContent = 'x'.repeat(columns); return code.scrollWidth <= code.clientWidth; }"
    assert code.evaluate(fits, MOST_COLUMNS)
    assert not code.evaluate(fits, 2 * MOST_COLUMNS)


def test_every_page_says_with_which_version_it_was_built(visit, address):
    built = json.loads((MINIATURE / "outputs/cpu/environment.json").read_text())["torch"].partition("+")[0]
    for path in ("autograd/leaf/", "en/autograd/leaf/notebook/"):
        assert visit(address + path).page.locator("h1 + .take .built").inner_text().strip() == f"PyTorch {built}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_calls_constants_and_keywords_differ_in_colour(visit, address, scheme):
    page = visit(address + "tensors/print/", scheme=scheme).page
    code = page.locator(".highlight:not(.verbatim) code").first
    kinds = ("nf", "kn", "nb")
    colours = {kind: code.locator(f".{kind}").first.evaluate("e => getComputedStyle(e).color") for kind in kinds}
    colours["code"] = code.evaluate("e => getComputedStyle(e).color")
    assert len(set(colours.values())) == 4, colours


def test_code_and_outputs_have_the_sites_own_fonts(visit, address):
    page = visit(address + "tensors/print/").page
    fonts = page.locator("code").evaluate_all("all => all.map(e => getComputedStyle(e).fontFamily)")
    assert fonts and all(font.startswith("ui-monospace") and "Noto Sans CJK SC" in font for font in fonts)


def test_another_tab_follows_the_colours(visit, address):
    page = visit(address + "autograd/leaf/").page
    other = page.context.new_page()
    other.goto(address + "en/")
    page.locator("label[for^=__palette]:visible").click()  # from the system's to light
    page.locator("label[for^=__palette]:visible").click()
    page.wait_for_function("() => document.body.dataset.mdColorScheme === 'slate'")
    other.wait_for_function("() => document.body.dataset.mdColorScheme === 'slate'")
    page.locator("label[for^=__palette]:visible").click()  # back to the system's
    other.wait_for_function("() => document.body.dataset.mdColorScheme === 'default'")


def test_an_erratum_carries_its_verdict(visit, address):
    page = visit(address + "autograd/leaf/").page
    box = page.locator(".erratum").first
    mark = box.locator(".admonition-title + p").evaluate("p => getComputedStyle(p, '::before').content")
    assert mark.startswith('"✓')
    other = page.locator(".md-content__inner > p").first
    assert "✓" not in other.evaluate("p => getComputedStyle(p, '::before').content")


# -- Found from outside ---------------------------------------------------------------------------


@each_language
def test_a_page_says_what_it_is(visit, address, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    meta = {
        e.get_attribute("property") or e.get_attribute("name"): e.get_attribute("content")
        for e in page.locator("meta[property], meta[name]").all()
    }
    title = "叶子张量：谁会有梯度" if not prefix else "Leaf tensors: who gets a gradient"
    assert page.title().startswith(title)
    assert meta["og:title"] == title
    assert meta["description"] == meta["og:description"]
    assert meta["og:url"] == f"https://example.org/{prefix}autograd/leaf/"
    twins = {
        e.get_attribute("hreflang"): e.get_attribute("href")
        for e in page.locator("link[rel~=alternate][hreflang]").all()
    }
    assert twins == {
        "zh": "https://example.org/autograd/leaf/",
        "en": "https://example.org/en/autograd/leaf/",
        "x-default": "https://example.org/autograd/leaf/",
    }
    assert page.locator("html").get_attribute("lang") == ("en" if prefix else "zh")
    built = json.loads((MINIATURE / "outputs/cpu/environment.json").read_text())["torch"].partition("+")[0]
    assert page.locator(".take .built").inner_text().strip() == f"PyTorch {built}"
    report = page.get_by_role("link", name="Report an error" if prefix else "报告本页的错误").get_attribute("href")
    assert parse_qs(urlsplit(report).query)["section"] == [meta["og:url"]]


@each_language
@pytest.mark.parametrize("name", ["", "autograd/leaf/"], ids=["home", "recipe"])
def test_a_page_has_a_card_and_data_for_crawlers(visit, address, site, prefix, name):
    page = visit(address + prefix + name).page

    def meta(key: str) -> str:
        return page.locator(f"meta[property='{key}'], meta[name='{key}']").get_attribute("content")

    card = meta("og:image")
    assert card.startswith("https://example.org/assets/cards/") and meta("twitter:card") == "summary_large_image"
    data = (site / card.removeprefix("https://example.org/")).read_bytes()
    assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) == int(meta("og:image:width"))
    about = json.loads(page.locator("script[type='application/ld+json']").text_content())["@graph"]
    assert about[0]["url"] == meta("og:url") and about[0]["description"] == meta("description")
    assert about[0]["@type"] == ("TechArticle" if name else "WebSite")
    if name:
        assert about[0]["headline"] == meta("og:title") and about[0]["image"] == card
        assert about[1]["itemListElement"][0]["item"] == f"https://example.org/{prefix}"


NEXT = "document.querySelectorAll('link[rel=prefetch]').length"


def test_the_page_that_is_pointed_at_is_fetched_ahead_once(visit, address):
    seen = visit(address + "autograd/leaf/")
    page, link = seen.page, seen.page.locator("article a[href*='tensors/print/']").first
    assert page.evaluate(NEXT) == 0
    goal = link.evaluate("e => e.href.split('#')[0]")
    link.hover()
    page.wait_for_function("goal => performance.getEntriesByName(goal).length", arg=goal)
    assert page.locator("link[rel=prefetch]").evaluate("e => e.href") == goal
    page.mouse.move(0, 0)
    link.hover()
    page.locator(".headerlink").first.dispatch_event("pointerover")
    page.locator("a[download]").first.hover()
    page.locator("a.api").first.dispatch_event("pointerover")
    timers(page)  # what was to be fetched after a moment is being fetched
    assert page.evaluate(NEXT) == 1
    assert seen.complaints == []


def test_the_chosen_result_of_the_search_is_fetched_ahead(visit, address):
    page = visit(address + "en/tensors/print/").page
    page.keyboard.press("/")
    page.keyboard.type("leaf")
    page.wait_for_function(f"() => {NEXT} > 0")
    assert "autograd/leaf/?h=leaf" in page.locator("link[rel=prefetch]").first.get_attribute("href")


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: 'slow-2g'}"])
def test_nothing_is_fetched_ahead_where_readers_save_data(visit, address, connection):
    page = visit("about:blank").page
    page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{value: {connection}}})")
    page.goto(address + "autograd/leaf/")
    page.locator("article a[href*='tensors/print/']").first.hover()
    timers(page)
    assert page.evaluate(NEXT) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_browser_takes_the_colour_and_the_icon_of_the_site(visit, address, site, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme).page
    ground = page.evaluate("getComputedStyle(document.querySelector('.md-header')).backgroundColor")
    page.wait_for_function(
        "ground => { const probe = document.createElement('i'); probe.style.color = "
        "document.querySelector('meta[name=theme-color]').content; return probe.style.color === ground; }",
        arg=ground,
    )
    own = "() => getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(own) == scheme
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")  # as the reader may choose, whatever the system says
    assert page.evaluate(own) == "dark"
    icon = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert (site / "assets/icon.png").read_bytes().startswith(b"\x89PNG")
    assert urljoin(address + "autograd/leaf/", icon) == address + "assets/icon.png"


def test_the_sitemap_lists_every_page_with_its_twin(site):
    pages = {p.parent.relative_to(site).as_posix() for p in site.rglob("index.html") if "notebook" not in p.parts}
    root = ElementTree.parse(site / "sitemap.xml").getroot()
    spaces = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    listed = {url.find("s:loc", spaces).text: url for url in root.findall("s:url", spaces)}
    assert set(listed) == {"https://example.org/" + ("" if p == "." else p + "/") for p in pages}
    twins = [link.get("href") for link in listed["https://example.org/en/autograd/leaf/"].findall("x:link", spaces)]
    assert sorted(twins) == ["https://example.org/autograd/leaf/", "https://example.org/en/autograd/leaf/"]
    assert (site / "robots.txt").read_text().endswith("Sitemap: https://example.org/sitemap.xml\n")


@each_language
def test_a_feed_a_language(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    link = page.locator("link[type='application/atom+xml']").evaluate("e => e.href")
    assert link == f"{address}{prefix}feed.xml"
    root = ElementTree.parse(site / prefix / "feed.xml").getroot()
    links = [e.get("href") for e in root.findall("{*}entry/{*}link")]
    known = git.changed(MINIATURE)
    names = [n for n in ("autograd/leaf", "tensors/print") if f"docs/{prefix or 'zh/'}{n}.md" in known]
    assert sorted(links) == [f"https://example.org/{prefix}{name}/" for name in names]


# -- Paper ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_and_has_the_text_alone(visit, address, scheme):
    page = visit(address + "tensors/print/", scheme=scheme).page
    page.emulate_media(media="print", color_scheme=scheme)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    hidden = (
        ".md-header",
        ".md-tabs",
        ".md-sidebar--primary",
        ".md-sidebar--secondary",
        ".md-footer",
        ".take",
        ".contents",
        ".drawing",
    )
    for selector in hidden:
        assert not page.locator(selector).is_visible(), selector
    # A page break may go through what was unfolded and through boxes: else most of a page would be left empty.
    for selector in (fold := "details.asks", f"{fold} .highlight", f"{fold} summary"):
        assert page.locator(selector).first.evaluate("e => getComputedStyle(e).display") == "block", selector
    said = page.locator(".address").inner_text()
    assert said.startswith("https://example.org/tensors/print/")
    assert page.locator(f"{fold} .highlight").first.is_visible()
    wide = page.locator(".verbatim code").first
    assert wide.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(fold).first.evaluate("e => e.open")
    assert page.pdf()[:5] == b"%PDF-"


def test_on_paper_code_stays_with_its_output_and_leaves_no_empty_box(visit, address):
    page = visit(address + "tensors/print/").page
    page.emulate_media(media="print")
    style = "(e, name) => getComputedStyle(e)[name]"
    hung = page.locator(".highlight:has(+ .verbatim)").first
    assert hung.evaluate(style, "breakAfter") == "avoid" and hung.evaluate(style, "breakInside") == "avoid"
    assert hung.locator("code").first.evaluate(style, "overflowX") == "visible"  # what scrolls is never broken
    tokens = "<span>x</span>" * 150
    hung.locator("code").evaluate("(e, tokens) => (e.innerHTML = tokens)", tokens)
    assert hung.evaluate(style, "breakInside") == "auto"


def test_paper_has_the_notes_of_code(visit, address):
    page = visit(address + "autograd/leaf/").page
    page.locator(".md-annotation__index").wait_for()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("ol.annotations").inner_text().startswith("梯度在叶子上")
    assert not page.locator(".md-code__nav").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("ol.annotations").is_visible()
