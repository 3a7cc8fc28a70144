//! A laboratory over a simulated machine.

use std::collections::{BTreeMap, HashMap};

use proofmark_blocks::{BlockKey, BlockTimes, CodeMap, Resolution, Skid};
use proofmark_profile::MethodId;
use proofmark_stats::Estimate;

use super::code::{Compiled, method_names, owner};
use super::fault::Fault;
use super::labs::{Happening, SimulatedProfiler};
use super::machine::Machine;
use super::sampled::{late, stream};
use crate::lab::{
    Failure, Filler, GroupData, Iteration, Lab, LabError, Loss, Measured, ProfiledWindow,
    UnitTable, Variant, WarmState, WindowSpec, alignments,
};

/// What a sample costs, s of CPU time.
const SAMPLE_S: f64 = 30e-6;
/// Relative standard deviation of single iterations.
const ITERATION_SD: f64 = 0.005;
/// Relative standard deviation of a block's time over alignments in the cache line.
const ALIGNMENT_SD: f64 = 0.02;
/// Windows that are tried before units count as lost.
const TRIES: usize = 8;

/// One process of a simulated program.
pub struct SimulatedLab {
    machine: Machine,
    code: Compiled,
    /// Place and owner of each block of the program.
    places: Vec<(BlockKey, String)>,
    methods: Vec<String>,
    warm: WarmState,
    alignments: usize,
    /// Cycles by which its own samples land late.
    border_cycles: f64,
    /// Number of its run, and standard deviation over runs of what a profiler moves, points of share.
    run: (u32, f64),
    profilers: Vec<SimulatedProfiler>,
    running: Option<(SimulatedProfiler, Vec<ProfiledWindow>)>,
    happens: Vec<Happening>,
    windows: u32,
    clock_ns: u64,
}

impl SimulatedLab {
    pub(super) fn new(
        machine: Machine,
        code: Compiled,
        profilers: Vec<SimulatedProfiler>,
        happens: Vec<Happening>,
        alignments: usize,
    ) -> Self {
        let program = machine.program();
        let owners = (0..program.blocks.len()).map(|at| owner(program, at));
        let places = code.keys.iter().copied().zip(owners).collect();
        let warm = WarmState {
            iterations: 100,
            steady: true,
            reason: "simulated".into(),
            together: 1,
            iteration_ns: program.iteration_ns,
            controlled_share: 1.0 - program.outside,
            foreign_share: 0.0,
            outside_share: program.outside,
            refused: Vec::new(),
        };
        SimulatedLab {
            methods: method_names(program),
            machine,
            code,
            places,
            warm,
            alignments,
            border_cycles: 0.0,
            run: (0, 0.0),
            profilers,
            running: None,
            happens,
            windows: 0,
            clock_ns: 0,
        }
    }

    /// The same with samples that land so many cycles late.
    pub(super) fn with_border(mut self, cycles: f64) -> Self {
        self.border_cycles = cycles;
        self
    }

    /// The same in a run; over runs what a profiler moves spreads by so many points of share.
    pub(super) fn of_run(mut self, run: u32, error_pt: f64) -> Self {
        self.run = (run, error_pt);
        self
    }

    /// What a profiler moves in this run besides its fault.
    fn moved(&self, profiler: &SimulatedProfiler) -> Fault {
        let (run, sd) = self.run;
        if sd == 0.0 {
            return Fault::None;
        }
        let (from, to) = match &profiler.fault {
            Fault::Moves { from, to, .. } => (*from, *to),
            _ => (0, 1),
        };
        Fault::Moves {
            from,
            to,
            points: sd * self.machine.roll(&(run, &profiler.name, "error")),
        }
    }

