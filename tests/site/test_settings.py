"""What MkDocs says of its settings."""

from __future__ import annotations

from tests.checks.recipe import (
    CONFIG,
    written,
)
from verbatim.problems import report
from verbatim.site.settings import problems


def test_check_tells_what_mkdocs_would_say_of_its_settings(tmp_path):
    project = written(tmp_path / "book")
    assert problems(project) == []
    for more, message in (
        ("theme:\n  name: materiel\n", "mkdocs.yml:2: Config value 'theme': Unrecognised theme name: 'materiel'"),
        ("plugins:\n  - serch\n", 'The "serch" plugin is not installed'),
        ("site_nam: x\n", "mkdocs.yml:2: Config value 'site_nam': Unrecognised"),
    ):
        (project.root / "mkdocs.yml").write_text(CONFIG + more)
        assert message in report(problems(project))
