//! The test by dose on real JVMs: a profiler that is known to be wrong, one that is right, and input that cannot be.

use std::path::Path;

use crate::common::dosed::{
    SEEN, code, compile, dose, jdks, left_out, may_lie, part_in, result, row,
};
use crate::common::stderr;
use serde_json::Value;

/// Two methods without a safepoint of their own, in a loop that has one.
const BLIND: &str = "
public class Blind {
    static long sum;
    static int mix(int x) { x ^= x >>> 15; x *= 0x2c1b3c6d; x ^= x >>> 12; x *= 0x297a2d39; return x ^ x >>> 15; }
    static int fold(int x) { x *= 0x7feb352d; x ^= x >>> 16; x *= 0x846ca68b; x ^= x >>> 13; return x * 31; }
    static void work(int n) { for (int i = 0; i < n; i++) { sum += mix(i) ^ fold(i + n); } }
    public static void main(String[] arguments) {
        for (int i = 0; i < 30; i++) { work(10_000 + i); }
    }
}
";

/// The methods of [`BLIND`].
const METHODS: [&str; 3] = ["Blind.mix", "Blind.fold", "Blind.work"];

/// The clock's, and what executions and turns take; executions are known here.
fn two_truths_agree(result: &Value) {
    for site in result["sites"].as_array().unwrap() {
        let inner = (10_000..10_030).sum::<u32>();
        let of_work = site["method"] == "Blind.work";
        // A loop's head is reached once more than its body.
        let reached = match (of_work, site["place"] == "entry") {
            (true, true) => 30,
            (true, false) => inner + 30,
            (false, _) => inner,
        };
        assert_eq!(site["executions"], f64::from(reached), "{site:#}");
        let part = &site["by_count_pct"];
        assert_eq!(!part.is_null(), site["steps"].as_f64() >= Some(16.0));
        // Half or twice as much is what a wrong number of turns or executions makes of it.
        assert!(part.is_null() || may_lie(part, 60.0..180.0), "{site:#}");
    }
}

/// Both profilers in JVMs of a JDK.
fn of_jfr(place: &Path, jdk: &Path) -> (Value, Option<i32>) {
    let java = jdk.join("bin/java").display().to_string();
    let path = place.display().to_string();
    let mut words = vec!["--profiler", "jfr,jfr+nonsafepoints", "--methods", "3"];
    // None that is named is left out because sites at rest make another program of it.
    for method in METHODS {
        words.extend(["--method", method]);
    }
    words.extend(["--rounds", "2", "--window", "0.1", "--budget", "0", "--"]);
    words.extend([java.as_str(), "-XX:CompileCommand=quiet"]);
    words.push("-XX:CompileCommand=inline,Blind.mix");
    words.push("-XX:CompileCommand=inline,Blind.fold");
    words.extend(["-cp", &path, "Blind"]);
    let output = dose(place, jdk, &words);
    (result(&output), output.status.code())
}

/// Which part of the samples of each site's windows under the high dose is in its method.
fn in_place(result: &Value, place: &Path, profiler: &str) -> Vec<f64> {
    let sites = result["sites"].as_array().unwrap().iter().enumerate();
    let part = |(number, site): (usize, &Value)| {
        let method = site["method"].as_str().unwrap();
        part_in(&place.join("out"), profiler, number, method)
    };
    sites.map(part).collect()
}

/// Points of share that one profiler shows in other methods than the other one while nothing is added.
fn apart(result: &Value) -> f64 {
    let methods = result["methods"].as_array().unwrap().iter();
    let share = |one: &Value, name: &str| one["reported_pct"][name].as_f64().unwrap_or(0.0);
    let away = |one| (share(one, "jfr") - share(one, "jfr+nonsafepoints")).abs();
    methods.map(away).sum::<f64>() / 2.0
}

/// Whether the JVM inlines them is its own choice, and so not left to it: what it inlines is out of JFR's sight.
#[test]
fn what_the_jvm_keeps_between_safepoints_decides_what_jfr_reports() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Blind.java", BLIND);
        let (result, status) = of_jfr(place.path(), &jdk);
        let said = || format!("{}: {result:#}", jdk.display());
        two_truths_agree(&result);
        let seeing = in_place(&result, place.path(), "jfr+nonsafepoints");
        assert!(seeing.len() >= METHODS.len(), "{}", said());
        // Far from the nothing that a blind profiler reports.
        let sees = seeing.iter().all(|part| *part > SEEN);
        assert!(sees, "{seeing:?} {}", said());
        for method in METHODS {
            let row = row(&result, "jfr+nonsafepoints", method);
            let near = row.is_none_or(|row| may_lie(&row["in_place_pct"], 20.0..200.0));
            assert!(near, "{}", said());
        }
        // They are one unit: what JFR shows is the method of one of the few positions that the JVM keeps. Where it happens to
        // see the sites of all three, their own code is in one of them all the same.
        let blind = in_place(&result, place.path(), "jfr");
        let misses = blind.iter().any(|part| *part < SEEN);
        assert!(misses || apart(&result) > 10.0, "{blind:?} {}", said());
        verdicts_fit(&result);
        assert_eq!(status, Some(code(&result)));
        assert!(place.path().join("out/dose.json").is_file());
    }
}

