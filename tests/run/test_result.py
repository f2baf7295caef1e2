"""What is to be done about an error that no cell declares depends on the error."""

from __future__ import annotations

import pytest

HINTS = {
    "import torch\ntorch.ones(2).cuda()": 'write # %% only needs="cuda"',
    "import pandas_of_nobody": "take `pandas_of_nobody` out, or, if recipes need it, add it to requirements.txt",
    "input()": "take `input()` out",
    "raise SystemExit(0)": "take it out: a script ends with its last line",
    "open('README.md')": "take it out, or let the script write the file first",
    "open('/etc/verbatim', 'w')": "take it out: a script may write into its own folder alone",
    "import torch\ntorch.empty(1 << 40)": "use smaller tensors",
    "assert 1 == 2": "what the cell claims is not so: mend it",
    "import torch\ntorch.one(3)": 'a slip? mend it; if the page is about this error, declare it: # %% only raises="Attr',
    "import torch\ntorch.ones(2) + torch.ones(3)": 'if that is what the page shows, declare it: # %% only raises="Runtime',
}


@pytest.mark.parametrize(("code", "hint"), HINTS.items())
def test_the_hint_fits_the_error(run_script, code, hint):
    (problem,) = run_script(code).problems
    assert hint in problem.hint, problem
