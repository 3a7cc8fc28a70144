//! Programs that do not end as others do, and commands that say more than a class path.

use std::process::{Command, Stdio};

use crate::common::dosed::{command, compile, dose, jdks, result};
use crate::common::{Place, jvm_of, stderr, succeeds, until};
use crate::dose::CREW;
use rustix::process::{Pid, Signal, kill_process};

/// Its `main` never returns.
const WAITS: &str = "
public class Waits {
    public static void main(String[] arguments) throws Exception { Thread.currentThread().join(); }
}
";

/// The threads of its pool never end, its JAR opens a package of the JDK that it needs, and options are in the environment.
#[test]
fn a_jar_that_leaves_threads_behind_is_judged() {
    let Some(jdk) = jdks().pop() else { return };
    let place = tempfile::tempdir().unwrap();
    let classes = place.path().join("classes");
    std::fs::create_dir(&classes).unwrap();
    let opened = "String.class.getDeclaredField(\"value\").setAccessible(true); for (Future";
    let source = CREW
        .replace("thread.setDaemon(true);", "")
        .replace("for (Future", opened);
    compile(&classes, &jdk, "Crew.java", &source);
    let (manifest, jar) = (place.path().join("manifest"), place.path().join("crew.jar"));
    std::fs::write(
        &manifest,
        "Main-Class: Crew\nAdd-Opens: java.base/java.lang\n",
    )
    .unwrap();
    let mut tool = Command::new(jdk.join("bin/jar"));
    tool.args(["--create", "--file"]).arg(&jar);
    tool.arg("--manifest").arg(&manifest);
    succeeds(tool.arg("-C").arg(&classes).arg("."));
    let mut words = vec!["--profiler", "jfr+nonsafepoints", "--methods", "2"];
    words.extend(["--method", "Crew.mix", "--method", "Crew.fold"]);
    words.extend(["--rounds", "1", "--budget", "0", "--"]);
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
    for program in [&["suite:trouble.Hangs"][..], &waits[..]] {
        let place = tempfile::tempdir().unwrap();
        let options = ["--profiler", "jfr", "--iteration-timeout", "2"];
        let words = [&options[..], program].concat();
        let output = dose(place.path(), &jdk, &words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{program:?}: {said}");
        let hangs = said.contains("an iteration is still running after 2.0 s");
        assert!(hangs, "{program:?}: {said}");
        let server = "main must return; for a server see docs/programs.md#a-server; it is here:\n  at Waits.main(";
        assert_eq!(said.contains(server), program.len() > 1, "{said}");
        assert!(!said.contains("at java.base/"), "{said}");
    }
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
