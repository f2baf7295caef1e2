#!/usr/bin/env bash
# Ask GitHub whether each record below outputs/cuda is, byte for byte, one that the CUDA workflow signed. No build can run
# them again, and their own hash is computed anew by whoever forges one. Needs `gh` 2.49 or newer, and the network.
# usage: scripts/verify-cuda.sh      GH_REPO=owner/name scripts/verify-cuda.sh
set -euo pipefail
cd "$(dirname "$0")/.."

records=()
while IFS= read -r record; do # bash 3.2, that of macOS, has no mapfile
  records+=("$record")
done < <(find outputs/cuda -name '*.ipynb' 2>/dev/null | sort)
if [ ${#records[@]} -eq 0 ]; then
  echo "there are no CUDA records"
  exit 0
fi
repository=${GH_REPO:-$(gh repo view --json nameWithOwner --jq .nameWithOwner)}
failed=0
for record in "${records[@]}"; do
  if ! said=$(gh attestation verify "$record" --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/cuda.yml" --source-ref refs/heads/main 2>&1); then
    echo "$record: the CUDA workflow of $repository did not sign this record" >&2
    echo "$said" | tail -n 2 | sed 's/^/  /' >&2
    failed=1
  fi
done
[ "$failed" -eq 0 ] && echo "${#records[@]} CUDA records, all signed by $repository"
exit "$failed"
