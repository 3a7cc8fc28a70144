//! What the harness answers when it cannot do what it was told, for people.

use std::path::Path;

use super::answers::{Failure, FailureKind};
use super::exited::with_last_lines;
use crate::error::LabError;
use crate::space::is_full;

/// The error for a failed request of this name; `log` is the JVM's output.
pub(super) fn refusal(command: &str, failure: Failure, log: &Path) -> LabError {
    let Failure {
        kind,
        message,
        trace,
    } = failure;
    let trace = shortened(&trace, &message, kind == FailureKind::Workload);
    match kind {
        FailureKind::Workload => LabError::Workload {
            message: with_our_question(with_what_lacks(with_last_lines(message, log))),
            trace,
        },
        FailureKind::Load => LabError::NoWorkload(message),
        FailureKind::Harness => {
            let directory = log.parent().unwrap_or(log);
            if may_be_a_full_disk(command, &message) && is_full(directory) {
                return LabError::Full(directory.to_owned());
            }
            LabError::Refused {
                command: command.to_owned(),
                message,
                trace,
                log: log.to_owned(),
            }
        }
    }
}

/// Whether what could not be done writes files beside the JVM's output, as profilers do.
fn may_be_a_full_disk(command: &str, message: &str) -> bool {
    command.starts_with("profiler-") || message.contains("java.io.")
}

/// What the program failed with; of a class that is not there, what to do.
fn with_what_lacks(message: String) -> String {
    let lacks = ["NoClassDefFoundError: ", "ClassNotFoundException: "];
    match lacks.iter().any(|error| message.contains(error)) {
        true => {
            format!(
                "{message} (is it on the class path? -cp must name every JAR that the program needs)"
            )
        }
        false => message,
    }
}

/// What the program failed with; where it printed what Proofmark asks class loaders for, that and what to do.
fn with_our_question(message: String) -> String {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default();
    let differs = first.contains("not repeatable: ");
    let ours = |line: &str| OUR_CLASSES.iter().any(|name| line.contains(name));
    match differs && lines.any(ours) {
        true => format!(
            "{message}\n  That is a class of Proofmark's, which rewritten code needs: the program's class loader prints what it is asked for. \
            Let it print that to standard error, or not what begins with java.lang.Proofmark or proofmark."
        ),
        false => message,
    }
}

/// What names of classes contain that the JVM asks a program's class loaders for because of Proofmark.
const OUR_CLASSES: [&str; 3] = [
    "java.lang.Proofmark",
    "java/lang/Proofmark",
    "proofmark.count.",
];

/// A Java stack trace for people, every line after a line feed. Of a workload's the frames of its own code alone: ours tell its user
/// nothing, nor do those of the JDK, unless the workload is of the JDK itself.
fn shortened(trace: &str, message: &str, of_workload: bool) -> String {
    // Stacks of running threads name the loader of the class path, those of exceptions do not.
    let line = |line: &str| line.trim().replace("at app//", FRAME);
    let all: Vec<String> = trace.lines().map(line).collect();
    let lines = all.iter().map(String::as_str);
    let lines = lines.filter(|line| {
        !(line.is_empty() || message.ends_with(line) || of_workload && is_ours(line))
    });
    let lines: Vec<&str> = lines.collect();
    let has_own = of_workload && lines.iter().any(|line| is_own(line));
    lines
        .into_iter()
        .filter(|line| !(has_own && is_of_the_jdk(line)))
        .take(12)
        .map(|line| format!("\n  {line}"))
        .collect()
}

/// What a line of a stack trace with a frame begins with.
const FRAME: &str = "at ";

/// Whether a line is a frame of the harness, or of what it calls the workload by.
fn is_ours(line: &str) -> bool {
    const OURS: [&str; 5] = [
        "at proofmark.harness.",
        "at jdk.internal.reflect.",
        "at java.base/jdk.internal.reflect.",
        "at java.base/java.lang.reflect.Method.invoke",
        "... ",
    ];
    OURS.iter().any(|prefix| line.starts_with(prefix))
}

/// Whether a line is a frame of a module of the JDK, such as `at java.base/java.lang.Thread.sleep(Native Method)`.
fn is_of_the_jdk(line: &str) -> bool {
    let frame = line.strip_prefix(FRAME).unwrap_or_default();
    let module = frame.split_once('/').map_or("", |(module, _)| module);
    module.starts_with("java.") || module.starts_with("jdk.")
}

