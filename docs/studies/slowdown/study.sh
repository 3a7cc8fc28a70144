#!/usr/bin/env bash
# Slows one method of a program in its bytecode, by a Fibonacci loop of so many turns, and by a loop that reads its turns from
# a field: docs/studies/slowdown/study.sh [DATE [METHOD...]]. 32 minutes on two quiet processors; stopped, it goes on with the
# same date. Results: DATE.json beside this file, and the tables of README.md where it has marks for DATE. JDK names a JDK 17 to 25,
# TURNS other numbers of turns (1,023 at most), ROUNDS the processes of every variant, WARM the seconds of their warm-up, WORK a
# place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
wanted=" ${*:2} "
jdk=${JDK:-/usr/lib/jvm/temurin-25-jdk-amd64}
rounds=${ROUNDS:-6} warm=${WARM:-3}
read -ra turns <<< "${TURNS:-8 24 48}"
suite=$here/../../../java/suite
work=${WORK:-$here/../../../target/studies/slowdown}/$date
options=(-XX:+UseSerialGC -Xms256m -Xmx256m -XX:-TieredCompilation -Xbatch
  -XX:+UnlockDiagnosticVMOptions -XX:+PrintCompilation -XX:+PrintInlining)

# What is put in behind the opening brace of the method, on its line.
statement() { # FORM TURNS
  local fibonacci='{ int f2_ = f0_ + f1_; f0_ = f1_; f1_ = f2_; }'
  case $1 in
    plain) ;;
    count) echo ' Slow.calls++;' ;;
    # Nobody reads the result.
    dropped) echo " int f0_ = 0, f1_ = 1; for (int i_ = 0; i_ < $2; i_++) $fibonacci" ;;
    # It is kept in a field.
    kept) echo " int f0_ = 0, f1_ = 1; for (int i_ = 0; i_ < $2; i_++) $fibonacci Slow.sink = f1_;" ;;
    # The same, but the number of turns and the first number are not known beforehand.
    dose) echo " int n_ = Slow.dose; if (n_ != 0) { int f0_ = 0, f1_ = n_; for (int i_ = n_ & 1023; i_ > 0; i_--) $fibonacci Slow.sink = f1_; }" ;;
  esac
}

# Classes of the suite with the statement in the method.
build() { # NAME FILE BEGINNING VARIANT FORM TURNS
  local to=$work/$1/$4
  if [ -e "$to/built" ]; then return; fi
  rm -rf "$to"
  mkdir -p "$to/source" "$to/classes"
  cp -r "$suite/proofmark" "$to/source/"
  cp "$here/Slow.java" "$here/Windows.java" "$to/source/proofmark/suite/"
  BEGINNING=$3 STATEMENT=$(statement "$5" "$6" | sed 's/Slow\./proofmark.suite.Slow./g') awk '
    { at = done ? 0 : index($0, ENVIRON["BEGINNING"]) }
    at { end = at + length(ENVIRON["BEGINNING"]); print substr($0, 1, end - 1) ENVIRON["STATEMENT"] substr($0, end); done = 1; next }
    { print }
    END { exit !done }
  ' "$suite/proofmark/suite/$2" > "$to/source/proofmark/suite/$2" || {
    echo "$2 has no '$3'" >&2
    exit 1
  }
  find "$to/source" -name '*.java' -print0 | xargs -0 "$jdk/bin/javac" -nowarn --release 17 -d "$to/classes"
  touch "$to/built"
}

# One process of a variant; with its last line it is done.
run() { # NAME PROGRAM VARIANT ROUND TURNS...
  local log=$work/$1/$3-$4.log
  if [ -e "$log" ]; then return; fi
  "$jdk/bin/java" "${options[@]}" -cp "$work/$1/$3/classes" proofmark.suite.Windows "$2" "$warm" 6 "${@:5}" > "$log.part" 2>&1 || {
    tail -n 20 "$log.part" >&2
    exit 1
  }
  mv "$log.part" "$log"
}

while read -r name program file beginning <&3; do
  case $name in '' | '#'*) continue ;; esac
  if [ "$wanted" != "  " ] && [[ $wanted != *" $name "* ]]; then continue; fi
  variants=(plain dose)
  for n in "${turns[@]}"; do variants+=("dropped-$n" "kept-$n"); done
  for variant in "${variants[@]}" count; do
    build "$name" "$file" "$beginning" "$variant" "${variant%-*}" "${variant##*-}"
  done
  run "$name" "$program" count 1 0
  for ((round = 1; round <= rounds; round++)); do
    # All variants of a round follow each other, every time in another order.
    for variant in $(shuf -e "${variants[@]}" --random-source=<(yes "$name $round")); do
      case $variant in
        dose) run "$name" "$program" dose "$round" 0 "${turns[@]}" ;;
        *) run "$name" "$program" "$variant" "$round" 0 ;;
      esac
    done
    echo "$name: round $round of $rounds, $SECONDS s" >&2
  done
  echo "$program $file" > "$work/$name/program"
done 3< "$here/methods.txt"

"$jdk/bin/java" -version 2> "$work/java.txt"
python3 "$here/table.py" "$work" "$here/$date.json" "${turns[@]}"
