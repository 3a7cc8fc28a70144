//! Which methods changed more than the noise between runs explains?
//!
//! Per method the mean share over the runs of A is compared with that of B. Its uncertainty is what the runs show
//! (Welch's t test), but never less than sampling alone must cause (binomial, where the number of samples is known).
//! Over all methods the false-discovery rate is controlled (Benjamini and Hochberg 1995). With one recording a side the
//! noise between runs cannot be seen; then only sampling noise counts, a remark says so, and no change is certain.

mod detectable;
mod noise;
mod shares;

use std::collections::{BTreeMap, BTreeSet};

use proofmark_stats::{Confidence, Estimate, Spread, benjamini_hochberg, mean};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{ENOUGH_RUNS, Recording};
use detectable::detectable_pt;
use noise::spread;
use shares::{samples, shares, tells_overloads};

/// Name and version of the format.
pub const DIFF_SCHEMA: &str = "proofmark-diff/1";

/// When a change counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffSettings {
    /// Share of false finds among all finds that is accepted on average (0 to 1).
    pub false_discovery_rate: f64,
    /// Smaller changes do not count, points.
    pub least_change_pt: f64,
}

impl Default for DiffSettings {
    /// 5 %, every size.
    fn default() -> Self {
        Self {
            false_discovery_rate: 0.05,
            least_change_pt: 0.0,
        }
    }
}

/// The answer of `diff --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// [`DIFF_SCHEMA`].
    pub schema: String,
    /// When a change counts.
    pub settings: DiffSettings,
    /// What was compared with what.
    pub compared: Vec<Compared>,
    /// Every method of either side, most certain change first.
    pub changes: Vec<Change>,
    /// Number of changes that count.
    pub changed: u64,
    /// What was left out or cannot be known, in sentences.
    pub remarks: Vec<String>,
}

/// One program and profiler on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// Program (of A).
    pub program: String,
    /// Profiler (of A).
    pub profiler: String,
    /// Recordings of A.
    pub runs_a: u64,
    /// Recordings of B.
    pub runs_b: u64,
    /// Methods compared.
    pub methods: u64,
    /// The smallest change of any method's mean share, points, that a comparison like this one finds in four of five
    /// cases; with one recording a side, as far as the noise of sampling goes. None without methods.
    #[serde(default)]
    pub detectable_pt: Option<f64>,
}

impl Compared {
    /// Whether the noise between runs can be seen: several recordings on a side at least.
    #[must_use]
    pub fn noise_is_known(&self) -> bool {
        self.runs_a > 1 || self.runs_b > 1
    }
}

/// One method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Program.
    pub program: String,
    /// Profiler.
    pub profiler: String,
    /// Method; without descriptor if one side has none.
    pub method: String,
    /// Mean share in A, %.
    pub a_pct: f64,
    /// Mean share in B, %.
    pub b_pct: f64,
    /// B less A, points; `n` counts recordings of both.
    pub change_pt: Estimate,
    /// Probability of such a change, or a larger one, from noise.
    pub p_value: f64,
    /// False-discovery rate at which it would count.
    pub adjusted: f64,
    /// Whether it counts.
    pub changed: bool,
    /// The smallest change of this method, points, that would have been found in four of five cases.
    #[serde(default)]
    pub detectable_pt: f64,
}

impl Diff {
    /// Number of changes that count and are more than noise between runs, too: those of programs with several
    /// recordings on a side.
    #[must_use]
    pub fn certain(&self) -> u64 {
        let known = |change: &&Change| {
            let mut compared = self.compared.iter();
            compared.any(|c| {
                c.noise_is_known() && c.program == change.program && c.profiler == change.profiler
            })
        };
        let counted = self.changes.iter().filter(|change| change.changed);
        counted.filter(known).count() as u64
    }
}

/// Compares B with A. Programs and profilers of the same name are compared; if either side has only one program and
/// profiler, these are compared whatever their names.
#[must_use]
pub fn diff(a: &[Recording], b: &[Recording], settings: DiffSettings) -> Diff {
    let (sides, mut remarks) = matched(a, b);
    let mut compared = Vec::new();
    let mut changes = Vec::new();
    let mut spreads = Vec::new();
    for (a, b) in sides {
        let Some(first) = a.first() else { continue };
        let (found, noise): (Vec<Change>, Vec<Spread>) = changes_of(&a, &b).into_iter().unzip();
        spreads.extend(noise);
        compared.push(Compared {
            program: first.program.clone(),
            profiler: first.profiler.clone(),
            runs_a: a.len() as u64,
            runs_b: b.len() as u64,
            methods: found.len() as u64,
            detectable_pt: None,
        });
        changes.extend(found);
    }
    remarks.extend(noise_remarks(&compared));
    let rate = settings.false_discovery_rate;
    for (change, spread) in changes.iter_mut().zip(&spreads) {
        change.detectable_pt =
            detectable_pt(spread, rate, spreads.len()).max(settings.least_change_pt);
    }
    for compared in &mut compared {
        let of = changes
            .iter()
            .filter(|c| c.program == compared.program && c.profiler == compared.profiler);
        compared.detectable_pt = of.map(|c| c.detectable_pt).reduce(f64::max);
    }
    let adjusted = benjamini_hochberg(&changes.iter().map(|c| c.p_value).collect::<Vec<f64>>());
    for (change, adjusted) in changes.iter_mut().zip(adjusted) {
        change.adjusted = adjusted;
        change.changed = adjusted <= settings.false_discovery_rate
            && change.change_pt.value.abs() >= settings.least_change_pt;
    }
    let size = |c: &Change| c.change_pt.value.abs();
    changes.sort_by(|x, y| {
        let certain = x.p_value.total_cmp(&y.p_value);
        certain.then(size(y).total_cmp(&size(x)))
    });
    Diff {
        schema: DIFF_SCHEMA.into(),
        settings,
        changed: changes.iter().filter(|c| c.changed).count() as u64,
        compared,
        changes,
        remarks,
    }
}

