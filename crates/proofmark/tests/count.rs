//! `proofmark count` on real JVMs: the same profile however a program is run, and the right one.

use std::path::Path;
use std::process::Command;

use crate::count_place::{JAVA, Place, json};
use serde_json::Value;

/// JDKs, collectors, heaps, the interpreter alone, and rewriting ahead of time: not one byte differs.
#[test]
fn one_program_has_one_profile() {
    let Some(place) = Place::new() else { return };
    let work = ["Work", "100"];
    let options = ["--granularity", "500", "--random=100", "--seed", "7"];
    let (output, expected) = place.counted(&place.javas[0], &options, &[], &work);
    assert!(expected.lines().count() > 30, "{expected}");
    for java in &place.javas {
        for jvm in [
            vec!["-Xint"],
            vec!["-XX:+UseSerialGC", "-Xmx32m"],
            vec!["-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1"],
        ] {
            let (again, profile) = place.counted(java, &options, &jvm, &work);
            assert_eq!(again, output);
            assert!(profile == expected, "{} {jvm:?}", java.display());
        }
    }
    let jar = place.instrumented(&options);
    let raw = place.path("raw");
    let mut java = Command::new(&place.javas[0]);
    java.arg(format!("-Dproofmark.count.output={}", raw.display()))
        .arg("-Xverify:all");
    let done = java.arg("-cp").arg(jar).args(work).output().unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), output);
    let shown = place.path("shown.count");
    let done = place.proofmark(&[
        "count",
        "show",
        raw.to_str().unwrap(),
        "-o",
        shown.to_str().unwrap(),
    ]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(
        std::fs::read_to_string(shown).unwrap() == expected,
        "ahead of time"
    );
    let other = ["--granularity", "500", "--random=100", "--seed", "8"];
    assert!(
        place.counted(&place.javas[0], &other, &[], &work).1 != expected,
        "the seed does nothing"
    );
}

/// Within one JDK, that is: its classes are counted, too, from the first one of the program on.
#[test]
fn the_jdk_is_counted_too() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        for mode in ["--granularity=500", "--exact"] {
            let run =
                |jvm: &[&str]| place.counted(java, &["--include-jdk", mode], jvm, &["Work", "10"]);
            let (output, profile) = run(&["-XX:+UseSerialGC"]);
            assert_eq!(output, place.plain(java, &["Work", "10"]));
            assert!(
                profile.contains("\tjava.util.HashMap\t"),
                "{}",
                java.display()
            );
            // Sampled, a call of a few bytecodes is hardly ever met.
            let all = mode == "--exact";
            for method in ["Integer\tparseInt", "String\tcharAt"] {
                let row = format!("\tjava.lang.{method}\t");
                assert!(!all || profile.contains(&row), "{row}: {}", java.display());
            }
            assert!(
                run(&["-XX:TieredStopAtLevel=1"]).1 == profile,
                "{}",
                java.display()
            );
        }
    }
}

/// What can be counted is; the rest is named with its share of what the JVM executed.
#[test]
fn what_of_the_jdk_is_not_counted_has_a_share() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let profile = place.path("jdk.count");
        let words = ["--format", "json", "count", "--include-jdk", "--exact"];
        let words = [&words[..], &["--coverage", "-o"]].concat();
        let program = ["--", java.to_str().unwrap(), "-cp"];
        let class = [place.directory.path().to_str().unwrap(), "Jdk", "10"];
        let output = [profile.to_str().unwrap()];
        let counted = json(&place.proofmark(&[&words[..], &output, &program, &class].concat()));
        let text = std::fs::read_to_string(&profile).unwrap();
        for method in [
            "StringBuilder\treverse",
            "StringBuilder\tinsert",
            "AbstractStringBuilder\treverse",
            "Math\tfloorMod",
        ] {
            let row = format!("\tjava.lang.{method}\t");
            assert!(text.contains(&row), "{row}: {}", java.display());
        }
        let executed = &counted["coverage"]["executed"];
        let number = |value: &Value| value.as_u64().unwrap();
        let rows = executed["uncounted"].as_array().unwrap();
        let sum: u64 = rows.iter().map(|row| number(&row["bytecodes"])).sum();
        let all = number(&executed["all"]);
        assert_eq!(sum + number(&counted["bytecodes"]), all, "{executed:#}");
        let of = |name: &str| rows.iter().find(|row| row["name"] == name);
        let largest = of("java.lang.Math.max(II)I").expect("an intrinsic");
        assert_eq!(largest["reason"], "the JVM treats the method specially");
        // 500 calls of five bytecodes at least.
        assert!(number(&largest["bytecodes"]) >= 2_500, "{largest}");
        let object = of("java.lang.Object").expect("every constructor calls its own");
        let share = 100.0 * number(&object["bytecodes"]) as f64 / all as f64;
        assert!((object["pct"].as_f64().unwrap() - share).abs() < 1e-9);
    }
}

/// The exact profile has what the JVM's own steps say, to the unit, and sampling neither loses nor invents bytecodes.
#[test]
fn bytecodes_are_those_that_the_jvm_executes() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        counts_what_is_executed(&place, java.to_str().unwrap());
    }
}

