#!/usr/bin/env bash
# Open one issue with a drift report, or bring the open one up to date. Needs GitHub's `gh` and GH_TOKEN.
# usage: scripts/issue.sh FOLDER_WITH_REPORTS
set -euo pipefail

report=$(find "$1" -name 'drift-*.md' | sort | tail -n 1)
if [ -z "$report" ]; then
  echo "$1: no drift-*.md there" >&2
  echo "  hint: make upgrade writes it" >&2
  exit 1
fi
version=$(basename "$report" .md)
title="What ${version#drift-} would change"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
# An issue holds 65,536 characters; the whole report is the workflow's artifact.
head -c 60000 "$report" > "$body"

number=$(gh issue list --state open --label drift --limit 1 --json number --jq '.[0].number // empty')
if [ -n "$number" ]; then
  gh issue edit "$number" --title "$title" --body-file "$body"
else
  gh label create drift --description "Outputs under another version" --force
  gh issue create --title "$title" --label drift --body-file "$body"
fi
