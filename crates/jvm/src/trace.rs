//! Stack traces of the JVM for people.

/// A Java stack trace for people, every line after a line feed; of the workload's, without our frames.
pub(crate) fn shortened(trace: &str, message: &str, of_workload: bool) -> String {
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
