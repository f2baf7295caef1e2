#!/usr/bin/env bash
# Open one issue with a drift report, or bring the open one up to date. Needs GitHub's `gh` and GH_TOKEN. There is one issue
# for each LABEL: `drift`, unless said otherwise.
# One that a person closed is opened again by a report that says something else, never by the same one.
# usage: scripts/issue.sh FOLDER_WITH_REPORTS
set -euo pipefail

report=$(find "$1" -name 'drift-*.md' | sort -V | tail -n 1)
if [ -z "$report" ]; then
  echo "$1: no drift-*.md there" >&2
  echo "  hint: make upgrade writes it" >&2
  exit 1
fi
version=$(basename "$report" .md)
label=${LABEL:-drift}
title="What ${version#drift-} would change"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
# An issue holds 65,536 characters; the whole report is the workflow's artifact. It is cut between two lines, a fence
# that is open there is closed, and the sum tells whether two reports say the same.
awk -v most=60000 '
  { size += length($0) + 1; if (size > most) { cut = 1; exit } print }
  /^```+/ { match($0, /^`+/); if (!open) open = RLENGTH; else if (RLENGTH >= open && $0 ~ /^`+$/) open = 0 }
  END { if (cut) { if (open) { while (open--) printf "`"; print "" } print "\n… The rest is in the artifact of the run." } }
' "$report" > "$body"
sum=$(sha256sum "$report" | cut -c 1-16)
printf '\n<!-- report %s -->\n' "$sum" >> "$body"

find_issue() { # state → number of the newest issue; with a search, of those
  gh issue list --state "$1" --label "$label" --limit 1 ${2:+--search "$2"} --json number --jq '.[0].number // empty'
}
number=$(find_issue open)
if [ -n "$number" ]; then
  gh issue edit "$number" --title "$title" --body-file "$body"
elif number=$(find_issue closed "\"report $sum\" in:body") && [ -n "$number" ]; then
  echo "issue $number says the same and is closed"
else
  gh label create "$label" --description "Outputs under another version" --force
  gh issue create --title "$title" --label "$label" --body-file "$body"
fi
