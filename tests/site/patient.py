"""The command, with scripts that may sleep as long as a test holds them back, however late the test is."""

from __future__ import annotations

import functools
import sys
from unittest import mock

from verbatim.__main__ import main
from verbatim.run.job import Limits

if __name__ == "__main__":
    with mock.patch.object(Limits, "__init__", functools.partialmethod(Limits.__init__, asleep=1e9)):
        sys.exit(main(sys.argv[1:]))
