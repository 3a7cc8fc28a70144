//! Workloads and command lines that cannot be measured: each gets its message and exit code, and
//! leaves no temporary file.

mod common;

use common::{Place, compile, kit, stderr};

/// Words of the command line, exit code, what the message says.
type Case<'a> = (&'a [&'a str], i32, &'a str);

fn check(cases: &[Case<'_>]) {
    for (words, code, message) in cases {
        let place = Place::new();
        let output = place.divine(words).output().unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {text}");
        assert!(text.contains(message), "{words:?}: {text}");
        assert_eq!(
            place.temporary_files(),
            Vec::<std::path::PathBuf>::new(),
            "{words:?}"
        );
    }
}

#[test]
fn command_lines_that_make_no_sense_are_usage_errors() {
    let place = tempfile::tempdir().unwrap();
    let jar = place.path().join("x.jar").display().to_string();
    std::fs::write(&jar, "no zip").unwrap();
    check(&[
        (
            &["suite:Nothing"],
            2,
            "is not a workload: use suite:NAME (one of Bounce",
        ),
        (&[], 2, "give a workload"),
        (
            &["class:X", "--class-path", "/nonexistent"],
            2,
            "no such file on the class path: /nonexistent",
        ),
        (&["--", "python", "x.py"], 2, "is not a java command"),
        (&["--", "java", "-jar", &jar], 2, "name the class instead"),
    ]);
}

#[test]
fn each_trouble_has_its_message() {
    if kit().is_none() {
        return;
    }
    check(&[
        (
            &["suite:trouble.Throws"],
            3,
            "thrown on purpose in iteration 5\n  at proofmark.suite.trouble.Throws.run",
        ),
        (
            &["--iteration-timeout", "2", "suite:trouble.Hangs"],
            3,
            "an iteration is still running after 2.0 s",
        ),
        (
            &["suite:trouble.Unrepeatable"],
            3,
            "computed a wrong result",
        ),
        (
            &["suite:trouble.Forks"],
            3,
            "starts threads in every iteration",
        ),
        (&["suite:trouble.Cold"], 3, "never hot"),
        (
            &["suite:trouble.Nothing"],
            2,
            "cannot load the workload proofmark.suite.trouble.Nothing",
        ),
    ]);
}

#[test]
fn programs_of_others_that_cannot_be_repeated_say_why() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let classes = place.path();
    let main = |class: &str, body: &str| {
        compile(
            &kit,
            classes,
            class,
            &format!("static int runs; public static void main(String[] a) {{ {body} }}"),
        )
    };
    main("Exits", "System.exit(7);");
    main(
        "Stateful",
        "if (++runs > 1) throw new IllegalStateException(\"already begun\");",
    );
    main("Differs", "System.out.println(runs++);");
    let path = classes.display().to_string();
    check(&[
        (
            &["class:Exits", "--class-path", &path],
            3,
            "the program exited with status 7",
        ),
        (
            &["class:Stateful", "--class-path", &path],
            3,
            "iteration 2 failed: java.lang.IllegalStateException: already begun",
        ),
        (
            &["class:Differs", "--class-path", &path],
            3,
            "not repeatable: iteration 2 gave",
        ),
        (
            &["--", "java", "-XX:+NoSuchOption", "-cp", &path, "Exits"],
            3,
            "Unrecognized VM option 'NoSuchOption'",
        ),
    ]);
}
