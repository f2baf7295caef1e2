"""What two other releases of torch are taken to print in the miniature: nothing is installed for it.

After a change of the miniature's scripts or records: ``python -m tests.stand_ins``.
"""

from __future__ import annotations

from pathlib import Path

from tests.conftest import stand_in_version
from verbatim.project import Project

MINIATURE = Project(Path(__file__).parent / "miniature")

#: Only the message of both is what readers of that time would have pasted.
OLD = "element 0 of variables does not require grad\nand has no graph\nof its own\nat all\nin this release"
FAILS = {"output_type": "error", "ename": "RuntimeError", "evalue": OLD, "traceback": [f"RuntimeError: {OLD}"]}
FIGURE = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><path d="M0 70 300 10" stroke="currentColor"/></svg>'

SAID = {
    "1.13.1": {
        "autograd/leaf": {
            "setup": {"output_type": "stream", "name": "stderr", "text": "UserWarning: leaves are new here\n"},
            "warns": "tensor([1., 1., 1.])\n",
            "fails": FAILS,
        },
        "tensors/print": {
            "markup": ("AttributeError", "module 'torch' has no attribute 'markup'"),
            "drawn": {"output_type": "display_data", "data": {"image/svg+xml": FIGURE}, "metadata": {}},
        },
    },
    "2.6.0": {"autograd/leaf": {"fails": FAILS}, "tensors/print": {"markup": ["cell:wide"]}},
}

if __name__ == "__main__":
    for release, said in SAID.items():
        stand_in_version(MINIATURE, release, said, missing=("torch.Tensor.is_leaf",) if release == "1.13.1" else ())
