//! Windows of an assessment in one JVM: conditions in the order of a schedule, seen by the profiler
//! and by our own sampler.

mod doses;
mod evidence;
mod methods;
mod runs;

use std::collections::BTreeMap;

use proofmark_assess::{Condition, PcRule, Role, WindowAt};
use proofmark_blocks::{BlockTimes, Replay, Weight};
use proofmark_profile::MethodId;
use serde::{Deserialize, Serialize};

use crate::divine::iteration_ns;
use crate::lab::{Lab, LabError, Measured, ProfiledWindow, Variant, WindowSpec};
use crate::progress::Progress;

pub use doses::in_windows;
pub use methods::Methods;

/// What was seen in one window, by method name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seen {
    at: WindowAt,
    streams: Vec<SeenStream>,
    iteration_ms: Vec<f64>,
    /// Mean of an iteration without what neighbours on the machine took; not known of windows that an older version
    /// stored.
    #[serde(default, alias = "undisturbed_ms")]
    winsorized_ms: Option<f64>,
    profile: Option<SeenProfile>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SeenStream {
    methods: BTreeMap<String, f64>,
    ambiguous: BTreeMap<String, f64>,
    /// Not known of windows that an older version stored.
    #[serde(default)]
    claimable: Option<BTreeMap<String, f64>>,
    #[serde(default)]
    reported: BTreeMap<String, f64>,
    /// Not known of windows that an older version stored.
    #[serde(default)]
    replays: Vec<SeenReplay>,
    /// Not known of windows that an older version stored.
    #[serde(default)]
    roots: BTreeMap<String, f64>,
    outside: f64,
}

/// Samples as the JVM's debug information names them in one way.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SeenReplay {
    rule: PcRule,
    corrected: bool,
    methods: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SeenProfile {
    methods: BTreeMap<String, f64>,
    native: f64,
    unattributed: f64,
    lost: f64,
    other_threads: f64,
}

/// Everything from one JVM, or from one JVM in each run. Names are methods with descriptors, unless the profiler has none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JvmWindows {
    /// Name of the profiler or control.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Times that it was given its windows.
    #[serde(default = "once", alias = "looks")]
    pub analyses: u32,
    /// Why nothing was seen of it, if it failed.
    #[serde(default)]
    pub failure: Option<String>,
    /// What is to be said of runs that failed while others did not.
    #[serde(default)]
    pub failed_runs: Vec<String>,
    windows: Vec<Seen>,
    targets: Vec<(String, String)>,
    overloads_merged: bool,
    /// Not known of windows that an older version stored.
    #[serde(default)]
    border_doubt: BTreeMap<String, f64>,
}

fn once() -> u32 {
    1
}

/// What is run in a JVM.
pub struct Order<'a> {
    /// Name of the profiler or control.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// The windows in order.
    pub windows: &'a [Planned],
    /// Code per condition.
    pub variants: &'a [(Condition, Variant)],
    /// Owner and label of everything that is dosed.
    pub targets: &'a [(String, String)],
    /// Our sampling rate, 1/s.
    pub rate_hz: f64,
    /// Numbers of the first window and the first block.
    pub first: (u32, u32),
    /// What borders between methods can do to the time of each, as a part of the unslowed time (0 to 1), by name.
    pub border_doubt: BTreeMap<String, f64>,
}

/// A window to come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planned {
    /// Number of its block, inside of which times are compared.
    pub block: u32,
    /// What is done to the program.
    pub condition: Condition,
    /// Its length, s.
    pub seconds: f64,
    /// Code placements.
    pub placements: usize,
}

/// Runs the windows in their order, under the eyes of the profiler that was started if there is one.
///
/// # Errors
/// When the laboratory fails.
pub fn run(
    lab: &mut dyn Lab,
    order: &Order<'_>,
    progress: &dyn Progress,
) -> Result<JvmWindows, LabError> {
    let mut windows = Vec::new();
    let all = order.windows.len();
    for (planned, number) in order.windows.iter().zip(order.first.0..) {
        let condition = planned.condition;
        progress.step(&format!(
            "window {} of {all}: {}",
            number - order.first.0 + 1,
            words(condition)
        ));
        let variant = order
            .variants
            .iter()
            .find(|(of, _)| *of == condition)
            .map(|(_, variant)| variant.clone());
        let Some(variant) = variant else { continue };
        let label = format!("w{number:03}");
        let spec = WindowSpec {
            label: &label,
            seconds: planned.seconds / planned.placements as f64,
            iterations: 1,
            rate_hz: Some(order.rate_hz),
        };
        let placements = vec![0; planned.placements];
        let measured = lab.window(&spec, &[variant], &placements)?;
        let seconds = (measured.end_ns - measured.begin_ns) as f64 / 1e9;
        let at = WindowAt {
            window: number,
            run: 0,
            block: order.first.1 + planned.block,
            condition,
            seconds,
        };
        windows.push(Seen::of(at, &measured));
    }
    Ok(JvmWindows {
        name: order.name.to_owned(),
        role: order.role,
        analyses: 1,
        failure: None,
        failed_runs: Vec::new(),
        windows,
        targets: order.targets.to_vec(),
        overloads_merged: false,
        border_doubt: order
            .border_doubt
            .iter()
            .map(|(name, doubt)| (identity(name), *doubt))
            .collect(),
    })
}

