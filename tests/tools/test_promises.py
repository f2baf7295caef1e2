"""What SECURITY.md promises names the code that holds it, and the settings that it needs are in both languages."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_each_file_that_security_names_is_there():
    named = set(re.findall(r"`([\w./-]+/[\w.-]+\.py)`", (ROOT / ".github/SECURITY.md").read_text(encoding="utf-8")))
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_both_languages_name_what_keeps_a_fork_from_a_runner():
    for name in (".github/MAINTAINING.md", ".github/MAINTAINING.zh.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        asked = (
            "Require approval for all external contributors",
            "OWNER/NAME/.github/workflows/cuda.yml@refs/heads/main",
            "--ephemeral",
        )
        assert all(one in text for one in asked), name
    runners = [path for path in (ROOT / ".github/workflows").glob("*.yml") if "self-hosted" in path.read_text()]
    assert [path.name for path in runners] == ["cuda.yml"]
    assert "pull_request" not in re.sub(r"#.*", "", runners[0].read_text().partition("permissions:")[0])


def test_workflows_install_by_hash_and_our_own_names_from_a_folder():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        for command in re.findall(r"\bpip install .*", path.read_text(encoding="utf-8")):
            assert "--require-hashes" in command or "--no-index" in command, f"{path.name}: {command}"