    /// Slowdown instructions per block of the program under these codes.
    fn counts(&self, codes: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.places.len()];
        let inserted = codes.iter().flat_map(|code| &self.code.inserted[code]);
        for (block, count) in inserted {
            counts[*block] += count;
        }
        counts
    }

    /// What happens in this window besides the experiment; the number of times that it has to be repeated.
    fn happening(&self) -> Result<usize, LabError> {
        let mut repeats = 0;
        for happening in &self.happens {
            let (failure, text) = match happening {
                Happening::Dies(at) if self.windows >= *at => (
                    Failure::Died,
                    "the JVM ended (signal 11) during 'window'".to_owned(),
                ),
                Happening::IsInterrupted(at) if self.windows >= *at => {
                    (Failure::Interrupted, "interrupted".to_owned())
                }
                Happening::LosesUnits(at) if self.windows >= *at => (
                    Failure::UnitsLost,
                    format!("in {TRIES} windows in a row the JVM replaced our code"),
                ),
                Happening::ReplacesCode(every) => {
                    repeats += usize::from(self.windows.is_multiple_of(*every));
                    continue;
                }
                _ => continue,
            };
            return Err(LabError::new(failure, text));
        }
        Ok(repeats)
    }

    /// Times of one placement, in baselines of the program, and how much longer everything takes.
    fn placed(&mut self, counts: &[u32], alignment: usize) -> (Vec<f64>, f64) {
        let times = self.machine.times(counts);
        let mut times = self.machine.placed(counts, &times, 1);
        for (at, time) in times.iter_mut().enumerate() {
            *time *= (ALIGNMENT_SD * self.machine.roll(&(at, alignment, "shift"))).exp();
        }
        let slowed = counts.iter().any(|&k| k > 0);
        let mut speed = self.machine.weather(slowed) * self.machine.next_speed();
        if slowed {
            // This window is counted already.
            let window = self.windows - 1;
            let each = self.happens.iter().map(|happening| happening.slows(window));
            speed *= each.product::<f64>();
        }
        (times, speed)
    }

    fn group(&mut self, spec: &WindowSpec<'_>, placement: Placement<'_>) -> GroupData {
        let Placement {
            variant,
            alignment,
            counts,
        } = placement;
        let (times, speed) = self.placed(counts, alignment);
        let outside = self.machine.program().outside;
        let all = times.iter().sum::<f64>() + outside;
        let sampling = spec.rate_hz.map_or(1.0, |rate| 1.0 + rate * SAMPLE_S);
        let each_ns = self.machine.program().iteration_ns * all * speed * sampling;
        let iterations = self.iterations(spec, each_ns);
        let cpu_s = iterations
            .iter()
            .map(|(_, _, cpu)| *cpu as f64)
            .sum::<f64>()
            / 1e9;
        let per_stream = spec.rate_hz.unwrap_or(0.0) * cpu_s / 2.0 / all;
        let shown = late(self.machine.program(), &times, self.border_cycles);
        let expected: Vec<f64> = shown.iter().map(|time| time * per_stream).collect();
        let random = self.machine.random();
        let streams = [0, 1].map(|_| match spec.rate_hz {
            Some(_) => stream(random, &expected, &self.places, outside * per_stream),
            None => BlockTimes::default(),
        });
        let mut both = streams[0].clone();
        both.merge(&streams[1]);
        self.profile(counts, &times, cpu_s);
        GroupData {
            variant,
            alignment,
            iterations,
            times: both,
            streams,
        }
    }

    fn iterations(&mut self, spec: &WindowSpec<'_>, each_ns: f64) -> Vec<Iteration> {
        let number = (spec.seconds * 1e9 / each_ns).ceil() as u32;
        let mut iterations = Vec::new();
        // The first one after an installation is not used.
        self.clock_ns += each_ns as u64;
        for _ in 0..number.max(spec.iterations).max(1) {
            let noise = 1.0 + ITERATION_SD * self.machine.random().normal();
            let cpu = (each_ns * noise) as u64;
            iterations.push((self.clock_ns, self.clock_ns + cpu, cpu));
            self.clock_ns += cpu;
        }
        iterations
    }

    /// What the profiler sees of one placement goes to its last window.
    fn profile(&mut self, counts: &[u32], times: &[f64], cpu_s: f64) {
        let Some((profiler, _)) = &self.running else {
            return;
        };
        let profiler = profiler.clone();
        let all = times.iter().sum::<f64>() + self.machine.program().outside;
        let mut shares = vec![0.0; self.methods.len()];
        for (time, (_, owner)) in times.iter().zip(&self.places) {
            let method = self.methods.iter().position(|method| method == owner);
            shares[method.unwrap_or(0)] += time / all;
        }
        let inside: f64 = shares.iter().sum();
        profiler
            .fault
            .apply(&mut shares, self.added_alone(counts, all));
        self.moved(&profiler).apply(&mut shares, None);
        let samples = profiler.samples_per_s * cpu_s;
        // Less is rounding.
        let lost = inside - shares.iter().sum::<f64>();
        let lost = if lost > 1e-9 { lost * samples } else { 0.0 };
        let named = 1.0 - profiler.fault.unnamed();
        let random = self.machine.random();
        let drawn: Vec<f64> = shares
            .iter()
            .map(|share| random.poisson(share.max(0.0) * named * samples))
            .collect();
        let unnamed = random.poisson((1.0 - named) * samples);
        let Some(window) = self.running.as_mut().and_then(|(_, seen)| seen.last_mut()) else {
            return;
        };
        for (name, weight) in self.methods.iter().zip(drawn) {
            if let Some(id) = MethodId::parse(name) {
                *window.methods.entry(id).or_default() += weight;
            }
        }
        window.unattributed += unnamed;
        window.lost += lost;
    }

    /// The one method to which something was added, and the share that it is now.
    fn added_alone(&self, counts: &[u32], all: f64) -> Option<(usize, f64)> {
        let slowed = (0..counts.len()).filter(|at| counts[*at] > 0);
        let mut owners = slowed.map(|at| &self.places[at].1);
        let owner = owners.next()?;
        if owners.any(|other| other != owner) {
            return None;
        }
        let (before, after) = (
            self.machine.times(&vec![0; counts.len()]),
            self.machine.times(counts),
        );
        let added = after.iter().sum::<f64>() - before.iter().sum::<f64>();
        let method = self.methods.iter().position(|method| method == owner)?;
        Some((method, added / all))
    }
}