fn words(condition: Condition) -> String {
    match condition {
        Condition::Baseline => "nothing slowed".into(),
        Condition::Uniform(percent) => format!("everything slowed by {percent} %"),
        Condition::SingleLow(at) => format!("dose {}, low", at + 1),
        Condition::Single(at) => format!("dose {}", at + 1),
    }
}

impl Seen {
    fn of(at: WindowAt, measured: &Measured) -> Self {
        let stream = |which: usize| {
            let mut times = BlockTimes::default();
            measured
                .groups
                .iter()
                .for_each(|group| times.merge(&group.streams[which]));
            SeenStream::of(&times)
        };
        let iterations = measured.groups.iter().flat_map(|group| &group.iterations);
        Seen {
            at,
            streams: vec![stream(0), stream(1)],
            iteration_ms: iterations.map(|(_, _, cpu)| *cpu as f64 / 1e6).collect(),
            winsorized_ms: winsorized_ms(measured),
            profile: None,
        }
    }
}

/// Mean of an iteration with long ones cut off, ms; none without iterations.
fn winsorized_ms(measured: &Measured) -> Option<f64> {
    let groups = measured.groups.iter();
    let (sum, n) = groups.fold((0.0, 0.0), |(sum, n), group| {
        let iterations = group.iterations.len() as f64;
        (sum + iteration_ns(group) * iterations, n + iterations)
    });
    (n > 0.0).then(|| sum / n / 1e6)
}

impl SeenStream {
    fn of(times: &BlockTimes) -> Self {
        let named = |pick: fn(&proofmark_blocks::MethodTime) -> f64| {
            let mut sums: BTreeMap<String, f64> = BTreeMap::new();
            for (name, time) in &times.methods {
                *sums.entry(identity(name)).or_default() += pick(time);
            }
            sums.retain(|_, sum| *sum > 0.0);
            sums
        };
        SeenStream {
            methods: named(|time| time.all.sum),
            ambiguous: named(|time| time.ambiguous.sum),
            claimable: Some(named(|time| time.claimable.sum)),
            reported: sums(&times.reported),
            replays: times.replays.iter().map(SeenReplay::of).collect(),
            roots: sums(&times.roots),
            outside: times.outside.sum,
        }
    }
}

impl SeenReplay {
    fn of(replay: &Replay) -> Self {
        Self {
            rule: match replay.rule {
                proofmark_blocks::PcRule::Behind => PcRule::Behind,
                proofmark_blocks::PcRule::AtOrBehind => PcRule::AtOrBehind,
                proofmark_blocks::PcRule::AtOrBefore => PcRule::AtOrBefore,
            },
            corrected: replay.corrected,
            methods: sums(&replay.methods),
        }
    }
}

/// Samples by method, in the spelling of profiles.
fn sums(weights: &BTreeMap<String, Weight>) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (name, weight) in weights {
        *sums.entry(identity(name)).or_default() += weight.sum;
    }
    sums
}

/// The one spelling of a method that profiles and our map share.
fn identity(name: &str) -> String {
    MethodId::parse(name).map_or_else(|| name.to_owned(), |id| id.to_string())
}

impl JvmWindows {
    /// A profiler under test that failed.
    #[must_use]
    pub fn failed(name: &str, reason: String) -> Self {
        JvmWindows {
            name: name.to_owned(),
            role: Role::Subject,
            analyses: 1,
            failure: Some(reason),
            failed_runs: Vec::new(),
            windows: Vec::new(),
            targets: Vec::new(),
            overloads_merged: false,
            border_doubt: BTreeMap::new(),
        }
    }

    /// Numbers of the window and of the block that come next.
    #[must_use]
    pub fn next(&self) -> (u32, u32) {
        let after = |number: fn(&WindowAt) -> u32| {
            let numbers = self.windows.iter().map(|seen| number(&seen.at) + 1);
            numbers.max().unwrap_or(0)
        };
        (after(|at| at.window), after(|at| at.block))
    }

    /// Time of all windows, s.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.windows.iter().map(|seen| seen.at.seconds).sum()
    }

    /// Adds what the same JVM saw later, numbered from [`JvmWindows::next`] on.
    pub fn append(&mut self, later: JvmWindows) {
        self.windows.extend(later.windows);
        self.overloads_merged |= later.overloads_merged;
        self.analyses += later.analyses;
    }

    /// Adds what the profiler says of each window.
    pub fn add_profile(&mut self, profile: Vec<ProfiledWindow>) {
        self.overloads_merged = profile.iter().any(|window| window.overloads_merged);
        for (seen, window) in self.windows.iter_mut().zip(profile) {
            let methods = window
                .methods
                .iter()
                .map(|(id, weight)| (id.to_string(), *weight))
                .collect();
            seen.profile = Some(SeenProfile {
                methods,
                native: window.native,
                unattributed: window.unattributed,
                lost: window.lost,
                other_threads: window.other_threads,
            });
        }
    }
}
