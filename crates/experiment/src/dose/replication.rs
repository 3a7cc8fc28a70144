//! How often everything was done, and what that says of other JVMs.

use std::collections::BTreeMap;

use proofmark_stats::clopper_pearson;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Unfinished;
use super::advice::listed;

/// How often everything was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replication {
    /// JVMs per profiler, without those that were added.
    pub runs: usize,
    /// JVMs that were added for profilers that the others had left open, because they would probably decide, and that have a result;
    /// those that failed are in `failed_runs`. Each has as many windows as one of the others, or fewer where the test was late, as a
    /// remark then says. Empty where a number was asked for, and in earlier results.
    #[serde(default)]
    pub added: BTreeMap<String, usize>,
    /// JVMs that were measured at the same time; 1 in earlier results.
    #[serde(default = "one")]
    pub at_once: usize,
    /// Over what the intervals of rows are taken.
    pub level: ReplicationLevel,
    /// What follows for whoever reads the result, in a sentence.
    pub says: String,
    /// JVMs that were to be added and were ended before they had a result: the result is that of the others. Null where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
}

/// Over what intervals are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplicationLevel {
    /// Windows of one JVM; n of a row counts samples.
    Windows,
    /// JVMs; n of a row counts them.
    Runs,
}

impl Replication {
    /// So many JVMs per profiler.
    #[must_use]
    pub fn of(runs: usize) -> Self {
        let (level, says) = match runs {
            0 | 1 => (
                ReplicationLevel::Windows,
                "one JVM per profiler: the intervals do not cover differences between JVMs, above all in inlining"
                    .to_owned(),
            ),
            runs => (
                ReplicationLevel::Runs,
                format!(
                    "{runs} JVMs per profiler, each judged by itself: values are means over them, and n counts JVMs; even where all \
                     of them agree, {runs} JVMs cannot rule out that others differ (up to {:.0} % of all JVMs, by an exact 95 % interval){}",
                    100.0 * others(runs),
                    more_runs(runs)
                ),
            ),
        };
        Self {
            runs: runs.max(1),
            added: BTreeMap::new(),
            at_once: 1,
            level,
            says,
            unfinished: None,
        }
    }

    /// The same with so many JVMs added for each of some profilers.
    #[must_use]
    pub fn with_added(self, added: BTreeMap<String, usize>) -> Self {
        let each = added.iter();
        let each = each.map(|(name, more)| format!("{more} more JVMs for {name}"));
        let each: Vec<String> = each.collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        let beside = match each.is_empty() {
            true => String::new(),
            false => format!("; {}, which these left undecided", listed(&each)),
        };
        Self {
            added,
            says: self.says + &beside,
            ..self
        }
    }

    /// The same with so many JVMs at the same time.
    #[must_use]
    pub fn at_once(self, jvms: usize) -> Self {
        let beside = match jvms {
            0 | 1 => String::new(),
            jvms => format!("; {jvms} JVMs were measured at the same time"),
        };
        Self {
            at_once: jvms.max(1),
            says: self.says + &beside,
            ..self
        }
    }

    /// The same, without those that were to be added.
    #[must_use]
    pub fn with_unfinished(self, unfinished: Option<Unfinished>) -> Self {
        Self { unfinished, ..self }
    }

    /// Greatest part of all JVMs that may do what none of those asked did, %: the end of the exact 95 % interval. None of one JVM.
    #[must_use]
    pub fn may_differ_pct(&self) -> Option<f64> {
        (self.runs > 1).then(|| 100.0 * others(self.runs))
    }

    /// Whether the user ended it before all JVMs had a result that were to have one.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.unfinished.as_ref().is_some_and(|one| one.interrupted)
    }
}

/// As many JVMs at the same time, or looks at the program as it is, as before there were several.
pub(super) fn one() -> usize {
    1
}

/// `; --runs 10 asks more`, where fewer were asked.
fn more_runs(runs: usize) -> &'static str {
    match runs < 10 {
        true => "; --runs 10 asks more",
        false => "",
    }
}

/// Greatest part of all JVMs that may do what none of so many did, 0 to 1: the end of the exact 95 % interval.
fn others(jvms: usize) -> f64 {
    clopper_pearson(0, jvms as u64).map_or(1.0, |part| part.high)
}

impl Default for Replication {
    fn default() -> Self {
        Self::of(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jvms_that_were_added_are_told_with_their_profilers() {
        let none = Replication::of(3).with_added(BTreeMap::new());
        assert_eq!(none, Replication::of(3));
        let added = BTreeMap::from([("async".to_owned(), 2), ("jfr".to_owned(), 2)]);
        let two = Replication::of(3).with_added(added).at_once(2);
        let said = "; 2 more JVMs for async and 2 more JVMs for jfr, which these left undecided; 2 JVMs were measured at the same time";
        assert!(two.says.ends_with(said), "{}", two.says);
        assert_eq!((two.runs, two.added.len(), two.at_once), (3, 2, 2));
    }
}
