//! Processes of a profiler that failed: which, why, and where their output is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A JVM that did not do what it was asked for, under a profiler that is judged by others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailedRun {
    /// Its number among the profiler's JVMs, from 1.
    pub run: usize,
    /// Why.
    pub reason: String,
    /// Where its output is; null where it left none.
    pub log: Option<String>,
}

impl FailedRun {
    /// `the JVM ended (...); its output is in DIR/jvm.log`
    #[must_use]
    pub fn why(&self) -> String {
        with_log(self.reason.clone(), self.log.as_deref())
    }

    /// The same with the first line of the reason alone.
    #[must_use]
    pub fn why_in_short(&self) -> String {
        in_short(&self.reason, self.log.as_deref())
    }
}

/// The first line of a reason, and where the output is.
pub(super) fn in_short(reason: &str, log: Option<&str>) -> String {
    let first = reason.lines().next().unwrap_or_default();
    with_log(first.trim_end_matches([':', ';']).to_owned(), log)
}

/// A reason with the place of the output behind it, unless it names that itself.
pub(super) fn with_log(reason: String, log: Option<&str>) -> String {
    match log.filter(|log| !reason.contains(log)) {
        Some(log) => format!("{reason}; its output is in {log}"),
        None => reason,
    }
}

/// Why a profiler is not judged, of whose JVMs so many were to be started.
pub(super) fn not_judged(failed: &[FailedRun], runs: usize) -> String {
    let each = failed.iter().map(|one| match runs {
        0 | 1 => one.why(),
        runs => format!("run {} of {runs}: {}", one.run, one.why()),
    });
    let each: Vec<String> = each.collect();
    let few = match runs {
        0..=2 => "",
        _ => "; with fewer than two JVMs left it is not judged",
    };
    format!("{}{few}", each.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(run: usize, reason: &str, log: Option<&str>) -> FailedRun {
        FailedRun {
            run,
            reason: reason.into(),
            log: log.map(str::to_owned),
        }
    }

    #[test]
    fn a_failed_run_says_why_and_where_its_output_is_once() {
        let died = "the JVM ended (signal 11) during 'window'; its last lines:\nSIGSEGV\nall of its output is in a/jvm.log";
        let died = one(2, died, Some("a/jvm.log"));
        assert_eq!(died.why(), died.reason, "it names its log itself");
        assert_eq!(
            died.why_in_short(),
            "the JVM ended (signal 11) during 'window'; its last lines; its output is in a/jvm.log"
        );
        let mute = one(3, "no samples", None);
        assert_eq!(mute.why(), "no samples");
        let profiler = one(1, "cannot be loaded", Some("b/jvm.log"));
        let said = not_judged(&[profiler.clone(), mute], 3);
        assert!(
            said.starts_with(
                "run 1 of 3: cannot be loaded; its output is in b/jvm.log\nrun 3 of 3: no samples; "
            ),
            "{said}"
        );
        let alone = not_judged(&[profiler], 1);
        assert_eq!(alone, "cannot be loaded; its output is in b/jvm.log");
    }
}
