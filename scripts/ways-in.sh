#!/usr/bin/env bash
# Go a way into the project that README names, in a checkout that nobody has worked in, until a page of it is served.
# usage: scripts/ways-in.sh make      make serve, then make test
#        scripts/ways-in.sh mkdocs    pip install -r requirements.txt, then mkdocs build and mkdocs serve
# PYTHON=… says which Python, TORCH_INDEX=… where torch is. The server takes a port that is free, and says which.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
log=$(mktemp)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -f "$log"' EXIT

# Wait until a page is served by the command that runs in the background and whose output goes to the log.
answers() {
  local address=
  until [ -n "$address" ] && "$python" -c "import urllib.request as r; r.urlopen('$address', timeout=900)" 2>/dev/null; do
    kill -0 $! 2>/dev/null || { cat "$log" >&2; echo "it ended before it served a page" >&2; exit 1; }
    sleep 1
    address=$(grep -o 'http://[a-z0-9.]*:[0-9]*/' "$log" | head -n 1) || true
  done
  cat "$log"
  echo "a page is served at $address"
  kill $!
  wait $! || true
}

case ${1:-} in
  make)
    make serve PYTHON="$python" PORT=0 > "$log" 2>&1 &
    answers
    make test PYTHON="$python"
    ;;
  mkdocs)
    "$python" -m venv .venv
    . .venv/bin/activate
    pip install --quiet --requirement requirements.txt ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"}
    mkdocs build --strict
    mkdocs serve --dev-addr 127.0.0.1:0 > "$log" 2>&1 &
    answers
    ;;
  *)
    sed -n 3,4p "$0" >&2
    exit 1
    ;;
esac
