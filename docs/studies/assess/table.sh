#!/usr/bin/env bash
# The table of docs/studies/assess/README.md from the results of run.sh: docs/studies/assess/table.sh DIRECTORY
set -euo pipefail
cd "${1:?directory of the results}"
echo '| program | profiler | verdict | absolute, pt | uniform, pt | single block, pt | cause |'
echo '| --- | --- | --- | --- | --- | --- | --- |'
jq -r 'def r: . * 10 | round / 10 | tostring;
  def e: if . then "\(.value | r) (\(.low | r) to \(.high | r))" else "-" end;
  .program as $program | .profilers[] |
  "| \($program) | \(.name) | \(.verdict)\(if .looks == 2 then ", second look" else "" end) | \(.error_pt.absolute | e) | \(.error_pt.uniform | e) | \(.error_pt.single | e) | \(.cause // "" | gsub("\\|"; "/")) |"' \
  Queens.json Towers.json Permute.json Sieve.json Bounce.json List.json
echo
jq -r '"\(.program): planted \((.planted_found.value // 0) * 20 | round) of 20, false alarms \((.false_alarm_rate.value * .false_alarm_rate.n) | round) of \(.false_alarm_rate.n)"' \
  Queens.json Towers.json Permute.json Sieve.json Bounce.json List.json
