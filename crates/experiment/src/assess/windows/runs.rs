//! Windows of several runs: each run is stored by itself, and all of them are judged together.

use std::collections::BTreeSet;

use proofmark_assess::Condition;

use super::JvmWindows;

impl JvmWindows {
    /// The same windows as those of this run, which is numbered from 0.
    #[must_use]
    pub fn in_run(mut self, run: u32) -> Self {
        for seen in &mut self.windows {
            seen.at.run = run;
        }
        self
    }

    /// Numbers of the runs that there are windows of, ascending.
    #[must_use]
    pub fn runs(&self) -> Vec<u32> {
        let all: BTreeSet<u32> = self.windows.iter().map(|seen| seen.at.run).collect();
        all.into_iter().collect()
    }

    /// What was seen in one run.
    #[must_use]
    pub fn of_run(&self, run: u32) -> Self {
        let mut one = self.clone();
        one.windows.retain(|seen| seen.at.run == run);
        one
    }

    /// What was seen in all runs of one profiler, from the windows of each. Runs that failed are told, if another one did
    /// not; if all did, the first one stands for them. None of no run.
    #[must_use]
    pub fn of_runs(runs: Vec<JvmWindows>) -> Option<Self> {
        let failed = |(at, run): (usize, &JvmWindows)| {
            let reason = run.failure.as_ref()?;
            Some(format!(
                "run {} failed and does not count: {reason}",
                at + 1
            ))
        };
        let failed_runs: Vec<String> = runs.iter().enumerate().filter_map(failed).collect();
        let first_failure = runs.iter().find(|run| run.failure.is_some()).cloned();
        let mut good = runs.into_iter().filter(|run| run.failure.is_none());
        let Some(mut all) = good.next() else {
            return first_failure;
        };
        good.for_each(|run| all.add_run(run));
        all.failed_runs = failed_runs;
        Some(all)
    }

    /// Adds what was seen in a later run. Windows and blocks are numbered from [`JvmWindows::next`] on; what was dosed is
    /// the same in both if it has the same label.
    fn add_run(&mut self, later: JvmWindows) {
        let (window, block) = self.next();
        let places = later.targets.iter().map(|target| self.place_of(target));
        let places: Vec<u32> = places.collect();
        let place = |at: u32| places.get(at as usize).copied().unwrap_or(at);
        for mut seen in later.windows {
            seen.at.window += window;
            seen.at.block += block;
            seen.at.condition = match seen.at.condition {
                Condition::SingleLow(at) => Condition::SingleLow(place(at)),
                Condition::Single(at) => Condition::Single(place(at)),
                other => other,
            };
            self.windows.push(seen);
        }
        self.overloads_merged |= later.overloads_merged;
        self.analyses = self.analyses.max(later.analyses);
        for (name, doubt) in later.border_doubt {
            let known = self.border_doubt.entry(name).or_default();
            *known = known.max(doubt);
        }
    }

    /// The place of what is dosed, which is added if it is not there.
    fn place_of(&mut self, target: &(String, String)) -> u32 {
        let known = self.targets.iter().position(|one| one.1 == target.1);
        let place = known.unwrap_or_else(|| {
            self.targets.push(target.clone());
            self.targets.len() - 1
        });
        place as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proofmark_assess::{Role, WindowAt};

    use super::*;
    use crate::assess::windows::Seen;

    /// A run with windows under these conditions, in which the methods of these names are dosed.
    fn run(number: u32, conditions: &[Condition], dosed: &[&str]) -> JvmWindows {
        let seen = |(window, condition): (u32, &Condition)| Seen {
            at: WindowAt {
                window,
                run: 0,
                block: window / 2,
                condition: *condition,
                seconds: 1.0,
            },
            streams: Vec::new(),
            iteration_ms: vec![1.0],
            winsorized_ms: None,
            profile: None,
        };
        let one = JvmWindows {
            name: "x".into(),
            role: Role::Subject,
            analyses: 1,
            failure: None,
            failed_runs: Vec::new(),
            windows: (0..).zip(conditions).map(seen).collect(),
            targets: (dosed.iter())
                .map(|name| ((*name).to_owned(), format!("block of {name}")))
                .collect(),
            overloads_merged: false,
            border_doubt: BTreeMap::from([("a".into(), 0.1 * f64::from(number))]),
        };
        one.in_run(number)
    }

    #[test]
    fn windows_go_on_from_run_to_run_and_doses_keep_their_names() {
        use Condition::{Baseline, Single, SingleLow};
        let first = run(0, &[Baseline, Single(0), Single(1)], &["a", "b"]);
        let second = run(1, &[SingleLow(0), Single(1), Baseline], &["b", "c"]);
        let all = JvmWindows::of_runs(vec![first, second]).expect("two runs");
        let at: Vec<(u32, u32, u32, Condition)> = all
            .windows
            .iter()
            .map(|seen| {
                (
                    seen.at.window,
                    seen.at.run,
                    seen.at.block,
                    seen.at.condition,
                )
            })
            .collect();
        assert_eq!(
            at,
            [
                (0, 0, 0, Baseline),
                (1, 0, 0, Single(0)),
                (2, 0, 1, Single(1)),
                (3, 1, 2, SingleLow(1)),
                (4, 1, 2, Single(2)),
                (5, 1, 3, Baseline),
            ]
        );
        let labels: Vec<&str> = all.targets.iter().map(|(_, label)| &label[..]).collect();
        assert_eq!(labels, ["block of a", "block of b", "block of c"]);
        assert_eq!(all.border_doubt["a"], 0.1, "the larger one");
        assert_eq!(all.runs(), [0, 1]);
        assert_eq!(all.of_run(1).windows.len(), 3);
    }

    #[test]
    fn runs_that_failed_are_told_and_the_others_count() {
        let good = || run(2, &[Condition::Baseline], &[]);
        let bad = || JvmWindows::failed("x", "it ended".into());
        let all = JvmWindows::of_runs(vec![bad(), good()]).expect("runs");
        assert_eq!((all.failure.clone(), all.windows.len()), (None, 1));
        assert_eq!(
            all.failed_runs,
            ["run 1 failed and does not count: it ended"]
        );
        let none = JvmWindows::of_runs(vec![bad(), bad()]).expect("runs");
        assert_eq!(none.failure.as_deref(), Some("it ended"));
        assert!(none.failed_runs.is_empty());
        assert!(JvmWindows::of_runs(Vec::new()).is_none());
    }
}
