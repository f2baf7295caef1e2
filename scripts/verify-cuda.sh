#!/usr/bin/env bash
# Ask GitHub whether each record below outputs/cuda is, byte for byte, one that the CUDA workflow signed. No build can run
# them again, and their own hash is computed anew by whoever forges one. Needs `gh` 2.49 or newer, and the network.
# Records of a GPU that no workflow reaches have no signature: a reviewer takes them at the word of who made them, and
# outputs/cuda/unsigned.sha256 names them by their SHA-256. --unsigned writes it anew: all records that changed since the last
# commit, and of those that it named the ones that are still the same.
# usage: scripts/verify-cuda.sh [--unsigned]      GH_REPO=owner/name scripts/verify-cuda.sh
set -euo pipefail
cd "$(dirname "$0")/.."
list=outputs/cuda/unsigned.sha256

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

listed() {
  [ -f "$list" ] && sha256 "$1" | grep -qxFf - "$list"
}

records=()
while IFS= read -r record; do # bash 3.2, that of macOS, has no mapfile
  records+=("$record")
done < <(find outputs/cuda -name '*.ipynb' 2>/dev/null | sort)
if [ ${#records[@]} -eq 0 ]; then
  echo "there are no CUDA records"
  exit 0
fi

if [ "${1:-}" = --unsigned ]; then
  named=()
  for record in "${records[@]}"; do
    if listed "$record" || [ -n "$(git status --porcelain -- "$record")" ]; then
      named+=("$(sha256 "$record")")
    fi
  done
  if [ ${#named[@]} -gt 0 ]; then printf '%s\n' "${named[@]}" >"$list"; else rm -f "$list"; fi
  echo "$list names ${#named[@]} of ${#records[@]} records; read the diff of each before you commit them"
  exit 0
fi

unsigned=0 failed=0
for record in "${records[@]}"; do
  if listed "$record"; then
    unsigned=$((unsigned + 1))
    continue
  fi
  repository=${repository:-${GH_REPO:-$(gh repo view --json nameWithOwner --jq .nameWithOwner)}}
  if ! said=$(gh attestation verify "$record" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/cuda.yml" --source-ref refs/heads/main 2>&1); then
    echo "$record: the CUDA workflow of $repository did not sign this record" >&2
    echo "$said" | tail -n 2 | sed 's/^/  /' >&2
    failed=1
  fi
done
if [ "$failed" -ne 0 ]; then
  echo "  hint: where a GPU of your own printed it, and you read the diff: make unsigned-cuda" >&2
  exit 1
fi
echo "${#records[@]} CUDA records: $((${#records[@]} - unsigned)) signed, $unsigned named in $list"