/// How much time the blind method takes is known if the other profiler is certified, for which a busy machine may leave intervals too
/// wide: then nothing is decided.
fn verdicts_fit(result: &Value) {
    let of = |name: &str| &result["attribution"][name];
    let rows = |name: &str| of(name)["rows"].as_array().unwrap().iter();
    let wrong = rows("jfr+nonsafepoints").any(|row| row["verdict"] == "wrong");
    assert!(wrong || of("jfr")["verdict"] != "right", "{result:#}");
    for row in rows("jfr") {
        assert_eq!(row["in_place_per_run_pct"].as_array().unwrap().len(), 1);
        let end = |name: &str| row["in_place_pct"][name].as_f64().unwrap();
        let known = row["void_windows"] == 0 && end("high") - end("low") < 20.0;
        if known && end("high") < 50.0 {
            // Most of it is elsewhere for certain.
            let parts = row["elsewhere"].as_array().unwrap().iter();
            let named: f64 = parts.map(|one| one["pct"]["value"].as_f64().unwrap()).sum();
            assert!(named > 10.0, "{row:#}");
            assert_ne!(row["line_verdict"], "right");
        }
    }
    let is_wrong = |name: &str| of(name)["verdict"] == "wrong";
    let advice = result["advice"].as_str().unwrap();
    let (wrong, both) = (is_wrong("jfr"), is_wrong("jfr+nonsafepoints"));
    // Where all of them are wrong about a method, that stands before it.
    let charged = advice.contains("jfr is wrong about ") || advice.contains("jfr is wrong: ");
    assert!(both || charged || !wrong, "{advice}");
    let cured = advice.contains("; start the JVM with ");
    assert!(both || wrong || !cured, "{advice}");
}

/// Only a JVM can tell what it inherits: its superclass is not on the class path.
const VICTIM: &str = "
public class Victim extends java.util.Random {
    static long sum;
    static void spin(int n) { for (int i = 0; i < n; i++) { sum += i ^ (sum >>> 3); } }
    static void never() { sum++; }
    static native void out();
    public static void main(String[] arguments) {
        for (int i = 0; i < 40; i++) { spin(5_000); }
        if (arguments.length > 0) { never(); }
        System.out.println(\"done\");
        System.exit(0);
    }
}
";

/// The user's own flags: nothing is compiled. A method is entered 40 times, so that its loop gets the site or a long one
/// its entry; another does not exist, one is native, one never runs.
#[test]
fn methods_that_cannot_be_tested_are_named_and_the_rest_is_judged() {
    let Some(jdk) = jdks().into_iter().next() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Victim.java", VICTIM);
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let mut words = vec!["--profiler", "safepoint", "--rounds", "2", "--budget", "0"];
    words.extend(["--window", "0.1"]);
    for method in [
        "Victim.nothing",
        "Victim.out",
        "Victim.never",
        "no.such.Class.run",
    ] {
        words.extend(["--method", method]);
    }
    words.extend([
        "--methods",
        "6",
        "--",
        &java,
        "-Xint",
        "-cp",
        &path,
        "Victim",
    ]);
    let output = dose(place.path(), &jdk, &words);
    let result = result(&output);
    let reason = |method: &str| {
        let found = left_out(&result, method);
        found.unwrap_or_else(|| panic!("{method}: {result:#}"))
    };
    assert!(reason("Victim.nothing").contains("no such method"));
    assert!(reason("Victim.out").contains("native"));
    assert!(reason("no.such.Class.run").contains("not loaded"));
    // A machine that is slower for a while may make it look as if a dose of it did something: then no sample is there.
    let never = match left_out(&result, "Victim.never") {
        Some(reason) => reason.contains("slow"),
        None => {
            let row = row(&result, "safepoint", "Victim.never");
            row.is_some_and(|row| row["verdict"] != "right")
        }
    };
    assert!(never, "{result:#}");
    let spin = row(&result, "safepoint", "Victim.spin").expect("nothing is compiled");
    assert!(spin["growth_pct"][1].as_f64().unwrap() > 10.0, "{spin:#}");
    assert_eq!(spin["line_verdict"], "unknown");
    assert_eq!(result["replication"]["level"], "windows");
    assert_eq!(result["jvm"]["options"][0], "-Xint");
}

/// There is nothing to see for a profiler of CPU time.
#[test]
fn programs_that_wait_are_refused() {
    let Some(jdk) = jdks().into_iter().next() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let words = ["--profiler", "jfr", "suite:trouble.Cold"];
    let output = dose(place.path(), &jdk, &words);
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("never hot"), "{said}");
    assert!(
        !said.contains("jfr:"),
        "it is not the profiler's fault: {said}"
    );
}

/// The version of the class file is that of a Java that nobody has.
#[test]
fn a_program_for_a_newer_java_is_refused_with_both_releases() {
    let Some(jdk) = jdks().into_iter().next() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Victim.java", VICTIM);
    let file = place.path().join("Victim.class");
    let mut class = std::fs::read(&file).unwrap();
    (class[6], class[7]) = (0, 255);
    std::fs::write(&file, class).unwrap();
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let words = ["--profiler", "jfr", "--", &java, "-cp", &path, "Victim"];
    let output = dose(place.path(), &jdk, &words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let begin = "Victim was compiled for Java 211, and the java of the command (";
    for part in [begin, "/bin/java) is ", ": use a newer one"] {
        assert!(said.contains(part), "{said}");
    }
}
