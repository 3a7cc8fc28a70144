//! The result of race widening, as it is written.

use std::collections::BTreeMap;
use std::fmt;

use proofmark_stats::{Estimate, fisher_exact, holm, median, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dose, End, RaceRequest, Ran};

/// Name and version of the format.
pub const RACE_SCHEMA: &str = "proofmark-race/1";

/// Level at which two rates are told apart.
const LEVEL: f64 = 0.05;

/// How often a program fails without a dose, and with one in each of some functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaceResult {
    /// [`RACE_SCHEMA`].
    pub schema: String,
    /// The program with its arguments.
    pub program: String,
    /// Longest that a run may take, s; one that takes longer has failed.
    pub timeout_s: f64,
    /// Text by which a run has failed that puts it out; null if none was given.
    pub failed_if: Option<String>,
    /// Seed of the order of runs.
    pub seed: u64,
    /// Runs without a dose.
    pub without: Runs,
    /// Runs with a dose, function by function.
    pub functions: Vec<RaceRow>,
    /// Functions that could not get a dose.
    pub left_out: Vec<RaceLeftOut>,
    /// What else is to be said, in sentences.
    pub remarks: Vec<String>,
    /// How long it took, s.
    pub seconds: f64,
}

/// Runs with a dose in one function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RaceRow {
    /// The function.
    pub function: String,
    /// Turns of the loop at its entry, some 8 cycles each.
    pub turns: u32,
    /// The runs.
    pub with: Runs,
    /// Probability of rates that differ so much or more if the dose changed nothing: Fisher's exact test, two-sided; with
    /// several functions Holm's adjustment.
    pub p_value: f64,
    /// Whether the rate with the dose is told apart from that without: the p-value is below 0.05.
    pub differs: bool,
    /// The file that gives the program this dose, wherever PROOFMARK_DOSES names it.
    pub dose_file: String,
    /// The command that runs the program once with this dose; null where nobody knows it.
    pub by_hand: Option<String>,
    /// The command that repeats this row; null where nobody knows it.
    pub again: Option<String>,
}

/// Runs of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Runs {
    /// How many.
    pub runs: u64,
    /// Those that failed.
    pub failed: u64,
    /// Part of the runs that failed, %; Wilson's interval; n: runs.
    pub failed_pct: Estimate,
    /// How those ended, and how many each way.
    pub ends: BTreeMap<String, u64>,
    /// Median time of a run from start to end, s.
    pub wall_s: f64,
    /// Median CPU time of a run, s.
    pub cpu_s: f64,
}

/// A function that could not get a dose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RaceLeftOut {
    /// The function.
    pub function: String,
    /// Why.
    pub reason: String,
}

impl fmt::Display for RaceLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.function, self.reason)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Passed => write!(f, "passed"),
            End::Status(status) => write!(f, "exit status {status}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
            End::TooLong => write!(f, "took too long"),
            End::Output => write!(f, "by its output"),
        }
    }
}

impl Runs {
    /// Of runs of one kind.
    pub(super) fn of(seen: &[Ran]) -> Self {
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        for ran in seen.iter().filter(|ran| ran.end != End::Passed) {
            *ends.entry(ran.end.to_string()).or_insert(0) += 1;
        }
        let (runs, failed): (u64, u64) = (seen.len() as u64, ends.values().sum());
        let nothing_known = Estimate {
            value: 0.0,
            low: 0.0,
            high: 1.0,
            n: 0,
        };
        let of_middle = |time: fn(&Ran) -> f64| {
            let times: Vec<f64> = seen.iter().map(time).collect();
            median(&times).unwrap_or(0.0)
        };
        Runs {
            runs,
            failed,
            failed_pct: wilson(failed, runs).unwrap_or(nothing_known).scaled(100.0),
            ends,
            wall_s: of_middle(|ran| ran.wall_s),
            cpu_s: of_middle(|ran| ran.cpu_s),
        }
    }

    fn took_too_long(&self) -> bool {
        self.ends.contains_key(&End::TooLong.to_string())
    }
}

impl RaceRow {
    /// Of runs without and with a dose.
    pub(super) fn of(
        request: &RaceRequest,
        dose: Dose,
        (without, with): (&[Ran], &[Ran]),
        dose_file: String,
    ) -> Self {
        let [without, with] = [without, with].map(Runs::of);
        let counted = |runs: &Runs| (runs.failed, runs.runs);
        let p_value = fisher_exact(counted(&without), counted(&with)).unwrap_or(1.0);
        RaceRow {
            function: request.functions[dose.function].clone(),
            turns: dose.turns,
            with,
            p_value,
            differs: p_value < LEVEL,
            dose_file,
            by_hand: None,
            again: None,
        }
    }
}

impl RaceResult {
    pub(super) fn of(request: &RaceRequest, without: Runs, mut rows: Vec<RaceRow>) -> Self {
        let p_values: Vec<f64> = rows.iter().map(|row| row.p_value).collect();
        for (row, p_value) in rows.iter_mut().zip(holm(&p_values)) {
            row.p_value = p_value;
            row.differs = p_value < LEVEL;
        }
        let mut result = RaceResult {
            schema: RACE_SCHEMA.into(),
            program: request.program.clone(),
            timeout_s: request.timeout_s,
            failed_if: request.failed_if.clone(),
            seed: request.seed,
            without,
            functions: rows,
            left_out: Vec::new(),
            remarks: Vec::new(),
            seconds: 0.0,
        };
        result.remarks = result.remarked();
        result
    }

    /// Whether any run failed, without a dose or with one.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.without.failed > 0 || self.functions.iter().any(|row| row.with.failed > 0)
    }

    fn remarked(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.without.failed == self.without.runs {
            remarks.push(
                "every run fails without a dose as well: is this the right command, and does the program end with status 0 \
                 where nothing is wrong?"
                    .to_owned(),
            );
        }
        if !self.failed() {
            remarks.push(
                "no run failed: more --runs, more --turns or another --function may show a race"
                    .to_owned(),
            );
        }
        for row in &self.functions {
            if row.with.took_too_long() && !self.without.took_too_long() {
                remarks.push(format!(
                    "{}: with the dose some runs took longer than {} s and count as failed: if they only have more to do, \
                     raise --timeout or give fewer --turns",
                    row.function, self.timeout_s
                ));
            }
        }
        remarks
    }
}
