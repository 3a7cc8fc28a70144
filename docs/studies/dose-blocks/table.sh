#!/bin/sh
# Rows of block_doses as a table: docs/studies/dose-blocks/table.sh FILE...
for file in "$@"; do
    jq -r --arg file "$(basename "$file" .json)" '
        def pct: "\(.value * 10 | round / 10) (\(.low | round) to \(.high | round))";
        .block_doses
        | (.attribution | to_entries[] | .key as $who | .value.rows[]
            | "| \($file) | \($who) | \(.method | split(".")[-2:] | join(".")), \(.kind) | +\(.growth_pct[0] | round) to +\(.growth_pct[1] | round) % | \(.in_place_pct | pct) | \(.in_place_pct.n) | \(.verdict) | \([.elsewhere[] | "\(.method | split(".")[-2:] | join(".")) \(.pct.value | round)"] | join(", ")) |"),
          "\($file): map called truth: \(.map.called_truth); mean \(.map.mean_in_place_pct // empty | pct); \(.map.reasons | join("; "))"
    ' "$file"
done
