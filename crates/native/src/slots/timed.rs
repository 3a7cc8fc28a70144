//! Variants of a program and their times, for virtual speed-up: nothing is sampled or counted, and the program may work in several
//! threads and processes.
//!
//! *Accuracy.* An iteration lasts from the moment at which the process passes its gate, before `main`, until the system says that it
//! has ended; to that comes what waking us takes (some 50 us). CPU time is that of the process, children included, in steps of 1 us.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use proofmark_blocks::{BlockTimes, CodeMap};
use proofmark_experiment::lab::{
    Failure, Filler, GroupData, Insertion, Iteration, LabError, Loss, Measured, UnitTable, Variant,
    WindowSpec, alignments,
};
use proofmark_experiment::speedup::Clocked;

use super::build::Build;
use super::control::{Control, counts_by_unit};
use super::image::Image;
use super::kept::Slotted;
use super::prepare::{alignments_there_is_time_for, check_alone, name_of};
use super::process::{Ran, Runs};

/// Processes from which the time of an iteration is known.
const TIMED: usize = 3;
/// Nothing is inserted.
const NOTHING: Insertion = Insertion::plan(Filler::Nop);

/// How a program is timed.
#[derive(Clone)]
pub struct TimedSettings {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Directory for variants and output.
    pub directory: PathBuf,
    /// Longest that a process may take, s.
    pub most_s: f64,
    /// Told what is going on.
    pub progress: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// A program with some functions under control. Its variants are removed with it.
pub struct TimedLab {
    build: Build,
    control: Control,
    runs: Runs,
    interrupted: Arc<AtomicBool>,
    map: CodeMap,
    concurrent: bool,
    /// The unslowed program under every alignment.
    baseline: Vec<u32>,
    /// Programs by number; the codes of variants are these numbers.
    binaries: Vec<PathBuf>,
    /// Windows so far.
    windows: usize,
}

impl TimedLab {
    /// Takes functions under control that units of a plan are named after, as far as the program has them.
    ///
    /// # Errors
    /// When the program cannot be linked again, fails, or does not do the same in every run.
    pub fn prepare<'u>(
        program: &Slotted,
        settings: TimedSettings,
        units: impl Iterator<Item = &'u str>,
    ) -> Result<Self, LabError> {
        (settings.progress)("linking the program");
        let place = settings.directory.join("variants");
        let mut build = Build::new(program.clone(), &place)?;
        let names: BTreeSet<String> = units.map(name_of).collect();
        let (candidates, _) = Control::of(&program.texts, &names);
        let marked = candidates.slowed(&BTreeMap::new(), NOTHING, 0)?;
        let image = Image::read(&build.variant("marked", &marked.texts)?)?;
        let control = candidates.present(&image, &program.texts);
        let mut map = CodeMap::new();
        for unit in control.described() {
            let added = map.add_unit(unit);
            added.map_err(|error| LabError::new(Failure::Instrument, error))?;
        }
        let runs = Runs {
            name: program.path.clone(),
            arguments: settings.arguments,
            directory: build.place().to_owned(),
            most_s: settings.most_s,
            output: None,
        };
        let mut lab = TimedLab {
            build,
            control,
            runs,
            interrupted: settings.interrupted,
            map,
            concurrent: false,
            baseline: Vec::new(),
            binaries: Vec::new(),
            windows: 0,
        };
        lab.link_baseline()?;
        Ok(lab)
    }

    /// Links the unslowed program once for every alignment that there is time for, and looks how it works.
    fn link_baseline(&mut self) -> Result<(), LabError> {
        let began = Instant::now();
        let first = self.link(&BTreeMap::new(), NOTHING, 0)?;
        let link_s = began.elapsed().as_secs_f64();
        self.baseline.push(first);
        let mut times = Vec::new();
        for _ in 0..TIMED {
            let ran = self.run(first)?;
            self.concurrent |= check_alone(&ran).is_err();
            times.push(wall_ns(&ran.iteration));
        }
        times.sort_unstable();
        let iteration_s = times[TIMED / 2] as f64 / 1e9;
        for alignment in 1..alignments_there_is_time_for(iteration_s, link_s) {
            let binary = self.link(&BTreeMap::new(), NOTHING, alignment)?;
            self.baseline.push(binary);
        }
        Ok(())
    }

    /// The program under an alignment with so many instructions per block of its functions. It is run once, so that it is in memory.
    fn link(
        &mut self,
        counts: &BTreeMap<u32, Vec<u32>>,
        insertion: Insertion,
        alignment: usize,
    ) -> Result<u32, LabError> {
        let slowed = self.control.slowed(counts, insertion, alignment)?;
        let number = self.binaries.len() as u32;
        let path = self
            .build
            .variant(&format!("variant-{number}"), &slowed.texts)?;
        self.binaries.push(path);
        self.run(number)?;
        Ok(number)
    }

    fn run(&mut self, binary: u32) -> Result<Ran, LabError> {
        let path = &self.binaries[binary as usize];
        self.runs.run(path, None, None, &self.interrupted)
    }

    /// Processes of one program until they fill a placement.
    fn placement(
        &mut self,
        spec: &WindowSpec<'_>,
        binary: u32,
    ) -> Result<Vec<Iteration>, LabError> {
        let mut iterations = Vec::new();
        let mut passed_ns = 0;
        while (passed_ns as f64) < 1e9 * spec.seconds
            || iterations.len() < spec.iterations.max(1) as usize
        {
            let ran = self.run(binary)?;
            // A clock that does not move must not keep us here.
            passed_ns += wall_ns(&ran.iteration).max(1000);
            iterations.push(ran.iteration);
        }
        Ok(iterations)
    }
}

fn wall_ns((begin, end, _): &Iteration) -> u64 {
    end.saturating_sub(*begin)
}

impl Clocked for TimedLab {
    fn map(&self) -> &CodeMap {
        &self.map
    }

    fn units(&self) -> Vec<u32> {
        (0..self.control.len()).collect()
    }

    fn alignments(&self) -> usize {
        self.baseline.len()
    }

    fn concurrent(&self) -> bool {
        self.concurrent
    }

    fn baseline(&self) -> Variant {
        Variant {
            aligned: self.baseline.iter().map(|binary| vec![*binary]).collect(),
        }
    }

    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        let Some(first) = tables.first() else {
            return Ok(Clocked::baseline(self));
        };
        let counts = counts_by_unit(tables, &self.map);
        let mut aligned = Vec::new();
        for alignment in 0..self.baseline.len() {
            aligned.push(vec![self.link(&counts, first.insertion, alignment)?]);
        }
        Ok(Variant { aligned })
    }

    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError> {
        let at = alignments(variants, order, self.windows);
        self.windows += 1;
        let mut groups = Vec::new();
        for (variant, alignment) in order.iter().copied().zip(at) {
            let binary = variants[variant].aligned[alignment][0];
            groups.push(GroupData {
                variant,
                alignment,
                iterations: self.placement(spec, binary)?,
                times: BlockTimes::default(),
                streams: Default::default(),
            });
        }
        Ok(Measured {
            begin_ns: groups.first().map_or(0, |group| *group.span().start()),
            end_ns: groups.last().map_or(0, |group| *group.span().end()),
            groups,
            loss: Loss::default(),
            repeats: 0,
        })
    }
}

impl Drop for TimedLab {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.build.place());
    }
}
