//! What would decide a profiler that was left open: an option, and how long the whole test then takes.
//!
//! An interval of windows shrinks with the root of their number. What differs from JVM to JVM stays however many windows there
//! are, and shrinks with the number of JVMs.

use proofmark_assess::Verdict;
use proofmark_rules::{DOSE_RUNS_KNOWN, DOSE_TOLERANCE_PER_MARGIN};
use proofmark_stats::{Confidence, Estimate, mean, sample_variance, t_quantile};

use super::jvms::accusing;
use super::{Again, Attribution, AttributionRow, ProfileCheck, Size, cost};
use crate::assess::estimate::ASSUMED_MS;

/// More are not proposed: JVMs of a profiler, rounds of windows, and time, s. All of it can be asked for.
const MOST_RUNS: usize = 20;
const MOST_ROUNDS: f64 = 1000.0;
const MOST_S: f64 = 8.0 * 3600.0;
/// JVMs that are proposed where nobody knows how many would do, at least.
const SEVERAL: usize = 5;

/// A test as it was.
pub(super) struct Test<'a> {
    /// How much was measured.
    pub(super) size: &'a Size,
    /// Error that separates right from wrong, points of share.
    pub(super) margin_pt: f64,
    /// How long it took, s.
    pub(super) seconds: f64,
    /// How it is asked for again.
    pub(super) again: &'a Again,
}

/// A way to know more.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way {
    /// `--runs 6`
    pub(super) option: String,
    /// Time of the whole test with it, s.
    pub(super) seconds: f64,
    /// It probably decides; else it only tells more.
    pub(super) decides: bool,
}