/// One placement that is to be measured.
struct Placement<'a> {
    variant: usize,
    alignment: usize,
    counts: &'a [u32],
}

impl Lab for SimulatedLab {
    fn map(&self) -> &CodeMap {
        &self.code.map
    }

    fn warm(&self) -> &WarmState {
        &self.warm
    }

    fn executions(&self) -> &HashMap<BlockKey, f64> {
        &self.code.executions
    }

    fn units(&self) -> Vec<u32> {
        (0..self.code.map.units().len() as u32).collect()
    }

    fn alignments(&self) -> usize {
        self.alignments
    }

    /// Its samples name the instruction that took the time, or land late by as much as is said here.
    fn resolution(&self) -> Resolution {
        Resolution {
            skid: Skid::None,
            border_cycles: Estimate::around(self.border_cycles, 0.0, 1),
        }
    }

    fn filler(&self) -> Filler {
        Filler::Mov
    }

    /// Blocks have one owner each, and a time that is known without any border.
    fn method_passages(&self) -> BTreeMap<String, Vec<f64>> {
        BTreeMap::new()
    }

    fn baseline(&self) -> Variant {
        Variant {
            aligned: vec![self.units(); self.alignments],
        }
    }

    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        let mut variant = self.baseline();
        let program = self.machine.program().clone();
        let mut own: BTreeMap<u32, u32> = BTreeMap::new();
        for table in tables {
            let compiled = self.code.compile(&program, table);
            let code = compiled.map_err(|error| LabError::new(Failure::Refused, error))?;
            own.insert(table.unit, code);
        }
        for code in variant.aligned.iter_mut().flatten() {
            *code = own.get(code).copied().unwrap_or(*code);
        }
        Ok(variant)
    }

    fn forget(&mut self, _variant: &Variant) -> Result<(), LabError> {
        Ok(())
    }

    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError> {
        let repeats = self.happening()?;
        let at = alignments(variants, order, self.windows as usize);
        self.windows += 1;
        if let Some((_, seen)) = &mut self.running {
            seen.push(ProfiledWindow::default());
        }
        let begin_ns = self.clock_ns;
        let mut groups = Vec::new();
        for (variant, alignment) in order.iter().copied().zip(at) {
            let counts = self.counts(&variants[variant].aligned[alignment]);
            let placement = Placement {
                variant,
                alignment,
                counts: &counts,
            };
            groups.push(self.group(spec, placement));
        }
        Ok(Measured {
            groups,
            loss: Loss::default(),
            begin_ns,
            end_ns: self.clock_ns,
            repeats,
        })
    }

    fn start_profiler(&mut self, name: &str, _files: &str) -> Result<(), LabError> {
        let found = self.profilers.iter().find(|profiler| profiler.name == name);
        let unknown = || LabError::new(Failure::Profiler, format!("no profiler '{name}' here"));
        self.running = Some((found.ok_or_else(unknown)?.clone(), Vec::new()));
        Ok(())
    }

    fn stop_profiler(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        let running = self.running.take();
        running
            .map(|(_, seen)| seen)
            .ok_or_else(|| LabError::new(Failure::Profiler, "no profiler runs"))
    }

    fn stop(self: Box<Self>) {}
}
