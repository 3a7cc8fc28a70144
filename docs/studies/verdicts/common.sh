# shellcheck shell=bash
# What run.sh, repeats.sh, others.sh and laboratory.sh share, which source it with `here` and `date` set.
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}

# Where results of this kind go, and everything else.
places() { # KIND
  out=$here/results/$date/$1
  work=${WORK:-$here/../../../target/studies/verdicts}/$date/$1
  jars=$work/jars
  mkdir -p "$out" "$work/classes"
}

# The programs of others that stand in the study of dose.
fetch() {
  local artifact
  for artifact in com.h2database:h2:2.3.232 org.eclipse.jdt:ecj:3.40.0 org.apache.lucene:lucene-core:9.12.1 \
    org.mozilla:rhino:1.7.15 com.github.javaparser:javaparser-core:3.26.2 com.fasterxml.jackson.core:jackson-core:2.18.2 \
    com.fasterxml.jackson.core:jackson-databind:2.18.2 com.fasterxml.jackson.core:jackson-annotations:2.18.2; do
    mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$jars"
  done
  "$jdk/bin/javac" -cp "$jars/*" -d "$work/classes" "$here"/../dose/*.java
}

# What to put behind a command for a program of others (with fetch) or of the suite: into the array `program`.
program() { # NAME
  case $1 in
    Grouping | RunScript | ReadWrite | Index | ParseSource | CompileSource | ReadTogether) program=(-- "$jdk/bin/java" -cp "$work/classes:$jars/*" "$1") ;;
    *) program=("suite:$1") ;;
  esac
}

# Fetches what these programs need, where one is of others.
fetch_for() { # PROGRAM...
  local program name
  for name in "$@"; do
    program "$name"
    if [ "${program[0]}" = -- ]; then
      fetch
      return
    fi
  done
}

# Keeps what a test left, $work/NAME.json and NAME.log, as RESULT; ends the study where it could not be made.
keep() { # NAME RESULT STATUS BEGUN
  case $3 in
    0 | 1 | 4)
      mv "$work/$1.json" "$out/$2.json"
      rm -f "$out/$1-refused.txt"
      ;;
    3) cp "$work/$1.log" "$out/$1-refused.txt" ;;
    *)
      cat "$work/$1.log" >&2
      exit "$3"
      ;;
  esac
  echo "$1: exit code $3, $((SECONDS - $4)) s" >&2
}