impl Test<'_> {
    /// What would decide a profiler that is not decided; none if nothing that takes less than eight hours would.
    pub(super) fn way(&self, one: &Attribution) -> Option<Way> {
        let ways = match one.change.as_ref().is_some_and(|change| change.voids_rows) {
            true => vec![self.fewer_methods()],
            false => self.ways(one),
        };
        let ways = ways
            .into_iter()
            .flatten()
            .filter(|way| way.seconds <= MOST_S);
        ways.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }

    /// More windows, or more JVMs; more of these only where no row that matters is open.
    fn ways(&self, one: &Attribution) -> Vec<Option<Way>> {
        let open = one.rows.iter();
        let open = open.filter(|row| row.leaves_open());
        let open: Vec<&AttributionRow> = open.collect();
        if open.is_empty() {
            return vec![self.several_runs(one)];
        }
        let confidence = accusing(one.accusing_intervals);
        let times = open.iter().map(|row| self.times(row, confidence));
        let windows = self.more_windows(times.fold(1.0, f64::max));
        let runs = open.iter().map(|row| self.runs(row));
        let runs = runs.reduce(|a, b| Some(a?.max(b?))).flatten();
        let ways = [windows, runs.and_then(|runs| self.more_runs(runs))];
        let decides = !self.is_open_besides(one);
        let way = |way: Option<Way>| way.map(|way| Way { decides, ..way });
        ways.into_iter().map(way).collect()
    }

    /// Whether a profiler would stay undecided though all of its open rows were right: a row is wrong, and how much of the
    /// program's time that is, is not known; or witnesses show another profile.
    pub(super) fn is_open_besides(&self, one: &Attribution) -> bool {
        let contradicted = |check: &ProfileCheck| check.misplaced_pt[0] > self.margin_pt;
        let wrong = |row: &AttributionRow| row.verdict == Verdict::Wrong;
        one.rows.iter().any(wrong) || one.profile.as_ref().is_some_and(contradicted)
    }

    /// How many times the windows would make a row's intervals clear of the limits if its values stay; infinite if none would.
    fn times(&self, row: &AttributionRow, confidence: Confidence) -> f64 {
        let known = t_quantile(f64::INFINITY, Confidence::P95);
        let accusing = t_quantile(f64::INFINITY, confidence) / known;
        let parts = match row.in_place_per_run_pct.as_slice() {
            [] | [_] => std::slice::from_ref(&row.in_place_pct),
            several => several,
        };
        let needed = |part: &Estimate| {
            let (room, inside) = self.room(row, part.value);
            let half = part.half_width() * if inside { 1.0 } else { accusing };
            (half / room).powi(2)
        };
        parts.iter().map(needed).fold(1.0, f64::max)
    }

    /// JVMs with which the mean over them would be clear of the limits if they differ as these do; none if nobody knows how they
    /// differ, or too many were needed.
    pub(super) fn runs(&self, row: &AttributionRow) -> Option<usize> {
        let values = self.known(row);
        let vague = row.in_place_per_run_pct.len() - values.len();
        let (room, _) = self.room(row, mean(&values));
        let deviation = sample_variance(&values)?.sqrt();
        let least = (values.len() + 1).max(if vague > 0 { DOSE_RUNS_KNOWN } else { 0 });
        let known = (least..=MOST_RUNS).find(|runs| {
            let runs = *runs as f64;
            t_quantile(runs - 1.0, Confidence::P95) * deviation / runs.sqrt() <= room
        });
        Some(known? + vague).filter(|runs| *runs <= MOST_RUNS)
    }

    /// What JVMs show in place, %, without those that know nothing of it ([`without_vague`](super::without_vague)); all of them
    /// where fewer than two know something.
    pub(super) fn known(&self, row: &AttributionRow) -> Vec<f64> {
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * self.margin_pt;
        let [least, most] = row.truth_pct;
        let decided = |part: &Estimate| {
            let (least, most) = (least - tolerance, most + tolerance);
            let right = part.low >= least && part.high <= most;
            right || part.high < least || part.low > most
        };
        let all = row.in_place_per_run_pct.iter();
        let values = |parts: Vec<&Estimate>| parts.iter().map(|part| part.value).collect();
        let known = all
            .clone()
            .filter(|part| part.half_width() <= tolerance || decided(part));
        let known: Vec<&Estimate> = known.collect();
        match known.len() {
            0 | 1 => values(all.collect()),
            _ => values(known),
        }
    }

    /// How far a part in place is from the nearer limit of what is right there, % of the added time, and whether it lies between
    /// them.
    pub(super) fn room(&self, row: &AttributionRow, value: f64) -> (f64, bool) {
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * self.margin_pt;
        let [least, most] = row.truth_pct;
        let inside = f64::min(value - least, most - value) + tolerance;
        (inside.abs(), inside > 0.0)
    }

    /// So many times the windows in as many JVMs; none if that is more than can be asked for.
    fn more_windows(&self, times: f64) -> Option<Way> {
        let size = self.size;
        let rounds = (size.rounds_in_each() * size.runs.max(1)) as f64;
        let rounds = (rounds * times).ceil();
        let budget_s = in_fives(size.budget_s * times);
        if rounds > MOST_ROUNDS || budget_s > MOST_S {
            return None;
        }
        let then = Size {
            rounds: rounds as usize,
            budget_s,
            ..size.clone()
        };
        let option = format!("--rounds {rounds:.0}{}", budget(budget_s));
        Some(self.to(option, &then, true))
    }

    /// So many JVMs, each with as many windows as now: with fewer they would differ more. None if that is more than can be asked
    /// for.
    fn more_runs(&self, runs: usize) -> Option<Way> {
        let size = self.size;
        let budget_s = in_fives(size.budget_in_each_s() * runs as f64);
        let mut then = Size {
            runs,
            budget_s,
            ..size.clone()
        };
        let mut option = format!("--runs {runs}");
        if then.rounds_in_each() < size.rounds_in_each() {
            then.rounds = size.rounds_in_each() * runs;
            option.push_str(&format!(" --rounds {}", then.rounds));
        }
        if then.rounds as f64 > MOST_ROUNDS || budget_s > MOST_S {
            return None;
        }
        option.push_str(&budget(budget_s));
        Some(self.to(option, &then, true))
    }

    /// More JVMs, where nobody knows how many would do; none if there are many already.
    fn several_runs(&self, one: &Attribution) -> Option<Way> {
        let jvms = one.jvms.total() + one.failed_runs.len();
        let had = jvms.max(self.size.runs);
        let runs = SEVERAL.max(2 * had).min(MOST_RUNS);
        let then = Size {
            runs,
            ..self.size.clone()
        };
        let more = runs > had;
        more.then(|| self.to(format!("--runs {runs}"), &then, false))
    }

    /// One method at a time; none if it was one.
    fn fewer_methods(&self) -> Option<Way> {
        let then = Size {
            methods: 1,
            ..self.size.clone()
        };
        let fewer = self.size.methods > 1;
        fewer.then(|| self.to("--methods 1".into(), &then, false))
    }

    /// A test of this size takes as many times longer as the estimates of both say.
    fn to(&self, option: String, then: &Size, decides: bool) -> Way {
        Way {
            option,
            seconds: self.seconds * estimated_s(then) / estimated_s(self.size),
            decides,
        }
    }
}