type Group<'a> = Vec<&'a Recording>;

/// Both sides' recordings of every program and profiler that both have, and what only one side has, in sentences.
fn matched<'a>(
    a: &'a [Recording],
    b: &'a [Recording],
) -> (Vec<(Group<'a>, Group<'a>)>, Vec<String>) {
    let groups = |side: &'a [Recording]| {
        let mut groups: BTreeMap<(&str, &str), Group<'a>> = BTreeMap::new();
        for recording in side {
            let key = (recording.program.as_str(), recording.profiler.as_str());
            groups.entry(key).or_default().push(recording);
        }
        groups
    };
    let (mut a, mut b) = (groups(a), groups(b));
    if a.len() == 1 && b.len() == 1 {
        let pairs = a.into_values().zip(b.into_values());
        return (pairs.collect(), Vec::new());
    }
    let keys: BTreeSet<(&str, &str)> = a.keys().chain(b.keys()).copied().collect();
    let (mut pairs, mut remarks) = (Vec::new(), Vec::new());
    for key in keys {
        match (a.remove(&key), b.remove(&key)) {
            (Some(a), Some(b)) => pairs.push((a, b)),
            (Some(_), None) => remarks.push(format!("{} under {} is only in A.", key.0, key.1)),
            _ => remarks.push(format!("{} under {} is only in B.", key.0, key.1)),
        }
    }
    (pairs, remarks)
}

fn noise_remarks(compared: &[Compared]) -> Vec<String> {
    let mut remarks = Vec::new();
    if compared.iter().any(|c| c.runs_a == 1 && c.runs_b == 1) {
        remarks.push(
            "With one recording a side the noise between runs cannot be seen: only the noise of sampling counts, and \
             a change may be no more than what the next run would undo. Give several recordings a side."
                .into(),
        );
    } else if compared.iter().any(|c| c.runs_a == 1 || c.runs_b == 1) {
        remarks.push(
            "One side has a single recording: the noise between runs is taken from the other side."
                .into(),
        );
    }
    let few = |c: &&Compared| c.noise_is_known() && c.runs_a.min(c.runs_b) < ENOUGH_RUNS as u64;
    if compared.iter().any(|c| few(&c)) {
        remarks.push(format!(
            "With fewer than {ENOUGH_RUNS} recordings on a side the intervals are rough: so few runs hardly tell how runs differ."
        ));
    }
    remarks
}

/// Every method's change, with its noise.
fn changes_of(a: &[&Recording], b: &[&Recording]) -> Vec<(Change, Spread)> {
    // Overloads are told apart only if both sides do: else all of a method is compared with one of its overloads.
    let apart = tells_overloads(a) == tells_overloads(b);
    let (a_shares, b_shares) = (shares(a, apart), shares(b, apart));
    let methods: BTreeSet<&String> = a_shares.keys().chain(b_shares.keys()).collect();
    let change = |method: &String| {
        let side = |shares: &BTreeMap<String, Vec<f64>>, runs: &[&Recording]| {
            let known = shares.get(method).cloned();
            known.unwrap_or_else(|| vec![0.0; runs.len()])
        };
        let (x, y) = (side(&a_shares, a), side(&b_shares, b));
        let spread = spread(&x, &y, (samples(a), samples(b)));
        let value = mean(&y) - mean(&x);
        let (program, profiler) = (&a[0].program, &a[0].profiler);
        let change = Change {
            program: program.clone(),
            profiler: profiler.clone(),
            method: method.clone(),
            a_pct: mean(&x),
            b_pct: mean(&y),
            change_pt: Estimate::around(
                value,
                spread.half_width(Confidence::P95),
                (x.len() + y.len()) as u64,
            ),
            p_value: spread.p_value(value),
            adjusted: 1.0,
            changed: false,
            detectable_pt: 0.0,
        };
        (change, spread)
    };
    methods.into_iter().map(change).collect()
}
