//! What would decide a profiler that was left open: an option, and how long the whole test then takes.
//!
//! An interval of windows shrinks with the root of their number. What differs from JVM to JVM stays however many windows there
//! are, and shrinks with the number of JVMs.

use proofmark_assess::Verdict;
use proofmark_rules::{DOSE_RUNS_KNOWN, DOSE_TOLERANCE_PER_MARGIN};
use proofmark_stats::{Confidence, Estimate, mean, sample_variance, t_quantile};

use super::accusing::Levels;
use super::finding::lacks_witness;
use super::judge::{lacked_by, profiler_kind};
use super::{Again, Attribution, AttributionRow, ProfileCheck, Size, Took};

/// More are not proposed: JVMs of a profiler, rounds of windows, and time, s. All of it can be asked for.
const MOST_RUNS: usize = 20;
const MOST_ROUNDS: f64 = 1000.0;
const MOST_S: f64 = 8.0 * 3600.0;
/// What takes longer is not recommended, s: a verdict that takes hours is no help.
const REASONABLE_S: f64 = 1800.0;
/// Windows of an open row, at least so many times what there were.
const SOMEWHAT_MORE: f64 = 1.5;
/// JVMs that are proposed where nobody knows how many would do, at least.
const SEVERAL: usize = 5;
/// A test with one of these takes as long as it takes (crates/proofmark/src/cli/sites.rs).
const SAYS_HOW_MUCH: [&str; 5] = ["--methods", "--runs", "--rounds", "--budget", "--window"];
/// The profiler that is asked as a witness where no such one was.
const WITNESS: &str = "jfr+nonsafepoints";

/// A test as it was.
pub(super) struct Test<'a> {
    /// How much was measured.
    pub(super) size: &'a Size,
    /// Error that separates right from wrong, points of share.
    pub(super) margin_pt: f64,
    /// How long its parts took.
    pub(super) took: &'a Took,
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

/// What is said of a profiler that is not decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Remedy {
    /// A way that takes half an hour at most; none if there is none.
    pub(super) way: Option<Way>,
    /// How long it takes at least to decide it, s, where that is more than half an hour.
    pub(super) too_long_s: Option<f64>,
}

impl Way {
    fn is_reasonable(&self) -> bool {
        self.seconds <= REASONABLE_S
    }
}

