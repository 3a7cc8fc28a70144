//! Workloads and command lines that cannot be measured: each gets its message and exit code, and
//! leaves no temporary file.

use crate::common::{Place, compile, compile_all, kit, stderr};

/// Words of the command line, exit code, what the message says.
type Case<'a> = (&'a [&'a str], i32, &'a str);

/// Two cases at a time: what most of them take is the start of a JVM.
fn check(cases: &[Case<'_>]) {
    std::thread::scope(|scope| {
        for first in 0..2 {
            scope.spawn(move || cases.iter().skip(first).step_by(2).for_each(check_one));
        }
    });
}

fn check_one((words, code, message): &Case<'_>) {
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
        (
            &["--", "java", "@options", "X"],
            2,
            "@options is not supported",
        ),
        (&["--", "java", "X.java"], 2, "X.java is not supported"),
        (
            &["--iteration-timeout", "nan", "suite:Towers"],
            2,
            "give a number from 0.1 to 86400",
        ),
        (
            &["--iteration-timeout", "1e300", "suite:Towers"],
            2,
            "give a number from 0.1 to 86400",
        ),
        (
            &["--target", "nan", "suite:Towers"],
            2,
            "give a number from",
        ),
        (&["--", "java", "-jar", &jar], 2, "name the class instead"),
        (&["queens"], 2, "use suite:Queens, class:CLASS"),
        (
            &["--target", "0", "suite:Queens"],
            2,
            "give a number from 1 to 1000",
        ),
        (
            &["--iteration-timeout", "-1", "suite:Queens"],
            2,
            "give a number from 0.1 to 86400",
        ),
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
            "an iteration is still running after 2.0 s, the limit (--iteration-timeout): it must return; it is here:\n  at proofmark.suite.trouble.Hangs.run",
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
fn an_exit_in_another_thread_is_one_of_the_program() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let body = "public static void main(String[] words) throws Exception {
        Thread other = new Thread(() -> System.exit(9));
        other.start();
        other.join();
    }";
    compile_all(&kit, place.path(), &[("Elsewhere", body)]);
    check(&[(
        &[
            "class:Elsewhere",
            "--class-path",
            &place.path().display().to_string(),
        ],
        3,
        "the program failed: iteration 1: the program exited with status 9 (only 0 is a normal end)",
    )]);
}

/// Programs without arguments, by what their `main` does.
const BODIES: [(&str, &str); 7] = [
    (
        "Exits",
        "System.err.println(\"begun\\nno \\u001b[2Jfile\\nusage: Exits FILE\"); System.exit(7);",
    ),
    (
        "Stateful",
        "if (++runs > 1) throw new IllegalStateException(\"already begun\");",
    ),
    (
        "Differs",
        "System.out.print(\"begun\\n\\u001b[2Jdone in \" + ++runs + \" ms\\n\");",
    ),
    (
        "More",
        "System.out.println(1); if (++runs > 1) System.out.println(2);",
    ),
    (
        "Behind",
        "System.out.print(\"x\".repeat(1 << 20) + ++runs);",
    ),
    ("Reads", "System.out.println(System.in.read());"),
    ("Large", "System.out.println(new byte[100 << 20].length);"),
];

#[test]
fn programs_of_others_that_cannot_be_repeated_say_why() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let classes = place.path();
    let programs = BODIES.map(|(class, body)| {
        let main = "static int runs; public static void main(String[] a) throws Exception";
        (class, format!("{main} {{ {body} }}"))
    });
    let with_main = programs.iter().map(|(class, body)| (*class, body.as_str()));
    let all: Vec<(&str, &str)> = with_main.chain([("NoMain", "")]).collect();
    compile_all(&kit, classes, &all);
    let path = classes.display().to_string();
    check(&[
        (
            &["class:Exits", "--class-path", &path],
            3,
            "the program failed: iteration 1: the program exited with status 7 (only 0 is a normal end):\n  \
             | begun\n  | no \u{fffd}[2Jfile\n  | usage: Exits FILE\n",
        ),
        (
            &["class:Stateful", "--class-path", &path],
            3,
            "iteration 2 failed: java.lang.IllegalStateException: already begun",
        ),
        (
            &["class:Differs", "--class-path", &path],
            3,
            "not repeatable: iteration 2 printed another line 2 than the first one; Proofmark needs a workload that does the same work every time. \
             Let it print times and the like to standard error, which is not compared, or not at all: no option leaves lines out\n  \
             | first: \u{fffd}[2Jdone in 1 ms\n  | then:  \u{fffd}[2Jdone in 2 ms\n",
        ),
        (
            &["class:More", "--class-path", &path],
            3,
            "no option leaves lines out\n  | first: (nothing more)\n  | then:  2\n",
        ),
        (
            &["class:Behind", "--class-path", &path],
            3,
            "not repeatable: iteration 2 gave 1048577 bytes of output",
        ),
        (
            &["class:Reads", "--class-path", &path],
            3,
            "which Proofmark cannot repeat: read from a file instead, given as an argument\n  at Reads.main(Reads.java:1)\n",
        ),
        (
            &["--", "java", "-Xmx2g", "-cp", &path, "Large"],
            3,
            "--heap sets it, not -Xmx",
        ),
        (
            &["class:NoMain", "--class-path", &path],
            2,
            "it has no main method",
        ),
        (
            &["--", "java", "-XX:+NoSuchOption", "-cp", &path, "Exits"],
            3,
            "Unrecognized VM option 'NoSuchOption'",
        ),
    ]);
}

