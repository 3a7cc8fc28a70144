#!/usr/bin/env bash
# The results of run.sh as a table. Errors are as measured, nothing subtracted, and taken from the rows of the blocks, so
# that results of earlier versions, whose own figures had the noise removed, give the same columns.
set -euo pipefail
echo '| program | plans | s | judged sets (blocks) | program %, 95 % (n) | judged sets off by, pt: mean | worst | noise alone | within 10 pt, % | loops off by, pt | every block off by, pt | judged, % of time |'
echo '| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
for file in "${1:?directory of results}"/*.json; do
  jq -r 'def r1: . * 10 | round / 10;
    def ci: "\(.value | r1) (\(.low | r1) to \(.high | r1))";
    .target_pct as $target
    | def misses(key): [.blocks[] | select(.reason != "pooled" and .achieved_overhead_pct != null)] | group_by(key)
        | map({weight: map(.share_pct) | add, off: map(.share_pct * (.achieved_overhead_pct.value - $target)) | add})
        | map({weight, off: (.off / .weight | fabs)});
      def mean: (map(.weight * .off) | add) / (map(.weight) | add);
      def near: 100 * ((map(select(.off <= 10) | .weight) | add) // 0) / (map(.weight) | add);
      misses([.unit, (.group // "alone \(.block)")]) as $sets
    | misses(.cluster) as $loops | misses([.unit, .block]) as $blocks
    | "| \(.workload | split(":") | last | split(".") | last) +\($target) % | \(.plans_tried) | \(.wall_s | round) | \($sets | length) (\(.judged_blocks)) | \(.overhead_pct | ci) (\(.overhead_pct.n)) | " +
    (if $sets | length == 1 then "\($sets | mean | r1), the total" else "\($sets | mean | r1)" end) +
    " | \($sets | map(.off) | max | r1) | \(.block_error_noise_pt.value | r1) | \($sets | near | round) | \($loops | mean | r1) | \($blocks | mean | r1) | \(.coverage_pct | r1) |"' "$file"
done
