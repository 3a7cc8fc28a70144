//! From a fresh JVM to one that is ready for measuring.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proofmark_blocks::{BlockKey, BlockTimes, EdgeCounts};
use proofmark_experiment::lab::{Iteration, WarmState};
use proofmark_rewrite::{of_the_harness, of_the_program};

use super::{LabSettings, Scope, WarmJvm, Watch};
use crate::error::LabError;
use crate::harness::{HarnessClient, Start, WindowOrder};
use crate::launch::Compiler;
use crate::threads;
use crate::toolchain::Kit;
use crate::workload::Workload;

/// Sampling rate while looking for hot units, 1/s.
const LOOK_HZ: f64 = 4000.0;
/// Length of a look, s.
const LOOK_S: f64 = 1.5;
/// Looks at most; each may find units that the one before uncovered.
const LOOKS: usize = 4;
/// Share of time from which a unit is taken under control.
const HOT: f64 = 0.002;
/// Share of time outside of Graal's code from which C1-compiled methods are taken too.
const OUTSIDE: f64 = 0.02;
/// Methods taken because they run in C1 code, at most.
const SLOW_METHODS: usize = 400;
/// Methods taken under control with one command.
const PORTION: usize = 25;
/// Iterations over which blocks are counted.
const COUNTED: u32 = 4;
/// Share below which a unit is not installed anew for every placement.
const WARM: f64 = 0.0005;

pub(super) fn prepare(
    kit: &Kit,
    workload: &Workload,
    settings: LabSettings,
) -> Result<WarmJvm, LabError> {
    (settings.progress)("starting the JVM");
    let start = Start {
        workload,
        launch: &settings.launch,
        laboratory: settings.launch.compiler == Compiler::Graal,
        log: &settings.log,
        iteration_limit: settings.iteration_limit,
        interrupted: settings.interrupted.clone(),
    };
    let mut client = HarnessClient::start(kit, start)?;
    (settings.progress)("warming up");
    let (pid, tid) = (client.hello().pid, client.hello().tid);
    let waited = threads::waited_ns(pid, tid);
    let warm_up = client.warm_up(settings.warm_up_s, settings.together)?;
    if !settings.several_threads {
        threads::check(&warm_up, threads::waited_ns(pid, tid) - waited)?;
    }
    let warm = WarmState {
        iterations: warm_up.iterations.len(),
        steady: warm_up.steady,
        reason: warm_up.reason,
        together: warm_up.together,
        iteration_ns: settled_ns(&warm_up.iterations),
        controlled_share: 0.0,
        foreign_share: 0.0,
        outside_share: 1.0,
        refused: Vec::new(),
    };
    let watch = Watch::new(client.hello().tid, settings.probe.clone());
    let mut jvm = WarmJvm {
        client,
        settings,
        watch,
        baseline: BTreeMap::new(),
        aligned: vec![(0, BTreeMap::new())],
        windows: 0,
        hot: Vec::new(),
        edges: HashMap::new(),
        executions: HashMap::new(),
        warm,
    };
    // C2's code cannot be controlled: such a JVM is warm and has no units.
    if jvm.settings.launch.compiler == Compiler::Graal {
        jvm.take_control()?;
        jvm.count()?;
        match jvm.settings.scope {
            Scope::Hot => jvm.align()?,
            Scope::All => jvm.aligned = vec![(0, jvm.baseline.clone())],
        }
    }
    Ok(jvm)
}

/// Median CPU time of the last third.
fn settled_ns(iterations: &[Iteration]) -> f64 {
    let mut last: Vec<u64> = iterations[iterations.len() * 2 / 3..]
        .iter()
        .map(|(_, _, cpu)| *cpu)
        .collect();
    last.sort_unstable();
    last.get(last.len() / 2).map_or(0.0, |ns| *ns as f64)
}

impl WarmJvm {
    /// Looks where the time goes and takes what is hot, until nothing new turns up.
    fn take_control(&mut self) -> Result<(), LabError> {
        let mut asked: BTreeSet<String> = BTreeSet::new();
        let mut wanted: Vec<String> = self.settings.wanted.clone();
        let mut slow_tiers_taken = false;
        for look in 0..LOOKS {
            (self.settings.progress)(&format!("looking for hot code ({})", look + 1));
            let times = self.look()?;
            let all = self.settings.scope == Scope::All;
            wanted.extend(if all {
                self.all_foreign(&times)
            } else {
                self.hot_foreign(&times)
            });
            let outside = times.outside.share_of(&times.total).value;
            if !slow_tiers_taken && (all || outside > OUTSIDE) {
                slow_tiers_taken = true;
                let slow = self.client.slow_tier_methods()?;
                wanted.extend(slow.into_iter().take(SLOW_METHODS));
            }
            wanted.retain(|name| asked.insert(name.clone()));
            if self.settings.probe.is_some() {
                self.note_shares(&times);
            }
            if wanted.is_empty() {
                break;
            }
            self.control(&std::mem::take(&mut wanted))?;
        }
        if self.baseline.is_empty() {
            let seen = match self.settings.probe {
                Some(_) => format!(
                    "{:.0} % of its time is outside of it",
                    100.0 * self.warm.outside_share
                ),
                None => "none of its methods was compiled".to_owned(),
            };
            return Err(LabError::Unmeasurable(format!(
                "the workload is never hot in compiled Java code: {seen}"
            )));
        }
        Ok(())
    }

