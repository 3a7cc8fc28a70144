//! What the harness answers when it cannot do what it was told, for people.

use std::path::Path;

use crate::error::LabError;

/// The error for an answer of this kind to a command; `log` is the JVM's output.
pub(crate) fn refusal(
    command: &str,
    kind: Option<&str>,
    message: String,
    trace: &str,
    log: &Path,
) -> LabError {
    let trace = shortened(trace, &message, kind == Some("workload"));
    match kind {
        Some("workload") => LabError::Workload { message, trace },
        Some("load") => LabError::NoWorkload(message),
        _ => LabError::Refused {
            command: command.to_owned(),
            message,
            trace,
            log: log.to_owned(),
        },
    }
}

/// A Java stack trace for people, every line after a line feed; of the workload's, without our frames.
fn shortened(trace: &str, message: &str, of_workload: bool) -> String {
    const OURS: [&str; 4] = [
        "at proofmark.harness.",
        "at java.base/jdk.internal.reflect.",
        "at java.base/java.lang.reflect.Method.invoke",
        "... ",
    ];
    let ours = |line: &str| OURS.iter().any(|prefix| line.starts_with(prefix));
    trace
        .lines()
        .map(str::trim)
        .filter(|line| !(line.is_empty() || message.ends_with(line) || of_workload && ours(line)))
        .take(12)
        .map(|line| format!("\n  {line}"))
        .collect()
}