/// Without being told, the JVM writes it into the user's working directory.
#[test]
fn the_report_of_a_crash_is_in_the_directory_of_the_run() {
    let Some(kit) = kit() else { return };
    let (place, classes) = (Place::new(), tempfile::tempdir().unwrap());
    let body = "static int times; public static void main(String[] a) throws Exception { if (++times > 3) { \
                var f = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\"); f.setAccessible(true); \
                ((sun.misc.Unsafe) f.get(null)).putInt(8L, 1); } }";
    compile(&kit, classes.path(), "Crashes", body);
    let classes_path = classes.path().display().to_string();
    let work = place.path().join("work");
    std::fs::create_dir(&work).unwrap();
    let java = ["--", "java", "-XX:-CreateCoredumpOnCrash"];
    let output = place
        .divine(&java)
        .args(["-cp", &classes_path, "Crashes"])
        .current_dir(&work)
        .output()
        .unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let report = place.path().join("out/divine.hs_err.log");
    let said = format!("and the report of its crash is in {}; ", report.display());
    assert!(text.contains(&said), "{text}");
    let report = std::fs::read_to_string(&report).unwrap();
    assert!(report.contains("SIGSEGV"), "{report}");
    assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0, "{text}");
}

/// Each of these programs goes on until it has seen enough and then fails on purpose.
#[test]
fn programs_that_are_rough_with_the_jvm_are_repeated() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let classes = place.path();
    let runs = "static int runs; void seen() { if (++runs == 5) throw new IllegalStateException(\"five runs\"); }";
    let programs = [
        ("Closes", "System.out.println(7); System.out.close();"),
        ("Interrupts", "Thread.currentThread().interrupt();"),
        (
            "Streams",
            "System.err.print(\"\"); System.out.println(7); System.setOut(null); System.setErr(null); System.setIn(null);",
        ),
    ];
    let programs = programs.map(|(class, body)| {
        let body = format!("{runs} void main() throws Exception {{ {body} seen(); }}");
        (class, body)
    });
    let all = programs
        .each_ref()
        .map(|(class, body)| (*class, body.as_str()));
    compile_all(&kit, classes, &all);
    let path = classes.display().to_string();
    let words = ["class:Closes", "class:Interrupts", "class:Streams"];
    let words = words.map(|class| [class, "--class-path", &path]);
    let failed = "iteration 5 failed: java.lang.IllegalStateException: five runs";
    check(&words.each_ref().map(|words| (&words[..], 3, failed)));
}

/// Its units would be looked for in vain, after a minute of warming up.
#[test]
fn a_plan_of_another_program_is_refused_before_anything_starts() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let plan = place.path().join("plan.json");
    std::fs::write(&plan, PLAN_OF_BOUNCE).unwrap();
    let plan = plan.display().to_string();
    let mut command = place.command("assess", &["suite:Towers", "--plan", &plan]);
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("is a plan for Bounce, not for Towers"),
        "{text}"
    );
    assert!(!text.contains("starting the JVM"), "{text}");
}

/// Found out after minutes in the laboratory otherwise.
#[test]
fn profilers_that_cannot_be_started_are_refused_before_anything_starts() {
    if kit().is_none() {
        return;
    }
    for (words, message) in [
        (["--profiler", "cmd:sleep 5"].as_slice(), "write {out}"),
        (&["--profiler", "cmd:/none {pid} {out}"], "no such program"),
        (
            &["--profiler", "async", "--async-library", "/bin/ls"],
            "/bin/ls is no agent library",
        ),
    ] {
        let place = Place::new();
        let output = place
            .command("assess", &["suite:Towers"])
            .args(words)
            .output()
            .unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(message), "{text}");
        assert!(!text.contains("starting the JVM"), "{text}");
    }
}

/// The second side's JVM would come after a minute in the first one's.
#[test]
fn options_that_no_jvm_starts_with_are_refused_before_anything_starts() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args([
            "events",
            "diff",
            "suite:Towers",
            "--b=-XX:+NoSuchOption",
            "--out",
        ])
        .arg(place.path().join("out"))
        .output()
        .unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    let message = "no JVM starts with the options of --b (-XX:+NoSuchOption): ";
    assert!(text.contains(message), "{text}");
    assert!(text.contains("Unrecognized VM option"), "{text}");
    assert!(!text.contains("starting the JVM"), "{text}");
}

const PLAN_OF_BOUNCE: &str = r#"{
    "format": "proofmark-plan", "version": 1, "workload": "Bounce", "target_pct": 100.0,
    "environment": {"machine": "m", "jdk": "j", "graal": "g", "event": "cpu-clock:u"},
    "units": [], "coverage_pct": 99.0, "plans_tried": 1, "wall_s": 1.0, "overhead_pct": null,
    "block_error_pt": null, "block_error_raw_pt": null, "block_error_noise_pt": null,
    "cluster_error_pt": null, "within_10_pt_pct": null
}"#;