    /// Samples the workload as it is, nothing installed.
    fn look(&mut self) -> Result<BlockTimes, LabError> {
        self.watch.start(LOOK_HZ)?;
        let order = WindowOrder {
            label: "look",
            seconds: LOOK_S,
            iterations: 2,
            discard: 1,
            groups: &[Vec::new()],
        };
        let watch = &mut self.watch;
        let window = self.client.window(&order, &mut || watch.drain())?;
        let (samples, _) = self.watch.stop()?;
        let begin = window
            .groups
            .first()
            .and_then(|g| g.iterations.first())
            .map_or(0, |i| i.0);
        Ok(self.block_times(samples.iter().filter(|s| s.time_ns >= begin)))
    }

    /// Names of hot units that are not under control; a unit compiled for on-stack replacement counts as its method.
    fn hot_foreign(&self, times: &BlockTimes) -> Vec<String> {
        let mut shares: HashMap<&str, f64> = HashMap::new();
        for (unit, weight) in &times.units {
            if !self.baseline.contains_key(unit) {
                let name = method_of(self.unit_name(*unit));
                *shares.entry(name).or_default() += weight.share_of(&times.total).value;
            }
        }
        let mut hot: Vec<(&str, f64)> = shares
            .into_iter()
            .filter(|(name, share)| *share >= HOT && !of_the_harness(name))
            .collect();
        hot.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        hot.into_iter().map(|(name, _)| name.to_owned()).collect()
    }

    /// Names of units that are not under control: all of the program, and those of the JDK in which its thread was
    /// seen. The others of the JDK mostly serve the compiler's threads.
    fn all_foreign(&self, times: &BlockTimes) -> Vec<String> {
        let units = self.client.map().units();
        let known: BTreeSet<&str> = self
            .baseline
            .keys()
            .map(|unit| units[*unit as usize].name.as_str())
            .collect();
        let seen: BTreeSet<&str> = times
            .units
            .keys()
            .map(|unit| method_of(&units[*unit as usize].name))
            .collect();
        units
            .iter()
            .map(|unit| method_of(&unit.name))
            .filter(|name| !known.contains(name))
            .filter(|name| of_the_program(name) || seen.contains(name) && !of_the_harness(name))
            .map(str::to_owned)
            .collect()
    }

    fn control(&mut self, methods: &[String]) -> Result<(), LabError> {
        (self.settings.progress)(&format!("compiling {} methods anew", methods.len()));
        let profiles = self.settings.profiles.clone();
        // In portions: the description of a unit is long.
        for portion in methods.chunks(PORTION) {
            let answer = self.client.control(portion, profiles.as_deref())?;
            self.warm.refused.extend(answer.failures);
            self.baseline.extend(answer.controlled);
        }
        Ok(())
    }

    fn note_shares(&mut self, times: &BlockTimes) {
        let share = |weight: f64| weight / times.total.sum.max(1.0);
        let controlled: f64 = times
            .units
            .iter()
            .filter(|(unit, _)| self.baseline.contains_key(unit))
            .map(|(_, w)| w.sum)
            .sum();
        self.warm.controlled_share = share(controlled);
        self.warm.outside_share = share(times.outside.sum);
        self.warm.foreign_share =
            (1.0 - self.warm.controlled_share - self.warm.outside_share).max(0.0);
        self.hot = self
            .baseline
            .keys()
            .copied()
            .filter(|unit| times.units.get(unit).is_some_and(|w| share(w.sum) >= WARM))
            .collect();
    }

    /// Counts executions of all blocks, then puts the baseline code back.
    fn count(&mut self) -> Result<(), LabError> {
        (self.settings.progress)("counting block executions");
        let counted = self.client.count(COUNTED)?;
        self.follow(counted.controlled.iter().copied().collect());
        self.warm.refused.extend(counted.failures);
        let iterations = counted.iterations.len().max(1) as f64;
        for unit in &counted.counts {
            let blocks: HashMap<u32, u64> = unit.blocks.iter().copied().collect();
            let description = &self.client.map().units()[unit.unit as usize];
            self.edges
                .insert(unit.unit, EdgeCounts::solve(description, &blocks));
            for (block, executions) in blocks {
                let key = BlockKey {
                    unit: unit.unit,
                    block,
                };
                self.executions.insert(key, executions as f64 / iterations);
            }
        }
        self.restore()
    }

    /// Takes over which units are under control now: a unit that was described anew has another index.
    fn follow(&mut self, controlled: BTreeMap<u32, u32>) {
        let index_of: HashMap<String, u32> = controlled
            .keys()
            .map(|unit| (self.unit_name(*unit).to_owned(), *unit))
            .collect();
        let renewed = self
            .hot
            .iter()
            .filter_map(|unit| index_of.get(self.unit_name(*unit)).copied())
            .collect();
        self.hot = renewed;
        self.baseline = controlled;
    }

    /// Installs the baseline code of every unit, the cold ones too.
    fn restore(&mut self) -> Result<(), LabError> {
        let order = WindowOrder {
            label: "settle",
            seconds: 0.0,
            iterations: 1,
            discard: 2,
            groups: &[self.baseline.values().copied().collect()],
        };
        self.client.window(&order, &mut || Ok(())).map(|_| ())
    }
}

/// A unit compiled for on-stack replacement counts as its method.
fn method_of(unit: &str) -> &str {
    unit.split_once('@').map_or(unit, |(method, _)| method)
}
