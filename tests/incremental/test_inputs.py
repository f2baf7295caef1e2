"""Fingerprints of inputs and sites, where files come and go meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from verbatim.incremental import inputs as module
from verbatim.incremental import records
from verbatim.incremental.inputs import Inputs, inputs, site_state
from verbatim.incremental.records import SiteRecord
from verbatim.memo import Memo


def test_an_editors_copy_that_is_gone_before_it_is_read_is_no_input(project, write, monkeypatch):
    def asked() -> Inputs:
        return inputs(project, project.root / "site", (), "")

    def listed(*arguments) -> Iterator[str]:
        copy = write("docs/zh/a.md~", "# A\n")
        for path in [*files(*arguments)]:
            copy.unlink(missing_ok=True)
            yield path

    write("docs/zh/a.md", "# A\n")
    before, files = asked(), module._files
    monkeypatch.setattr(module, "_files", listed)
    assert asked() == before


def test_a_file_of_the_site_that_is_gone_is_another_state(tmp_path):
    (tmp_path / "index.html").write_text("text")
    whole = site_state(tmp_path)
    (tmp_path / "gone.html").symlink_to("nowhere")  # as where it was removed after it was listed
    assert site_state(tmp_path) != whole


def test_a_record_belongs_to_the_site_it_was_made_of_wherever_that_is_put_and_to_no_other(tmp_path):
    made, site, memo = tmp_path / "made", tmp_path / "site", Memo(tmp_path / "cache")
    made.mkdir()
    (made / "index.html").write_text("mine")
    state, record = site_state(made), SiteRecord(Inputs("", ""), "", {})
    made.rename(site)
    records.save(memo, site, state, record)
    assert records.load(memo, site) == record
    shutil.rmtree(site)
    site.mkdir()
    (site / "index.html").write_text("of another build")
    records.save(memo, site, state, record)  # this build is told late that its own was there
    assert records.load(memo, site) is None
