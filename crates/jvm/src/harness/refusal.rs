//! What the harness answers when it cannot do what it was told, for people.

use std::path::Path;

use super::answers::{Failure, FailureKind};
use crate::error::LabError;

/// The error for a failed request of this name; `log` is the JVM's output.
pub(super) fn refusal(command: &str, failure: Failure, log: &Path) -> LabError {
    let Failure {
        kind,
        message,
        trace,
    } = failure;
    let trace = shortened(&trace, &message, kind == FailureKind::Workload);
    match kind {
        FailureKind::Workload => LabError::Workload { message, trace },
        FailureKind::Load => LabError::NoWorkload(message),
        FailureKind::Harness => LabError::Refused {
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
