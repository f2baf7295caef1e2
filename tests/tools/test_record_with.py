"""Recording what needs other packages than the project's: what is installed, and in which order."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tests.releases.test_make_versions import SCRIPTS


@pytest.fixture
def script(monkeypatch):
    """The script, where an environment is a list of what was asked of it."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    module = pytest.importorskip("record_with")
    asked = []

    @contextmanager
    def environment(name, *, ordinary):
        assert ordinary
        install = lambda *requirements: asked.append(requirements)  # noqa: E731
        yield SimpleNamespace(install=install, run=lambda *arguments: asked.append(arguments) or 0)

    monkeypatch.setattr(module.scratch, "environment", environment)
    return SimpleNamespace(main=module.main, asked=asked)


def test_packages_are_installed_together_with_the_projects_pins(script):
    assert script.main(["torchvision==0.28.0"], ["data/transforms"]) == 0
    (installed, ran) = script.asked
    assert installed[-1] == "torchvision==0.28.0" and any(one.startswith("torch==") for one in installed)
    assert ran == ("-m", "verbatim", "record", "--new-environment", "data/transforms")


def test_what_does_not_fit_is_installed_afterwards_as_it_is(script):
    assert script.main(["pip"], ["setup/packages-that-fit"], ["torchvision==0.21.0"]) == 0
    (fitting, unfit, _) = script.asked
    assert "torchvision==0.21.0" not in fitting and unfit == ("--no-deps", "torchvision==0.21.0")
