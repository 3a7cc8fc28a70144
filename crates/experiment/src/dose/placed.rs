//! What is written of a profiler and its rows.

use std::collections::BTreeMap;

use proofmark_stats::{Confidence, Estimate};

use super::accusing::of_lines;
use super::{
    Attribution, AttributionRow, DoseKind, Elsewhere, FailedRun, JvmWords, LineVerdict, OwnShare,
    ProfileChange, Row, RowVerdict, Subject, Vehicle, WorkTested, judge, line_verdict,
};
use proofmark_assess::Verdict;

/// Share from which on a method is named though it was not tested, %.
const LARGE_PCT: f64 = 1.0;

/// A row, and where its site stands.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The row.
    pub row: Row,
    /// The same in each of several runs that has it; with one run the row itself.
    pub runs: Vec<Row>,
    /// Runs that have no such row.
    pub unknown_runs: usize,
    /// The site's line, if it is known.
    pub line: Option<u16>,
    /// `entry`, or `loop 1`.
    pub place: String,
    /// What its turns do.
    pub kind: DoseKind,
    /// Turns of the low and of the high dose.
    pub turns: [u16; 2],
    /// Whether the JVM knows a position inside of the site without being asked; none where that was not looked at.
    pub reveals_itself: Option<bool>,
    /// What the site changes in the profile without a turn, where that is known.
    pub change: Option<ProfileChange>,
    /// The same of its own method's share.
    pub own_share: Option<OwnShare>,
}

/// What a profiler showed with sites.
#[derive(Clone, Debug)]
pub struct Shown {
    /// A row per site that has one, in the order that it was judged in.
    pub rows: Vec<Placed>,
    /// Share of each method at rest, %.
    pub shares_pct: BTreeMap<String, Estimate>,
    /// Samples per second of the program's time.
    pub samples_per_s: f64,
    /// Samples that it says it lost.
    pub lost_samples: f64,
    /// JVMs in which it failed.
    pub failed_runs: Vec<FailedRun>,
}

/// Judges profilers of one program beside each other ([`judge()`]): what is written of each, by its name. `tested`: all
/// methods with a site, those without a row too.
#[must_use]
pub fn attributions(
    profilers: Vec<(Subject, Shown)>,
    tested: &[&str],
    margin_pt: f64,
) -> BTreeMap<String, Attribution> {
    let (subjects, shown): (Vec<Subject>, Vec<Shown>) = profilers.into_iter().unzip();
    let verdicts = judge(&subjects, margin_pt);
    let all = subjects.into_iter().zip(shown).zip(verdicts);
    all.map(|((subject, shown), verdict)| {
        let looks = subject.as_it_is.len();
        let written = shown.attribution((verdict, looks), tested, margin_pt);
        (subject.name, written)
    })
    .collect()
}

impl Shown {
    /// `looks`: JVMs without sites in which the profiler looked at the program.
    fn attribution(
        self,
        (verdict, looks): (RowVerdict, usize),
        tested: &[&str],
        margin_pt: f64,
    ) -> Attribution {
        let confidence = of_lines(verdict.accusing_intervals);
        let shares_pct = self.named_shares(tested);
        let judged = verdict.rows.iter().zip(&verdict.row_jvms);
        let judged = judged.zip(&verdict.small_pt);
        let rows: Vec<AttributionRow> = (self.rows.into_iter().zip(judged))
            .map(|(one, ((judged, jvms), small_pt))| AttributionRow {
                jvms: *jvms,
                small_pt: *small_pt,
                line_verdict: one.line_verdict(margin_pt, confidence),
                ..one.written(*judged)
            })
            .collect();
        Attribution {
            vehicle: Vehicle::Sites,
            certified: verdict.certified,
            work: WorkTested::of(&rows),
            verdict: verdict.verdict,
            jvms: verdict.jvms,
            misplaced_pt: [verdict.misplaced_pt.0, verdict.misplaced_pt.1],
            rows,
            profile: verdict.profile,
            change: verdict.change,
            looks,
            shares_pct,
            samples_per_s: self.samples_per_s,
            lost_samples: self.lost_samples,
            accusing_intervals: verdict.accusing_intervals,
            false_alarm: verdict.false_alarm,
            planted: verdict.planted,
            failed_runs: self.failed_runs,
        }
    }

    /// Shares of the methods that were tested, of those that get time of others, and of what is large.
    fn named_shares(&self, tested: &[&str]) -> BTreeMap<String, Estimate> {
        let blamed = |name: &String| {
            let rows = self.rows.iter();
            rows.flat_map(|one| &one.row.elsewhere)
                .any(|(method, _)| method == name)
        };
        let all = self.shares_pct.iter();
        all.filter(|(name, share)| {
            share.value >= LARGE_PCT || tested.contains(&name.as_str()) || blamed(name)
        })
        .map(|(name, share)| (name.clone(), *share))
        .collect()
    }
}