fn counts_what_is_executed(place: &Place, java: &str) {
    let directory = place.directory.path().to_str().unwrap();
    let (exact, sampled) = (place.path("exact.count"), place.path("sampled.count"));
    let run = |output: &Path, options: &[&str]| {
        let mut words = vec!["--format", "json", "count", "-o", output.to_str().unwrap()];
        words.extend(options);
        words.extend(["--", java, "-cp", directory, "Work", "30"]);
        json(&place.proofmark(&words))
    };
    let counted = run(&exact, &["--exact", "--coverage"]);
    let executed = &counted["coverage"]["executed"];
    let number = |value: &Value| value.as_u64().unwrap();
    let seen = number(&executed["in_scope"]) - number(&executed["hidden"]);
    assert_eq!(number(&counted["bytecodes"]), seen, "{counted:#}");
    assert_eq!(counted["coverage"]["left_alone"], serde_json::json!([]));
    run(&sampled, &["--granularity", "50"]);
    let compared = [
        "--format",
        "json",
        "count",
        "compare",
        exact.to_str().unwrap(),
        sampled.to_str().unwrap(),
    ];
    let compared = json(&place.proofmark(&compared));
    assert_eq!(compared["bytecodes"]["relative_error_pct"], 0.0);
    assert!(
        compared["overlap_pct"].as_f64().unwrap() > 90.0,
        "{compared:#}"
    );
    assert_eq!(number(&compared["bytecodes"]["a"]), seen);
}

/// 19,061 contexts in one thread, sampled at every check: all of them, and none that is not there.
#[test]
fn every_context_is_found_again() {
    let Some(place) = Place::new() else { return };
    let (exact, sampled) = (place.path("exact.count"), place.path("sampled.count"));
    let [exact, sampled] = [&exact, &sampled].map(|path| path.to_str().unwrap());
    let java = place.javas[0].ancestors().nth(2).unwrap().to_str().unwrap();
    let counted = |words: &[&str]| {
        let words = [
            &["--quiet", "--jdk", java, "count"],
            words,
            &["suite:Havlak"],
        ]
        .concat();
        let done = place.proofmark(&words);
        assert!(done.status.success(), "{words:?}");
    };
    counted(&["--exact", "-o", exact]);
    counted(&["--granularity", "1", "-o", sampled]);
    let compare = ["--format", "json", "count", "compare", exact, sampled];
    let contexts = json(&place.proofmark(&compare))["contexts"].take();
    assert!(contexts["a"].as_u64().unwrap() > 10_000, "{contexts}");
    assert_eq!(contexts["a"], contexts["b"]);
    assert_eq!(contexts["a"], contexts["common"]);
}

/// Tools of the JDK are programs like others, if asked for; the rest of the JDK stays uncounted.
#[test]
fn tools_of_the_jdk_are_counted_on_demand() {
    let Some(place) = Place::new() else { return };
    let work = format!("{JAVA}/Work.java");
    for java in &place.javas {
        let out = place.path("compiled");
        let counted = |options: &[&str]| {
            let mut words = vec!["--format", "json", "count"];
            words.extend(options);
            let javac = "com.sun.tools.javac.Main";
            let java = java.to_str().unwrap();
            words.extend(["--", java, "-Xverify:all", javac, "-d"]);
            words.extend([out.to_str().unwrap(), &work]);
            json(&place.proofmark(&words))
        };
        assert_eq!(counted(&[])["bytecodes"], 0);
        let javac = counted(&["--include", "com.sun.tools.javac"]);
        let methods = javac["methods"].as_array().unwrap();
        assert!(methods.len() > 50, "{javac:#}");
        let inside = |row: &&Value| {
            row["method"]
                .as_str()
                .unwrap()
                .starts_with("com.sun.tools.javac.")
        };
        let strange = methods.iter().find(|row| !inside(row));
        assert_eq!(strange, None, "{}", java.display());
    }
}

/// C2 of JDK 17 otherwise puts all of a sample into each check: programs then cost five times as much.
#[test]
fn c2_leaves_samples_out_of_compiled_code() {
    let Some(place) = Place::new() else { return };
    let log = place.path("compiler.log");
    // In a file of its own: what the program prints would get between, and shift, the lines.
    let told = [
        "-XX:-TieredCompilation",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+PrintInlining",
        "-XX:+LogVMOutput",
        "-XX:-DisplayVMOutput",
        &format!("-XX:LogFile={}", log.display()),
    ];
    for java in &place.javas {
        place.counted(java, &["--granularity", "500"], &told, &["Work", "300"]);
        let output = std::fs::read_to_string(&log).unwrap();
        let calls = output
            .lines()
            .filter(|line| line.contains("Rarely::sample"));
        let (kept, other): (Vec<&str>, Vec<&str>) =
            calls.partition(|line| line.contains("exception method"));
        assert!(!kept.is_empty(), "{}: {output}", java.display());
        // Only where the check itself is compiled as a method of its own: then its callees are not indented.
        let indent = |line: &str| line.find('@').unwrap_or(0);
        let calls = output.lines().filter(|line| line.contains("   @ "));
        let outermost = calls.map(indent).min().unwrap();
        let mut inlined = other.iter().filter(|line| line.contains(" inline"));
        let deeper = inlined.find(|line| indent(line) > outermost);
        assert_eq!(deeper, None, "{}", java.display());
    }
}

/// Methods that only the code that counts makes longer than 8,000 bytes would be interpreted for ever.
#[test]
fn long_methods_are_compiled() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let (flags, _) = place.counted(java, &[], &["-XX:+PrintFlagsFinal"], &["Work", "1"]);
        let flag = flags.lines().find(|l| l.contains("DontCompileHugeMethods"));
        assert!(flag.unwrap().contains("= false"), "{flag:?}");
    }
}
