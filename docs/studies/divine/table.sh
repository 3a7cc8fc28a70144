#!/usr/bin/env bash
# The results of run.sh as a table.
set -euo pipefail
echo '| program | plans | s | judged sets (blocks) | program %, 95 % (n) | judged sets off by, pt | every block off by, pt | loops off by, pt | noise, pt | within 10 pt, % | judged, % of time |'
echo '| --- | ---: | ---: | ---: | --- | --- | --- | --- | ---: | ---: | ---: |'
for file in "${1:?directory of results}"/*.json; do
  jq -r 'def r1: . * 10 | round / 10; def sets: [.blocks[] | select(.reason != "pooled") | [.unit, (.group // "alone \(.block)")]] | unique | length;
    def ci: "\(.value | r1) (\(.low | r1) to \(.high | r1))";
    "| \(.workload | split(":") | last | split(".") | last) +\(.target_pct) % | \(.plans_tried) | \(.wall_s | round) | \(sets) (\(.judged_blocks)) | \(.overhead_pct | ci) (\(.overhead_pct.n)) | " +
    "\(.block_error_pt | ci) | \(.short_block_error_pt | ci) | \(.cluster_error_pt | ci) | \(.block_error_noise_pt.value | r1) | " +
    "\(.within_10_pt_pct.value | round) | \(.coverage_pct | r1) |"' "$file"
done
