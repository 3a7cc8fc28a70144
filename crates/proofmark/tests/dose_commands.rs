//! Programs that do not end as others do, and commands that say more than a class path.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::dosed::{command, compile, dose, jdks, result, row};
use crate::common::{Place, jvm_of, stderr, succeeds, until};
use proofmark_test_support::quick_tool;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Its `main` never returns.
const WAITS: &str = "
public class Waits {
    public static void main(String[] arguments) throws Exception { Thread.currentThread().join(); }
}
";

/// Four threads of a pool do the work, one method twice as much as the other, and never end; the calling thread waits.
const CREW: &str = "
import java.util.*;
import java.util.concurrent.*;
public class Crew {
    static final ExecutorService POOL = Executors.newFixedThreadPool(4, Thread::new);
    static int mix(int x) { x ^= x >>> 15; x *= 0x2c1b3c6d; x ^= x >>> 12; x *= 0x297a2d39; return x ^ x >>> 15; }
    static int fold(int x) { x *= 0x7feb352d; x ^= x >>> 16; x *= 0x846ca68b; x ^= x >>> 13; return x * 31; }
    static long work(int from) {
        long sum = 0;
        for (int i = from; i < from + 20_000; i++) { sum += mix(i) + mix(i ^ 77) + fold(i); }
        return sum;
    }
    public static void main(String[] arguments) throws Exception {
        List<Callable<Long>> parts = new ArrayList<>();
        for (int i = 0; i < 32; i++) { int from = 20_000 * i; parts.add(() -> work(from)); }
        long sum = 0;
        String.class.getDeclaredField(\"value\").setAccessible(true);
        for (Future<Long> part : POOL.invokeAll(parts)) { sum += part.get(); }
        System.out.println(sum);
    }
}
";

/// The calling thread has neither the time nor the samples, the threads of the pool stay, the JAR opens a package of the JDK that it
/// needs, and options are in the environment.
#[test]
fn a_jar_whose_pool_works_and_is_left_behind_is_judged() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().unwrap();
    let jar = crew_jar(place.path(), &jdk);
    let mut words = vec!["--profiler", "jfr+nonsafepoints", "--methods", "2"];
    words.extend(["--method", "Crew.mix", "--method", "Crew.fold"]);
    words.extend(["--rounds", "2", "--window", "0.1", "--budget", "0", "--"]);
    let java = jdk.join("bin/java");
    words.extend([java.to_str().unwrap(), "-jar", jar.to_str().unwrap()]);
    let output = command(place.path(), &jdk, &words)
        .env("JDK_JAVA_OPTIONS", "-Dmark=1")
        .output()
        .unwrap();
    let result = result(&output);
    let judged = result["attribution"].as_object().unwrap();
    assert!(judged.contains_key("jfr+nonsafepoints"), "{result:#}");
    // What the pool did was counted, although the JVM did not end.
    let methods = result["methods"].as_array().unwrap();
    let mut counted = methods.iter().map(|one| one["bytecode_pct"].as_f64());
    let known = counted.all(|pct| pct > Some(5.0));
    assert!(known, "{methods:#?}");
    let options = result["jvm"]["options"].as_array().unwrap();
    let opens = "--add-opens=java.base/java.lang=ALL-UNNAMED";
    assert!(options.iter().any(|one| one == opens), "{options:?}");
    let remarks = result["remarks"].as_array().unwrap();
    let unused = "JDK_JAVA_OPTIONS is not used: write its options into the command";
    assert!(remarks.iter().any(|one| one == unused), "{remarks:?}");
    the_pool_has_the_time(&result);
}

/// A JAR of [`CREW`] that says what it needs.
fn crew_jar(place: &Path, jdk: &Path) -> PathBuf {
    let classes = place.join("classes");
    std::fs::create_dir(&classes).unwrap();
    compile(&classes, jdk, "Crew.java", CREW);
    let (manifest, jar) = (place.join("manifest"), place.join("crew.jar"));
    let says = "Main-Class: Crew\nAdd-Opens: java.base/java.lang\n";
    std::fs::write(&manifest, says).unwrap();
    let mut tool = quick_tool(jdk, "jar");
    tool.args(["--create", "--file"]).arg(&jar);
    tool.arg("--manifest").arg(&manifest);
    succeeds(tool.arg("-C").arg(&classes).arg("."));
    jar
}

/// Rows, threads and remarks of a program whose calling thread waits.
fn the_pool_has_the_time(result: &Value) {
    for method in ["Crew.mix", "Crew.fold"] {
        let Some(row) = row(result, "jfr+nonsafepoints", method) else {
            continue;
        };
        // Whether it is in place is JFR's affair: of threads that run at the same time it may show the caller.
        assert!(row["in_place_pct"]["n"].as_u64() > Some(100), "{row:#}");
        assert!(row["growth_pct"][1].as_f64().unwrap() > 10.0, "{row:#}");
    }
    let threads = &result["threads"];
    assert!(threads["busy"].as_u64() >= Some(4), "{threads}");
    let busiest = threads["busiest_pct"].as_f64().unwrap();
    assert!((10.0..95.0).contains(&busiest), "{threads}");
    let remarks = result["remarks"].as_array().unwrap();
    let said = |text: &str| {
        let mut texts = remarks.iter().filter_map(Value::as_str);
        texts.any(|one| one.contains(text))
    };
    assert!(said("threads of the program have CPU time"), "{remarks:?}");
    assert!(said("whether or not they have a processor"), "{remarks:?}");
}

/// The one works five times and then waits, the other waits from the first time on, while its bytecodes are counted.
#[test]
fn programs_that_never_return_are_refused() {
    let Some(jdk) = jdks().pop() else { return };
    let classes = tempfile::tempdir().unwrap();
    compile(classes.path(), &jdk, "Waits.java", WAITS);
    let java = jdk.join("bin/java").display().to_string();
    let path = classes.path().display().to_string();
    let waits = ["--", &java, "-cp", &path, "Waits"];
    // Most of the time nothing is done but waiting.
    std::thread::scope(|scope| {
        scope.spawn(|| never_returns(&jdk, &["suite:trouble.Hangs"]));
        scope.spawn(|| never_returns(&jdk, &waits));
    });
}

fn never_returns(jdk: &Path, program: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let options = ["--profiler", "jfr", "--iteration-timeout", "1"];
    let words = [&options[..], program].concat();
    let output = dose(place.path(), jdk, &words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{program:?}: {said}");
    let hangs = said.contains("an iteration is still running after 1.0 s");
    assert!(hangs, "{program:?}: {said}");
    let server = "main must return; for a server see docs/programs.md#a-server; it is here:\n  at Waits.main(";
    assert_eq!(said.contains(server), program.len() > 1, "{said}");
    assert!(!said.contains("at java.base/"), "{said}");
}

#[test]
fn an_interrupt_ends_the_counting_of_bytecodes() {
    let Some(jdk) = jdks().pop() else { return };
    let place = Place::new();
    compile(place.path(), &jdk, "Waits.java", WAITS);
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let words = ["--profiler", "jfr", "--", &java, "-cp", &path, "Waits"];
    let mut tool = command(place.path(), &jdk, &words)
        .env("TMPDIR", place.path().join("tmp"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The JVM that counts is told in its temporary directory what to do, others in the directory of the run.
    let counts = |file: &std::path::PathBuf| file.join("configuration").exists();
    until(&mut tool, |tool| {
        jvm_of(tool.id()).is_some() && place.temporary_files().iter().any(counts)
    });
    kill_process(Pid::from_child(&tool), Signal::INT).unwrap();
    let output = tool.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(place.temporary_files().is_empty());
}
