#!/usr/bin/env bash
# Open or update one pull request with what is new below a folder of records, and nothing else. Needs `gh` and GH_TOKEN.
#   scripts/propose.sh outputs/cuda
#   scripts/propose.sh outputs/versions
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-}
case "$folder" in
  outputs/cuda)
    branch=cuda-records title="Record the CUDA outputs"
    body="Written by the CUDA job. Each record says which GPU, torch and driver printed it. Read the diff of every output." ;;
  outputs/versions)
    branch=release-records title="Record what other releases print"
    body="Written by the workflow \`releases\`. Each manifest says which torch and Python ran it, and when. Read the diff of every output." ;;
  *) echo "scripts/propose.sh outputs/cuda, or outputs/versions" >&2; exit 1 ;;
esac

git add --all "$folder"
if git diff --cached --quiet; then
  echo "nothing new below $folder"
  exit 0
fi
if git status --porcelain | grep -v "^[AMDR]  $folder/" | grep -q .; then
  echo "something besides $folder changed:" >&2
  git status --porcelain | grep -v "^[AMDR]  $folder/" >&2
  exit 1
fi
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --force-create "$branch"
git commit --quiet --message "$title"
# The token is given to this one command and stays out of the checkout's configuration.
git -c "http.extraheader=AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GH_TOKEN" | base64 -w0)" \
  push --force origin "$branch"
if [ -z "$(gh pr list --head "$branch" --state open --json number --jq '.[].number')" ]; then
  gh pr create --head "$branch" --base main --title "$title" --body "$body"
fi
