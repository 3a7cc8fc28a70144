#!/usr/bin/env bash
# JMH benchmarks of others, from Maven Central, judged at sites: docs/studies/verdicts/jmh.sh [DATE [NAME...]]. Some three minutes each on two
# quiet processors; stopped, it goes on with the same date. Results: results/DATE/jmh.
# PROOFMARK names the command, PM_JDK25 the JDK, WORK a place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
wanted=" ${*:2} "
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
out=$here/results/$date/jmh
work=${WORK:-$here/../../../target/studies/verdicts}/$date/jmh
mkdir -p "$out" "$work"

# The artifact and what it depends on, in a directory of its own.
fetch() { # NAME GROUP:ARTIFACT:VERSION
  local group artifact version place=$work/$1
  IFS=: read -r group artifact version <<< "$2"
  if [ -e "$place/fetched" ]; then return; fi
  mkdir -p "$place"
  cat > "$place/pom.xml" << POM
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>proofmark.study</groupId><artifactId>$1</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version></dependency>
  </dependencies>
</project>
POM
  mvn -q -f "$place/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$place/lib"
  (cd "$place/lib" && sha256sum ./*.jar) > "$out/$1-jars.txt"
  touch "$place/fetched"
}

judge() { # NAME BENCHMARK
  local name=$1 status=0 begun=$SECONDS
  "$proofmark" --quiet --jdk "$jdk" assess --no-laboratory --profiler async,jfr,jfr+nonsafepoints \
    --format json --out "$work/$name/run" "jmh:$work/$name/lib/*#$2" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  case $status in
    0 | 1 | 4)
      cp "$work/$name/run/sites/dose.json" "$out/$name-sites.json"
      # The last one: with it the benchmark is done.
      mv "$work/$name.json" "$out/$name.json"
      rm -f "$out/$name-refused.txt"
      ;;
    2 | 3) cp "$work/$name.log" "$out/$name-refused.txt" ;;
    *)
      cat "$work/$name.log" >&2
      exit "$status"
      ;;
  esac
  echo "$name: exit code $status, $((SECONDS - begun)) s" >&2
}

while read -r name artifact benchmark <&3; do
  if [ "$wanted" != "  " ] && [[ $wanted != *" $name "* ]]; then continue; fi
  if [ -s "$out/$name.json" ]; then continue; fi
  fetch "$name" "$artifact"
  judge "$name" "$benchmark"
done 3<< 'BENCHMARKS'
branches org.openjdk.jmh:jmh-samples:1.37 JMHSample_36_BranchPrediction.unsorted
columns org.openjdk.jmh:jmh-samples:1.37 JMHSample_37_CacheAccess.colFirst
sort org.openjdk.jmh:jmh-samples:1.37 JMHSample_38_PerInvokeSetup.measureRight
hpack io.netty:netty-microbench:4.2.10.Final HpackEncoderBenchmark.encode?size=LARGE,sensitive=false
mustache com.github.spullara.mustache.java:benchmarks:0.9.13 TweetBench.testTimeline
spans io.zipkin:benchmarks:2.22.1 JsonCodecBenchmarks.bytes_zipkinDecoder
BENCHMARKS