/// ` --budget 35`; nothing without one.
fn budget(seconds: f64) -> String {
    match seconds > 0.0 {
        true => format!(" --budget {seconds:.0}"),
        false => String::new(),
    }
}

/// Rounded up to five seconds.
fn in_fives(seconds: f64) -> f64 {
    5.0 * (seconds / 5.0).ceil()
}

fn estimated_s(size: &Size) -> f64 {
    let (_, steps) = cost(size, ASSUMED_MS);
    steps.iter().map(|step| step.seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;
    use crate::dose::{JvmWords, ProfileChange};

    fn size(runs: usize) -> Size {
        Size {
            profilers: vec!["async".into(), "jfr".into()],
            methods: 4,
            rounds: 3,
            budget_s: 15.0,
            runs,
            window_s: 0.2,
            at_once: 1,
        }
    }

    /// A profiler with one row that is open: values of its JVMs with the half-widths of their intervals, %.
    fn open(jvms: &[(f64, f64)]) -> Attribution {
        let mut one = attribution(Verdict::Undecided, 94.0, "B.place");
        let each = jvms.iter();
        let each = each.map(|(value, half)| Estimate::around(*value, *half, 900));
        one.rows[0].in_place_per_run_pct = each.collect();
        one.rows[0].in_place_pct = one.rows[0].in_place_per_run_pct[0];
        one
    }

    fn way(one: &Attribution, size: &Size) -> Option<Way> {
        let test = Test {
            size,
            margin_pt: 5.0,
            seconds: 100.0,
            again: &Again::default(),
        };
        test.way(one)
    }

    /// 94 is 4 from 90: an interval of 6 to either side must shrink by 1.5, with 2.25 times the windows.
    #[test]
    fn one_jvm_gets_more_windows() {
        let size = size(1);
        let way = way(&open(&[(94.0, 6.0)]), &size).expect("a way");
        assert_eq!(way.option, "--rounds 7 --budget 35");
        assert!(way.decides && way.seconds > 110.0, "{way:?}");
        assert!(way.seconds < 225.0, "starts are not done more often");
    }

    /// Means of 99, 92 and 99 differ by 4.04 (standard deviation) around 96.7: with four JVMs 3.182 * 4.04 / 2 = 6.4 is less
    /// than the 6.7 to the limit. The JVM at 92 would need 4 times its windows.
    #[test]
    fn what_differs_from_jvm_to_jvm_needs_more_of_them() {
        let size = size(3);
        let differing = open(&[(99.0, 1.0), (92.0, 4.0), (99.0, 1.0)]);
        let way = way(&differing, &size).expect("a way");
        let option = (way.option.as_str(), way.decides);
        assert_eq!(option, ("--runs 4 --budget 20", true));
        assert!((105.0..140.0).contains(&way.seconds), "{way:?}");
        // Where JVMs have more than the two rounds that each gets at least, that is asked for too.
        let size = Size { rounds: 12, ..size };
        let way = self::way(&differing, &size).expect("a way");
        assert_eq!(way.option, "--runs 4 --rounds 16 --budget 20");
    }

    /// Rows that are decided leave open what else is open.
    #[test]
    fn what_would_stay_open_is_not_promised_to_be_decided() {
        let size = size(1);
        let one = open(&[(94.0, 6.0)]);
        assert!(way(&one, &size).expect("a way").decides);
        let mut with_wrong = one.clone();
        let mut wrong = one.rows[0].clone();
        wrong.verdict = Verdict::Wrong;
        with_wrong.rows.push(wrong);
        assert!(!way(&with_wrong, &size).expect("a way").decides);
        // What is too small to matter is not what leaves it open.
        let mut small = one.clone();
        small.rows[0].small_pt = Some(0.4);
        let several = way(&small, &size).expect("a way");
        assert_eq!(
            (several.option.as_str(), several.decides),
            ("--runs 5", false)
        );
        let check = |points: f64| ProfileCheck {
            witnesses: vec!["async".into()],
            misplaced_pt: [points, 40.0],
            resolves_pt: 4.0,
            methods: Vec::new(),
        };
        for (points, decides) in [(4.0, true), (6.0, false)] {
            let mut contradicted = one.clone();
            contradicted.profile = Some(check(points));
            let way = way(&contradicted, &size).expect("a way");
            assert_eq!(way.decides, decides, "{points}");
        }
    }

    /// Where 90 to 120 % may be right, 94 is 14 from the lower limit, and 131 beyond the upper one.
    #[test]
    fn limits_are_those_of_the_site() {
        let mut one = open(&[(94.0, 6.0)]);
        one.rows[0].truth_pct = [90.0, 120.0];
        let size = size(1);
        let test = Test {
            size: &size,
            margin_pt: 5.0,
            seconds: 100.0,
            again: &Again::default(),
        };
        assert_eq!(test.room(&one.rows[0], 94.0), (14.0, true));
        assert_eq!(test.room(&one.rows[0], 131.0), (1.0, false));
    }

    #[test]
    fn at_the_limit_nothing_decides() {
        assert_eq!(way(&open(&[(90.0, 3.0)]), &size(1)), None);
        let apart = open(&[(91.0, 40.0), (89.5, 40.0), (90.0, 40.0)]);
        assert_eq!(way(&apart, &size(3)), None);
    }

    #[test]
    fn without_an_open_row_the_option_only_tells_more() {
        let wrong = attribution(Verdict::Wrong, 0.0, "B.place");
        let mut one = Attribution {
            verdict: Verdict::Undecided,
            ..wrong
        };
        let runs = way(&one, &size(3)).expect("a way");
        assert_eq!((runs.option.as_str(), runs.decides), ("--runs 6", false));
        assert_eq!(way(&one, &size(15)).expect("a way").option, "--runs 20");
        assert_eq!(way(&one, &size(20)), None, "more are not proposed");
        // Two were added to three.
        let added = Attribution {
            jvms: JvmWords::of([Verdict::Undecided; 5]),
            ..one.clone()
        };
        assert_eq!(way(&added, &size(3)).expect("a way").option, "--runs 10");
        one.change = Some(ProfileChange {
            beyond_pt: 43.0,
            voids_rows: true,
            method: "B.place".into(),
            as_it_is_pct: Estimate::around(18.0, 2.0, 900),
            with_sites_pct: Estimate::around(66.0, 2.0, 900),
        });
        let fewer = way(&one, &size(3)).expect("a way");
        assert_eq!(fewer.option, "--methods 1");
        assert!(fewer.seconds < 100.0 && !fewer.decides);
        let alone = Size {
            methods: 1,
            ..size(3)
        };
        assert_eq!(way(&one, &alone), None, "it was one method");
    }
}