impl Test<'_> {
    /// What to do about the profiler with this name.
    pub(super) fn remedy(&self, name: &str, one: &Attribution) -> Remedy {
        match self.way(one) {
            Some(way) if way.is_reasonable() => Remedy {
                way: Some(way),
                too_long_s: None,
            },
            way => Remedy {
                way: self.practical(name, one),
                too_long_s: Some(way.map_or(MOST_S, |way| way.seconds)),
            },
        }
    }

    /// What tells more in reasonable time where nothing decides in it: the same profiler with more debug information, or the undecided
    /// method alone that is largest by the profiler's own share. None if that was asked, or takes too long as well.
    fn practical(&self, name: &str, one: &Attribution) -> Option<Way> {
        let twin = lacked_by(name).filter(|with| !self.size.profilers.contains(with));
        let twin = twin.map(|with| self.also(with));
        let twin = twin.filter(Way::is_reasonable);
        twin.or_else(|| self.alone(one).filter(Way::is_reasonable))
    }

    /// The largest undecided method alone; none if it was, or nothing is undecided that matters.
    fn alone(&self, one: &Attribution) -> Option<Way> {
        let share = |row: &AttributionRow| {
            let share = one.shares_pct.get(&row.method);
            share.map_or(0.0, |share| share.value)
        };
        let open = one.rows.iter().filter(|row| row.leaves_open());
        let most = open.max_by(|a, b| share(a).total_cmp(&share(b)))?;
        let then = Size {
            methods: 1,
            ..self.size.clone()
        };
        let option = format!("--method {} --methods 1", quoted(&most.method));
        (self.size.methods > 1).then(|| self.to(option, &then, false))
    }

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

    /// More windows, or more JVMs; more of these only where no row that matters is open. A witness, where there was none and nobody
    /// knows therefore what wrong rows concern.
    fn ways(&self, one: &Attribution) -> Vec<Option<Way>> {
        let witness = self.witness(one);
        if witness.is_some() {
            return vec![witness];
        }
        let open = one.rows.iter();
        let open = open.filter(|row| row.leaves_open());
        let open: Vec<&AttributionRow> = open.collect();
        if open.is_empty() {
            return vec![self.third(one).or_else(|| self.several_runs(one))];
        }
        let intervals = one.accusing_intervals;
        let level = |row: &AttributionRow| Levels::with_jvms(intervals, row.jvms.total()).together;
        let times = open.iter().map(|row| self.times(row, level(row)));
        let windows = self.more_windows(times.fold(1.0, f64::max));
        let runs = open.iter().map(|row| self.runs(row));
        let runs = runs.reduce(|a, b| Some(a?.max(b?))).flatten();
        let runs = runs.filter(|runs| *runs > self.had(one));
        let ways = [windows, runs.and_then(|runs| self.more_runs(runs))];
        let decides = !self.is_open_besides(one);
        let way = |way: Option<Way>| way.map(|way| Way { decides, ..way });
        ways.into_iter().map(way).collect()
    }

    /// Whether a profiler would stay undecided though all of its open rows were right: a row is wrong, and how much of the
    /// program's time that is, is not known; or witnesses show another profile.
    pub(super) fn is_open_besides(&self, one: &Attribution) -> bool {
        let wrong = |row: &AttributionRow| row.verdict == Verdict::Wrong && row.small_pt.is_none();
        one.rows.iter().any(wrong) || self.is_contradicted(one)
    }

    fn is_contradicted(&self, one: &Attribution) -> bool {
        let much = |check: &ProfileCheck| check.misplaced_pt[0] > self.margin_pt;
        one.profile.as_ref().is_some_and(much)
    }

    /// How many times the windows would make a row's intervals clear of the limits if its values stay; infinite if none would. Of an
    /// open row that is never less than somewhat more: few windows make intervals wider than is reckoned with here.
    fn times(&self, row: &AttributionRow, confidence: Confidence) -> f64 {
        let known = t_quantile(f64::INFINITY, Confidence::P95);
        let accusing = t_quantile(f64::INFINITY, confidence) / known;
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * self.margin_pt;
        // Samples that are missing for certain, but not yet by the interval that accuses, make it wrong.
        if let Some(part) = row.missing_pct.filter(|part| part.low > tolerance) {
            let needed = part.half_width() * accusing / (part.value - tolerance);
            return needed.powi(2).max(SOMEWHAT_MORE);
        }
        // What is elsewhere for certain stays there.
        let elsewhere = row.elsewhere.iter().map(|one| &one.pct);
        let mut elsewhere = elsewhere.chain([&row.other_pct]);
        if elsewhere.any(|part| part.low > tolerance) && self.is_inside(row) {
            return f64::INFINITY;
        }
        let parts = match row.in_place_per_run_pct.as_slice() {
            [] | [_] => std::slice::from_ref(&row.in_place_pct),
            several => several,
        };
        let needed = |part: &Estimate| {
            let (room, inside) = self.room(row, part.value);
            let half = part.half_width() * if inside { 1.0 } else { accusing };
            (half / room).powi(2)
        };
        parts.iter().map(needed).fold(SOMEWHAT_MORE, f64::max)
    }

    /// Whether what is in place lies within the limits.
    fn is_inside(&self, row: &AttributionRow) -> bool {
        self.room(row, row.in_place_pct.value).1
    }

    /// JVMs that were asked, those that failed among them.
    fn had(&self, one: &Attribution) -> usize {
        let jvms = one.jvms.total() + one.failed_runs.len();
        jvms.max(self.size.runs)
    }

    /// JVMs with which the mean over them would be clear of the limits if they differ as these do; none if nobody knows how they
    /// differ, or too many were needed.
    pub(super) fn runs(&self, row: &AttributionRow) -> Option<usize> {
        let values = self.known(row);
        // Those without such a row count too: as many of more JVMs may lack it.
        let vague = row.in_place_per_run_pct.len() - values.len() + row.unknown_runs;
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

    /// A profiler with more debug information beside the same one without, where profilers contradict each other: it may say which of
    /// them is right. None if it was asked.
    fn third(&self, one: &Attribution) -> Option<Way> {
        let with = self.twin().filter(|_| self.is_contradicted(one))?;
        Some(self.also(with))
    }

    /// JFR with more debug information, where a profiler's wrong rows decide nothing because nobody is its witness. None if it was asked.
    fn witness(&self, one: &Attribution) -> Option<Way> {
        let asked = &self.size.profilers;
        let any = || (!asked.iter().any(|name| name == WITNESS)).then(|| WITNESS.to_owned());
        let is_one = |with: &String| profiler_kind(with) == profiler_kind(WITNESS);
        let with = self.twin().filter(is_one).or_else(any);
        let with = with.filter(|_| lacks_witness(one))?;
        Some(self.also(with))
    }

    /// A profiler that was asked without more debug information only, with it; JFR first, which is a witness too.
    fn twin(&self) -> Option<String> {
        let asked = &self.size.profilers;
        let all = asked.iter().filter_map(|name| lacked_by(name));
        let lacking = all.filter(|with| !asked.contains(with));
        lacking.min_by_key(|with| profiler_kind(with) != profiler_kind(WITNESS))
    }

    /// One profiler more.
    fn also(&self, name: String) -> Way {
        let asked = self.size.profilers.iter().cloned();
        let then = Size {
            profilers: asked.chain([name]).collect(),
            ..self.size.clone()
        };
        let option = format!("--profiler {}", then.profilers.join(","));
        self.to(option, &then, false)
    }

    /// More JVMs, where nobody knows how many would do; none if there are many already.
    fn several_runs(&self, one: &Attribution) -> Option<Way> {
        let had = self.had(one);
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

    /// A test of this size, whose parts take as long as they took; one that is to end in time does so again.
    fn to(&self, option: String, then: &Size, decides: bool) -> Way {
        let again_s = self.took.again_s(self.size, then);
        let seconds = self
            .ends_in(&option)
            .map_or(again_s, |most_s| again_s.min(most_s));
        Way {
            option,
            seconds,
            decides,
        }
    }

    /// How long a test with this option can take, s; none where it takes as long as it takes, because something says how much is measured.
    fn ends_in(&self, option: &str) -> Option<f64> {
        let asked = self.again.options.iter().map(|(name, _)| name.as_str());
        let mut names = option.split(' ').chain(asked);
        let says = names.any(|name| SAYS_HOW_MUCH.contains(&name));
        self.took.most_s.filter(|_| !says)
    }
}

/// ` --budget 35`; nothing without one.
fn budget(seconds: f64) -> String {
    match seconds > 0.0 {
        true => format!(" --budget {seconds:.0}"),
        false => String::new(),
    }
}

/// A method's name as a word of a shell.
pub(super) fn quoted(method: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
    match method.chars().all(plain) {
        true => method.to_owned(),
        false => format!("'{}'", method.replace('\'', "'\\''")),
    }
}

/// Rounded up to five seconds.
fn in_fives(seconds: f64) -> f64 {
    5.0 * (seconds / 5.0).ceil()
}

#[cfg(test)]
mod tests;