/// Whether a line is a frame of the workload's own code.
fn is_own(line: &str) -> bool {
    line.starts_with(FRAME) && !is_of_the_jdk(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const READS: &str = "the program reads standard input\n\tat proofmark.harness.MainWorkload$NoInput.read(MainWorkload.java:99)\n\
        \tat java.base/java.io.InputStream.read(InputStream.java:296)\n\tat java.base/java.util.Scanner.next(Scanner.java:1485)\n\
        \tat com.acme.Main.ask(Main.java:7)\n\tat com.acme.Main.main(Main.java:3)\n\
        \tat java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:104)\n\
        \tat java.base/java.lang.reflect.Method.invoke(Method.java:565)\n\
        \tat proofmark.harness.Workload.call(Workload.java:90)\n\tat java.base/java.lang.Thread.run(Thread.java:1474)\n";

    #[test]
    fn of_a_workloads_stack_its_own_frames_are_shown() {
        let message = "iteration 1 failed: the program reads standard input";
        let own = "\n  at com.acme.Main.ask(Main.java:7)\n  at com.acme.Main.main(Main.java:3)";
        assert_eq!(shortened(READS, message, true), own);
        let all = shortened(READS, message, false);
        assert!(
            all.contains("at proofmark.harness.MainWorkload$NoInput"),
            "{all}"
        );
        assert!(all.contains("at java.base/java.util.Scanner"), "{all}");
    }

    #[test]
    fn what_writes_files_may_fail_by_a_full_disk() {
        assert!(may_be_a_full_disk("profiler-stop", "it was not started"));
        assert!(may_be_a_full_disk("window", "java.io.IOException: error"));
        assert!(!may_be_a_full_disk("window", "no such site"));
        let place = tempfile::tempdir().expect("a directory");
        let failure = Failure {
            kind: FailureKind::Harness,
            message: "java.io.IOException: error".into(),
            trace: String::new(),
        };
        let full = is_full(place.path());
        let told = refusal("profiler-stop", failure, &place.path().join("jvm.log"));
        assert_eq!(matches!(told, LabError::Full(_)), full, "{told}");
        let words = told.to_string();
        assert!(!words.contains("laboratory"), "{words}");
    }

    #[test]
    fn of_a_class_that_is_not_there_the_class_path_is_named() {
        let failed = |message: &str| with_what_lacks(message.to_owned());
        let lacks = failed("iteration 1 failed: java.lang.NoClassDefFoundError: org/acme/Csv");
        let to_do = "Csv (is it on the class path? -cp must name every JAR that the program needs)";
        assert!(lacks.ends_with(to_do), "{lacks}");
        let other = "iteration 1 failed: java.lang.IllegalStateException: late";
        assert_eq!(failed(other), other);
    }

    /// Those of a thread that still runs.
    #[test]
    fn frames_with_the_name_of_their_loader_are_known_too() {
        let running = "\tat app//com.acme.Main.main(Main.java:3)\n\
            \tat jdk.internal.reflect.GeneratedMethodAccessor1.invoke(Unknown Source)\n\
            \tat app//proofmark.harness.Workload.call(Workload.java:90)\n";
        let own = "\n  at com.acme.Main.main(Main.java:3)";
        assert_eq!(shortened(running, "it is here:", true), own);
    }

    #[test]
    fn of_a_loader_that_prints_our_question_that_is_said() {
        let differs = |first: &str| {
            format!(
                "the workload is not repeatable: iteration 2 printed another line 1 than the first one\n  | first: {first}\n  | then:  7"
            )
        };
        let asked = differs("asked for java.lang.ProofmarkSites");
        let told = with_our_question(asked.clone());
        let added = told.strip_prefix(&asked).unwrap();
        assert!(
            added.starts_with("\n  That is a class of Proofmark's"),
            "{told}"
        );
        let other = differs("asked for java.lang.String");
        assert_eq!(with_our_question(other.clone()), other);
        let failed = "iteration 1 failed: java.lang.Error\n  of java.lang.ProofmarkSites";
        assert_eq!(with_our_question(failed.to_owned()), failed);
    }

    #[test]
    fn causes_stay() {
        let trace = "java.lang.IllegalStateException: late\n\tat p.A.run(A.java:3)\n\
            Caused by: java.io.IOException: gone\n\tat java.base/java.io.Reader.read(Reader.java:1)\n\t... 9 more\n";
        let told = shortened(
            trace,
            "iteration 2 failed: java.lang.IllegalStateException: late",
            true,
        );
        assert_eq!(
            told,
            "\n  at p.A.run(A.java:3)\n  Caused by: java.io.IOException: gone"
        );
    }

    /// Else nothing would be left of a program of the JDK, nor of one whose place is not known.
    #[test]
    fn frames_of_the_jdk_are_shown_where_there_are_no_others() {
        let compiler = "\tat jdk.compiler/com.sun.tools.javac.Main.compile(Main.java:50)\n";
        let shown = "\n  at jdk.compiler/com.sun.tools.javac.Main.compile(Main.java:50)";
        assert_eq!(shortened(compiler, "it is here:", true), shown);
        let loops = "\tin a loop that never reaches a safepoint\n";
        let shown = "\n  in a loop that never reaches a safepoint";
        assert_eq!(shortened(loops, "it is here:", true), shown);
    }
}
