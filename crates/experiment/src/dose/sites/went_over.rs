//! Whether the program at the end of a process is the one at its beginning.
//!
//! A JVM may compile methods anew while sites are visited, into machine code that it keeps: then the first windows are of one program
//! and the last ones of another, and rows over both say less of either. It shows where no site is there.

use std::slice::from_ref;

use super::measure::Run;
use super::windows::joined;
use crate::dose::profile::compare;
use crate::dose::{ProfileDifference, Window, java_shares};

/// In how many processes of a profiler its profile of the program changed, and where most.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WentOver {
    pub(super) processes: usize,
    pub(super) of: usize,
    /// The method with the largest difference in the process where most changed.
    most: ProfileDifference,
}

/// What changed for a profiler by more than the margin, points of Java time; none where nothing did.
///
/// # Accuracy
/// The profile with all gates closed before sites are visited is compared with that behind, as [`compare`] does: only what lies between
/// the ends of 95 % intervals counts. Of two programs, under two profilers in 15 processes each, nothing was said (DeltaBlue and Storage,
/// docs/studies/verdicts/results/2026-11-26/changed-while-measured.txt).
pub(super) fn went_over(runs: &[Run], margin_pt: f64) -> Option<WentOver> {
    let changes = runs.iter().filter_map(|run| {
        let [before, behind] = closed(run).map(|windows| java_shares(&windows));
        let check = compare(from_ref(&before), &[("", from_ref(&behind))])?;
        let changed = check.misplaced_pt[0];
        let most = check.methods.into_iter().next()?;
        (changed > margin_pt).then_some((changed, most))
    });
    let changes: Vec<(f64, ProfileDifference)> = changes.collect();
    let processes = changes.len();
    let most = changes.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?.1;
    Some(WentOver {
        processes,
        of: runs.len(),
        most,
    })
}

/// What is to be said of these profilers, each with its name; none where nothing changed.
pub(super) fn said<'p>(all: impl Iterator<Item = (&'p str, &'p WentOver)>) -> Option<String> {
    let each = all.map(|(profiler, one)| {
        let jvms = match one.of {
            1 => "its JVM".to_owned(),
            of => format!("{} of {of} JVMs", one.processes),
        };
        let most = &one.most;
        let [first, end] = [most.reported_pct, most.known_pct].map(|share| {
            let (low, high) = (share.low.max(0.0), share.high.min(100.0));
            format!("{:.0} % ({low:.0} to {high:.0}; n = {})", share.value, share.n)
        });
        format!(
            "under {profiler} in {jvms} (most in {}: {first} of the Java time at first, {end} in the end)",
            most.method
        )
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| {
        format!(
            "the program itself changed while it was measured, where no site was there: {}. The JVM probably compiled it anew, so that \
             rows are of two programs",
            each.join("; ")
        )
    })
}

/// Windows with all gates closed, before the first gate was opened and behind.
fn closed(run: &Run) -> [Vec<Window>; 2] {
    let opened = run.ran.iter().position(|one| one.open.is_some());
    let opened = opened.unwrap_or(run.ran.len());
    let mut parts = [Vec::new(), Vec::new()];
    for (at, (ran, reported)) in run.ran.iter().zip(&run.reported).enumerate() {
        if ran.rests(None) {
            parts[usize::from(at > opened)].push(joined(ran, reported, &run.report, &[]));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proofmark_profile::MethodId;

    use super::*;
    use crate::dose::Level;
    use crate::dose::sites::pace::SiteRounds;
    use crate::dose::sites::report::SiteReport;
    use crate::dose::sites::windows::tests::window;
    use crate::lab::ProfiledWindow;

    /// A process whose method `get` has these samples of 1000 in windows with all gates closed, half of them before a site is visited,
    /// and all of them meanwhile.
    fn run(gets: [f64; 8]) -> Run {
        let windows = |at: usize, open: Option<usize>, get: f64| {
            let ran = window((1_000_000 * at as u64, 1000), open, Level::Rest);
            let method = |name: &str| MethodId {
                class: "A".into(),
                name: name.into(),
                descriptor: None,
            };
            let methods = BTreeMap::from([(method("get"), get), (method("put"), 1000.0 - get)]);
            let reported = ProfiledWindow {
                methods,
                ..ProfiledWindow::default()
            };
            (ran, reported)
        };
        let closed = |at: usize| windows(at, None, gets[at]);
        let opened = (8..12).map(|at| windows(at, Some(0), 1000.0));
        let all = (0..4).map(closed).chain(opened).chain((4..8).map(closed));
        let (ran, reported) = all.unzip();
        Run {
            number: 0,
            rows: Vec::new(),
            sets: vec![0],
            doses: Vec::new(),
            ran,
            reported,
            report: SiteReport::default(),
            rounds: SiteRounds::default(),
        }
    }

    #[test]
    fn what_changes_behind_the_sites_is_said_with_its_jvms() {
        let same = || run([300.0, 310.0, 290.0, 305.0, 295.0, 300.0, 310.0, 300.0]);
        let other = || run([300.0, 310.0, 290.0, 305.0, 595.0, 600.0, 610.0, 600.0]);
        // By less than the margin for certain.
        let little = || run([300.0, 310.0, 290.0, 305.0, 340.0, 350.0, 360.0, 350.0]);
        assert_eq!(went_over(&[same(), little()], 5.0), None);
        let found = went_over(&[same(), other(), little(), other()], 5.0).expect("a change");
        assert_eq!((found.processes, found.of), (2, 4));
        let text = said([("async", &found)].into_iter()).expect("a sentence");
        let part = "under async in 2 of 4 JVMs (most in A.put: 70 % (68 to 71; n = 4000) of the Java time at first, 40 % (";
        assert!(text.contains(part), "{text}");
        assert_eq!(said(std::iter::empty()), None);
    }
}
