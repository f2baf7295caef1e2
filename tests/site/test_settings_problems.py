"""What MkDocs says of its settings."""

from __future__ import annotations

import pytest

from tests.checks.recipe import CONFIG, written
from tests.site.test_plugin import command
from verbatim.problems import report
from verbatim.site.settings_problems import problems


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f"site_name: a\nx: {'[' * 900}{']' * 900}\n",
            "mkdocs.yml:2: the file is not YAML: values are nested too deeply",
        ),
        ("INHERIT: nothing.yml\nsite_name: a\n", "nothing.yml"),
    ],
)
def test_no_command_begins_with_settings_that_cannot_be_read(project, text, told):
    (project.root / "mkdocs.yml").write_text(text)
    for name in ("build", "serve"):
        done = command(project, "verbatim", name)
        assert done.returncode == 1 and told in done.stdout + done.stderr, name
        assert "Traceback" not in done.stdout + done.stderr, name
