#!/usr/bin/env bash
# Open or update one pull request with what is new below outputs/cuda, and nothing else. Needs `gh` and GH_TOKEN.
set -euo pipefail
cd "$(dirname "$0")/.."
branch=cuda-records

git add --all outputs/cuda
if git diff --cached --quiet; then
  echo "nothing new below outputs/cuda"
  exit 0
fi
if git status --porcelain | grep -v '^[AMDR]  outputs/cuda/' | grep -q .; then
  echo "something besides outputs/cuda changed:" >&2
  git status --porcelain | grep -v '^[AMDR]  outputs/cuda/' >&2
  exit 1
fi
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --force-create "$branch"
git commit --quiet --message "Record the CUDA outputs"
# The token is given to this one command and stays out of the checkout's configuration.
git -c "http.extraheader=AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GH_TOKEN" | base64 -w0)" \
  push --force origin "$branch"
if [ -z "$(gh pr list --head "$branch" --state open --json number --jq '.[].number')" ]; then
  gh pr create --head "$branch" --base main --title "Record the CUDA outputs" \
    --body "Written by the CUDA job. Each record says which GPU, torch and driver printed it. Read the diff of every output."
fi
