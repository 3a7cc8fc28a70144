//! What is repeated in the laboratory.

use std::collections::BTreeMap;

use crate::dose::{Replication, ReplicationLevel};

/// So many runs of each profiler in the laboratory.
#[must_use]
pub fn replication(runs: u32) -> Replication {
    match runs {
        0 | 1 => Replication::of(1),
        runs => Replication {
            runs: runs as usize,
            added: BTreeMap::new(),
            at_once: 1,
            level: ReplicationLevel::Runs,
            says: format!(
                "{runs} runs per profiler, each a JVM whose profiles were collected anew: values are means over them, and \
                 intervals cover what differs between them; n of errors and shares counts samples"
            ),
            unfinished: None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_says_what_its_intervals_do_not_hold() {
        let one = replication(1);
        assert_eq!(one.level, ReplicationLevel::Windows);
        assert!(one.says.contains("do not cover differences between JVMs"));
        let five = replication(5);
        assert_eq!((five.level, five.runs), (ReplicationLevel::Runs, 5));
        assert!(five.says.starts_with("5 runs per profiler"));
    }
}
