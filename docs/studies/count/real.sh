#!/bin/bash
# Three real programs, counted and not: the same output? And what does it cost, as a whole run with its start (CPU
# time of the process) and again and again in one JVM (Again.java)? STEADY=0 and ROUNDS=0 leave either out.
# real.sh DIRECTORY JDK25 [PROOFMARK]. javac compiles the sources of java.util (the JDK's src.zip), ecj the suite and
# the counting runtime, and CFR decompiles commons-lang3. The jars come from Maven Central.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd) jdk=$(realpath "$2") proofmark=$(realpath "${3:-target/release/proofmark}")
here=$(cd "$(dirname "$0")" && pwd) java=$(cd "$(dirname "$0")/../../../java" && pwd)
cd "$out"
for artifact in org.eclipse.jdt:ecj:3.41.0 org.benf:cfr:0.152 org.apache.commons:commons-lang3:3.17.0; do
  [ -e "$(echo "$artifact" | sed 's/.*:\(.*\):\(.*\)/\1-\2/').jar" ] ||
    mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$out" -Dmdep.useBaseVersion=true
done
[ -d src ] || unzip -q "$jdk/lib/src.zip" 'java.base/java/util/*' -d src
find src -name '*.java' | sort > files
find "$java/suite" "$java/count" -name '*.java' | sort > ours

javac="com.sun.tools.javac.Main -proc:none -XDignore.symbol.file -nowarn --patch-module java.base=src/java.base"
ecj="-jar ecj-3.41.0.jar -proc:none -17"
cfr="-jar cfr-0.152.jar commons-lang3-3.17.0.jar --silent true"

mkdir -p again
"$jdk/bin/javac" -d again "$here/Again.java"

# Warm up until C2 has done most of its work: minutes for each.
again() { # PROGRAM: warm-up, timed runs and arguments of Again
  case $1 in
    javac) echo "javac 12 7 ${javac#com.sun.tools.javac.Main } -d steady @files" ;;
    ecj) echo "ecj 250 41 ${ecj#-jar ecj-3.41.0.jar } -d steady @ours" ;;
    cfr) echo "cfr 20 7 ${cfr#-jar cfr-0.152.jar } --outputdir steady" ;;
  esac
}

arguments() { # PROGRAM OUTPUT
  case $1 in
    javac) echo "$javac -d $2 @files" ;;
    ecj) echo "$ecj -d $2 @ours" ;;
    cfr) echo "$cfr --outputdir $2" ;;
  esac
}

for program in ${PROGRAMS:-javac ecj cfr}; do
  include=$([ $program = javac ] && echo "--include com.sun.tools.javac --include jdk.javac" || true)
  rm -rf "$program-plain" "$program-counted"
  mkdir "$program-plain" "$program-counted"
  "$jdk/bin/java" $(arguments $program "$program-plain") > "$program-plain.out" 2>&1 || echo "status $?" >> "$program-plain.out"
  "$proofmark" --quiet --jdk "$jdk" count $include -o "$program.count" -- "$jdk/bin/java" \
    $(arguments $program "$program-counted") > "$program-counted.out" 2>&1 || echo "status $?" >> "$program-counted.out"
  files=$(find "$program-plain" -type f | wc -l)
  same=$(diff -r "$program-plain" "$program-counted" > "$program.diff" && echo same || echo "DIFFERENT: $program.diff")
  said=$(cmp -s "$program-plain.out" "$program-counted.out" && echo same || echo DIFFERENT)
  echo "$program: $files files, $same; $(wc -l < "$program-plain.out") lines said, $said"
  "$proofmark" count show "$program.count" | head -1
  if [ "${ROUNDS:-5}" != 0 ]; then
    "$proofmark" --quiet --jdk "$jdk" count overhead --rounds "${ROUNDS:-5}" $include -- \
      "$jdk/bin/java" $(arguments $program overhead) | tail -1
  fi
  if [ "${STEADY:-5}" != 0 ]; then
    mkdir -p steady
    # The profile of javac has millions of contexts, which lie in the program's heap.
    heap=$([ $program = javac ] && echo 4g || echo 1g)
    "$proofmark" --quiet --jdk "$jdk" count overhead --printed --rounds "${STEADY:-5}" $include -- \
      "$jdk/bin/java" -XX:+UseSerialGC "-Xms$heap" "-Xmx$heap" -XX:-UseDynamicNumberOfCompilerThreads --enable-native-access=ALL-UNNAMED \
      -cp again:ecj-3.41.0.jar:cfr-0.152.jar Again $(again $program) | tail -1
  fi
done
