#!/bin/sh
# Doses in blocks of the bundled programs: our own sampler (the oracle) and profilers under Graal.
#
#   PROOFMARK=target/release/proofmark docs/studies/dose-blocks/run.sh OUT [PROGRAM...]
#
# One program after the other, on a machine that does nothing else. Every run leaves OUT/PROGRAM.json (the field
# block_doses is what the table shows); a program that cannot be measured leaves its reason in OUT/PROGRAM.log.
# PROFILERS changes who is watched besides the oracle, PLANS names a directory with PROGRAM.json plans that were
# divined before; without it each run divines its own (three minutes each).
set -u
out=$1
shift
programs=${*:-Bounce List Mandelbrot NBody Permute Queens Sieve Storage Towers CD DeltaBlue Havlak Json Richards}
mkdir -p "$out"
for program in $programs; do
    plan=
    if [ -n "${PLANS:-}" ] && [ -f "$PLANS/$program.json" ]; then
        plan="--plan $PLANS/$program.json"
    fi
    # Word splitting of $plan is wanted.
    # shellcheck disable=SC2086
    "${PROOFMARK:-proofmark}" assess "suite:$program" --no-sites --no-cause $plan \
        --profiler "${PROFILERS:-oracle}" --format json --out "$out/$program.run" \
        >"$out/$program.json" 2>"$out/$program.log"
    echo "$program: exit $?"
done
