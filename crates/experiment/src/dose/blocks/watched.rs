//! What one who watched saw: its windows, run by run.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;

use super::{Watched, WatchedTarget};
use crate::dose::{JavaShares, Row, Window, java_shares, over_runs, rows};

impl Watched {
    /// Each run by itself.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Watched> {
        std::iter::once(self).chain(&self.further)
    }

    /// What was dosed in any run, in the order of the targets; its windows are those of one run only.
    pub(super) fn dosed(&self) -> Vec<&WatchedTarget> {
        let mut all: BTreeMap<usize, &WatchedTarget> = BTreeMap::new();
        for dosed in self.runs().flat_map(|run| &run.targets) {
            all.entry(dosed.target).or_insert(dosed);
        }
        all.into_values().collect()
    }

    /// What all runs say of a target, whose method is given; none if no run has a row of it.
    pub(super) fn over_runs(&self, target: usize, method: &str) -> Option<OverRuns> {
        let row = |run: &Watched| {
            let dosed = run.targets.iter().find(|one| one.target == target)?;
            let rest = run.rest.iter().map(|window| window.iteration_ns);
            rows(method, &dosed.windows, &rest.collect::<Vec<f64>>())
        };
        let each: Vec<Row> = self.runs().filter_map(row).collect();
        let unknown = self.runs().count() - each.len();
        Some(OverRuns {
            row: widened(over_runs(&each)?, (each.len(), unknown)),
            each,
            unknown,
        })
    }

    /// Windows without a dose, of all runs.
    pub(super) fn all_rest(&self) -> Vec<Window> {
        let all = self.runs().flat_map(|run| &run.rest);
        all.cloned().collect()
    }

    /// Profiles without a dose, one for each of so many runs; who saw fewer shows the same again, so that it can be compared.
    pub(super) fn looks(&self, runs: usize) -> Vec<JavaShares> {
        let each: Vec<JavaShares> = self.runs().map(|run| java_shares(&run.rest)).collect();
        each.iter().cycle().take(runs).cloned().collect()
    }
}

/// The row of a target, from all runs.
pub(super) struct OverRuns {
    /// Over all of them.
    pub(super) row: Row,
    /// In each that has one.
    pub(super) each: Vec<Row>,
    /// Runs without one: the target was not dosed there, or too few windows of it are good.
    pub(super) unknown: usize,
}

/// A row over runs of which some have none: there anything from nothing to all of the added time may be in any place.
/// Values stay those of the runs that are known.
fn widened(row: Row, (known, unknown): (usize, usize)) -> Row {
    if unknown == 0 {
        return row;
    }
    let (known, unknown) = (known as f64, unknown as f64);
    let all = known + unknown;
    let cell = |part: &Estimate| Estimate {
        low: part.low.min(known * part.low / all),
        high: part.high.max((known * part.high + unknown) / all),
        ..*part
    };
    let elsewhere = row.elsewhere.iter();
    Row {
        in_place: cell(&row.in_place),
        at_line: row.at_line.as_ref().map(cell),
        elsewhere: elsewhere
            .map(|(name, part)| (name.clone(), cell(part)))
            .collect(),
        other: cell(&row.other),
        missing: row.missing.as_ref().map(cell),
        ..row
    }
}

#[cfg(test)]
mod tests {
    use proofmark_assess::Verdict;

    use super::super::{BlockTarget, block_doses};
    use super::*;
    use crate::dose::{Attribution, Level};

    /// Half of the samples are in the dosed method, and what makes an iteration longer than 100 ns goes to `to`.
    fn window(iteration_ns: f64, to: &str) -> Window {
        let mut methods =
            BTreeMap::from([("A.dosed".to_owned(), 500.0), ("A.other".to_owned(), 500.0)]);
        *methods.entry(to.to_owned()).or_default() += 10.0 * (iteration_ns - 100.0);
        Window {
            iteration_ns,
            methods,
            ..Window::default()
        }
    }

    /// A run in which the method is dosed, or cannot be.
    fn run(dosed: bool, to: &str) -> Watched {
        let pair = [
            (Level::Low, window(150.0, to)),
            (Level::High, window(300.0, to)),
        ];
        let target = WatchedTarget {
            target: 0,
            instructions: [1, 4],
            windows: [pair.clone(), pair.clone(), pair].concat(),
        };
        Watched {
            name: "x".into(),
            targets: dosed.then_some(target).into_iter().collect(),
            rest: vec![window(100.0, to); 4],
            ..Watched::default()
        }
    }

    fn seen(dosed: [bool; 3], to: &str) -> Attribution {
        let [first, further @ ..] = dosed.map(|dosed| run(dosed, to));
        let watched = Watched {
            further: further.into(),
            ..first
        };
        let target = BlockTarget {
            method: "A.dosed".into(),
            label: "3 blocks of A.dosed".into(),
            blocks: 3,
            share_pct: Estimate::around(50.0, 1.0, 1000),
            instructions: [3, 12],
        };
        let doses = block_doses(vec![target], &[watched], 5.0);
        doses.attribution["x"].clone()
    }

    #[test]
    fn a_run_without_a_row_leaves_the_row_open() {
        let all = seen([true; 3], "A.dosed");
        assert_eq!((all.verdict, all.rows[0].unknown_runs), (Verdict::Right, 0));
        for dosed in [[true, true, false], [false, true, true]] {
            let one = seen(dosed, "A.dosed");
            let row = &one.rows[0];
            assert_eq!((row.unknown_runs, row.in_place_per_run_pct.len()), (1, 2));
            assert_eq!(row.in_place_pct.value, all.rows[0].in_place_pct.value);
            assert!((row.in_place_pct.low - 200.0 / 3.0).abs() < 1.0, "{row:?}");
            assert_eq!(row.verdict, Verdict::Undecided);
            assert_eq!((one.verdict, one.certified), (Verdict::Undecided, false));
        }
    }

    /// Two runs that report nothing in place are wrong whatever the third one would have shown: a third at most.
    #[test]
    fn what_is_wrong_whatever_the_other_runs_show_is_wrong() {
        let one = seen([true, false, true], "A.other");
        let part = one.rows[0].in_place_pct;
        assert!(part.value.abs() < 1.0 && part.high < 40.0, "{part:?}");
        assert_eq!(one.rows[0].verdict, Verdict::Wrong);
        assert_eq!(one.verdict, Verdict::Wrong);
    }

    /// No row, no certificate: nobody knows what the profiler does there.
    #[test]
    fn a_target_that_no_run_has_a_row_of_is_not_passed_over() {
        let mut blind = run(true, "A.dosed");
        for (_, window) in &mut blind.targets[0].windows {
            window.methods.clear();
        }
        blind.targets.push(WatchedTarget {
            target: 1,
            ..run(true, "A.dosed").targets.remove(0)
        });
        let target = |method: &str| BlockTarget {
            method: method.into(),
            label: format!("3 blocks of {method}"),
            blocks: 3,
            share_pct: Estimate::around(50.0, 1.0, 1000),
            instructions: [3, 12],
        };
        let targets = vec![target("A.other"), target("A.dosed")];
        let doses = block_doses(targets, &[blind], 5.0);
        let one = &doses.attribution["x"];
        assert_eq!((one.rows.len(), one.rows[0].verdict), (1, Verdict::Right));
        assert_eq!((one.verdict, one.certified), (Verdict::Undecided, false));
    }
}