impl Placed {
    /// Whether the profiler is right about the line, by the rule of methods: wrong only by intervals that accuse, of a JVM or of the
    /// row where there is one JVM.
    fn line_verdict(&self, margin_pt: f64, confidence: Confidence) -> LineVerdict {
        let mean = line_verdict(&self.row, margin_pt);
        let says = |run: &Row, wanted| line_verdict(run, margin_pt) == wanted;
        let accused = |run: &Row| says(&run.with(confidence), LineVerdict::Wrong);
        let several = self.runs.len() > 1;
        let each = match several {
            true => self.runs.as_slice(),
            false => std::slice::from_ref(&self.row),
        };
        if each.iter().any(accused) {
            LineVerdict::Wrong
        } else if mean == LineVerdict::Wrong {
            LineVerdict::Undecided
        } else if several && each.iter().all(|run| says(run, LineVerdict::Right)) {
            LineVerdict::Right
        } else {
            mean
        }
    }

    /// The part that is reported in another method in each of several runs in which that is not 0 for certain, %.
    fn parts_in_runs(&self, method: &str) -> Vec<Estimate> {
        let several = self.runs.iter().filter(|_| self.runs.len() > 1);
        let parts = several.flat_map(|run| &run.elsewhere);
        let of_method = parts.filter(|(name, part)| name == method && !part.covers(0.0));
        of_method.map(|(_, part)| part.scaled(100.0)).collect()
    }

    /// All but what several JVMs say of it.
    fn written(self, verdict: Verdict) -> AttributionRow {
        let row = &self.row;
        let elsewhere = row.elsewhere.iter();
        let elsewhere = elsewhere.map(|(method, part)| Elsewhere {
            method: method.clone(),
            pct: part.scaled(100.0),
            per_run_pct: self.parts_in_runs(method),
        });
        let elsewhere: Vec<Elsewhere> = elsewhere.collect();
        AttributionRow {
            method: row.method.clone(),
            line: self.line,
            place: self.place,
            kind: self.kind.name().into(),
            verdict,
            turns: self.turns,
            growth_pct: row.growth.map(|part| 100.0 * part.value),
            growth: Some(row.growth.map(|part| part.scaled(100.0))),
            in_place_pct: row.in_place.scaled(100.0),
            truth_pct: row.truth.pct(),
            truth_by_others: row.truth.by_others,
            in_place_per_run_pct: (self.runs.iter())
                .map(|run| run.in_place.scaled(100.0))
                .collect(),
            unknown_runs: self.unknown_runs,
            jvms: JvmWords::default(),
            line_pct: row.at_line.as_ref().map(|part| part.scaled(100.0)),
            line_verdict: LineVerdict::Unknown,
            elsewhere,
            other_pct: row.other.scaled(100.0),
            missing_pct: row.missing.as_ref().map(|part| part.scaled(100.0)),
            void_windows: row.void_windows,
            reveals_itself: self.reveals_itself,
            small_pt: None,
            change: self.change,
            own_share: self.own_share,
            cause: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profiler that reports so much of the added time at the line, with so wide an interval of few windows.
    fn at_line(parts: &[(f64, f64)]) -> Placed {
        let row = |(value, half): &(f64, f64)| Row {
            at_line: Some(Estimate::around(*value, *half, 900)),
            ..crate::dose::tests::row(1.0, 0.02, 5.0)
        };
        let runs: Vec<Row> = parts.iter().map(row).collect();
        Placed {
            row: super::super::over_runs(&runs).expect("a row"),
            runs,
            unknown_runs: 0,
            line: Some(3),
            place: "entry".into(),
            kind: DoseKind::Arithmetic,
            turns: [2, 9],
            reveals_itself: Some(false),
            change: None,
            own_share: None,
        }
    }

    #[test]
    fn a_line_is_wrong_only_by_intervals_that_accuse() {
        let says = |parts: &[(f64, f64)]| at_line(parts).line_verdict(5.0, of_lines(8));
        assert_eq!(says(&[(0.97, 0.02)]), LineVerdict::Right);
        // Outside by 95 %, and not by the interval of eight.
        assert_eq!(says(&[(0.85, 0.04)]), LineVerdict::Undecided);
        assert_eq!(says(&[(0.60, 0.04)]), LineVerdict::Wrong);
        let mean = [(0.85, 0.04), (0.852, 0.04), (0.848, 0.04)];
        assert_eq!(says(&mean), LineVerdict::Undecided, "of no JVM for certain");
        assert_eq!(says(&[(0.97, 0.02), (0.60, 0.04)]), LineVerdict::Wrong);
        let right = [(0.99, 0.05), (0.94, 0.03)];
        assert_eq!(says(&right), LineVerdict::Right, "each by itself");
    }

    #[test]
    fn a_part_elsewhere_is_that_of_the_jvms_that_report_one_for_certain() {
        let mut placed = at_line(&[(0.97, 0.02), (0.97, 0.02), (0.97, 0.02)]);
        let part = |value, half| vec![("A.put".to_owned(), Estimate::around(value, half, 900))];
        placed.runs[0].elsewhere = part(0.30, 0.04);
        placed.runs[1].elsewhere = part(0.02, 0.03);
        let parts: Vec<f64> = placed
            .parts_in_runs("A.put")
            .iter()
            .map(|one| one.value)
            .collect();
        assert_eq!(parts.len(), 1);
        assert!((parts[0] - 30.0).abs() < 1e-9, "{parts:?}");
        assert!(placed.parts_in_runs("A.get").is_empty());
        // One JVM has nothing to be told apart from.
        placed.runs.truncate(1);
        assert!(placed.parts_in_runs("A.put").is_empty());
    }
}
