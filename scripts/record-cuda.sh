#!/usr/bin/env bash
# Record the CUDA outputs with one command, on a machine that has a GPU, this checkout, and a Python ≥ 3.11 with
# torch ≥ 2.6, NumPy and Matplotlib. Nothing is installed and no network is used. Old records stay where a run fails.
# Records are written after every sixteen recipes, so a run that is cut short keeps most of what it did.
# usage: scripts/record-cuda.sh [RECIPE…]      PYTHON=python3.12 scripts/record-cuda.sh
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

if ! command -v "$python" >/dev/null; then
  echo "$python is missing" >&2
  echo "  hint: say which Python has torch: PYTHON=python3.12 scripts/record-cuda.sh" >&2
  exit 1
fi
"$python" - <<'PY'
import importlib.util, sys
if sys.version_info < (3, 11):
    sys.exit(f"Python {sys.version.split()[0]} is older than 3.11\n  hint: PYTHON=python3.12 scripts/record-cuda.sh")
missing = [name for name in ("torch", "numpy", "matplotlib") if importlib.util.find_spec(name) is None]
if missing:
    sys.exit(f"{sys.executable} has no {', '.join(missing)}\n  hint: say which Python has: PYTHON=… scripts/record-cuda.sh")
import torch
from pathlib import Path
import re
pinned = re.search(r"^torch==([^ ]+)", Path("requirements.txt").read_text(), re.M)[1]
if torch.__version__.split("+")[0] != pinned:
    print(f"note: here is torch {torch.__version__}, the book's is {pinned}; each record says what printed it", file=sys.stderr)
if tuple(map(int, torch.__version__.split("+")[0].split(".")[:2])) < (2, 6):
    sys.exit(f"torch {torch.__version__} is older than 2.6")
PY
recipes=$("$python" -m scripts.plan_cuda "$@")
# xargs goes on where a batch fails, and tells at the end
[ -z "$recipes" ] || xargs -n 16 "$python" -m verbatim record --device cuda <<<"$recipes" || exit 1
