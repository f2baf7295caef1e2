#!/usr/bin/env bash
# Go a way into the project that README names, in a checkout that nobody has worked in, until a page of it is served.
# usage: scripts/ways-in.sh make      make serve, then make test
#        scripts/ways-in.sh mkdocs    pip install -r requirements.txt, then mkdocs build and mkdocs serve
# PYTHON=… says which Python, TORCH_INDEX=… where torch is, PORT=… where to serve.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
port=${PORT:-8000}

# Wait until what is served by the last command in the background answers; it fails where that ends before.
answers() {
  until "$python" -c "import urllib.request as r; r.urlopen('http://127.0.0.1:$port/', timeout=60)" 2>/dev/null; do
    kill -0 $! 2>/dev/null || { echo "it ended before it served a page" >&2; exit 1; }
    sleep 1
  done
  echo "a page is served"
  kill $!
  wait $! || true
}

case ${1:-} in
  make)
    make serve PYTHON="$python" PORT="$port" &
    answers
    make test PYTHON="$python"
    ;;
  mkdocs)
    "$python" -m venv .venv
    . .venv/bin/activate
    pip install --quiet --requirement requirements.txt ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"}
    mkdocs build --strict
    mkdocs serve --dev-addr "127.0.0.1:$port" &
    answers
    ;;
  *)
    sed -n 3,4p "$0" >&2
    exit 1
    ;;
esac
