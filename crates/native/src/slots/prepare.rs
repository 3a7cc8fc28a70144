//! From a program to a laboratory: looked at, its hot functions under control, its blocks counted, its baseline linked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Instant;

use proofmark_blocks::{BlockKey, CodeMap, EdgeCounts};
use proofmark_experiment::lab::{Failure, Filler, Insertion, LabError, Preparation, WarmState};
use proofmark_experiment::speedup::name_and_object;
use proofmark_sampler::Settings;

use super::build::Build;
use super::control::Control;
use super::hot::Hot;
use super::image::Image;
use super::lab::{SlotLab, SlotLabs, SlotSettings, in_file};
use super::process::{Ran, Runs};
use super::second::{Apart, Vetted, vetted};
use super::{at, refused};

/// Sampling rate while looking for hot functions, 1/s, and least CPU time and processes of the look.
const LOOK_HZ: f64 = 4000.0;
const LOOK_S: f64 = 1.5;
const LOOKS: usize = 2;
/// Processes from which the time of an iteration is known.
const TIMED: usize = 3;
/// Paddings of the code that every variant is linked with, if there is time.
const SHIFTS: usize = 4;
/// Time that one iteration under each alignment may take, s, and time for linking a variant under all of them.
const ALIGNED_S: f64 = 1.5;
const LINKING_S: f64 = 5.0;
/// Part of a process's time that may be spent in other threads or processes, which are not sampled.
const ELSEWHERE: f64 = 0.05;
/// CPU time of other processes that is not looked at, ns: clearing a process away is charged like one.
const CLEARING_NS: f64 = 2e7;

impl SlotLab {
    /// Gets a program ready.
    pub(super) fn prepare(labs: &SlotLabs, wish: &Preparation) -> Result<Self, LabError> {
        let settings = SlotSettings {
            filler: wish.filler.unwrap_or(labs.settings.filler),
            ..labs.settings.clone()
        };
        if let Some(name) = &wish.profiler {
            let text = format!("{name} cannot watch the blocks of a native program");
            return Err(LabError::new(Failure::Profiler, text));
        }
        let place = settings.directory.join(&wish.name);
        (settings.progress)("linking the program");
        let mut build = Build::new(labs.program.clone(), &place)?;
        let mut runs = Runs {
            name: labs.program.path.clone(),
            arguments: settings.arguments.clone(),
            directory: build.place().to_owned(),
            most_s: settings.most_s,
            output: None,
        };
        let plain = build.variant("plain", &BTreeMap::new())?;
        let image = Image::read(&plain)?;
        (settings.progress)("looking for hot functions");
        let (hot, seen) = sampled(&mut runs, &plain, &image, &settings)?;
        let mut names = hot.names(&image);
        names.extend(wish.wanted.iter().map(|name| name_of(name)));
        let (control, left) = controlled(&mut build, &names)?;
        (settings.progress)("checking the code of variants");
        let vetted = vetted(&mut build, control, settings.filler)?.any()?;
        let controlled = vetted.control.names();
        let parts = hot.parts(&image, &controlled);
        // Other names of a function under control are not missing.
        let missing = |name: &&String| {
            let mut known = image.functions.iter().filter(|one| one.2 == **name);
            known.any(|one| !image.names(one.0).any(|other| controlled.contains(other)))
        };
        let told = |name: &&String| vetted.apart.iter().any(|one| one.name == **name);
        let unknown = |name: &&String| !told(name) && missing(name);
        let refused = (names.difference(&controlled).filter(unknown))
            .map(|name| why(name, left.contains(name)))
            .chain(vetted.apart.iter().map(Apart::reason))
            .collect();
        let warm = warm(parts, seen, refused, &vetted);
        let mut lab = SlotLab {
            build,
            control: vetted.control,
            second: vetted.second,
            runs,
            settings,
            map: CodeMap::new(),
            edges: HashMap::new(),
            executions: HashMap::new(),
            warm,
            baseline: Vec::new(),
            binaries: Vec::new(),
            next_code: 0,
            windows: 0,
        };
        lab.describe()?;
        lab.count()?;
        lab.link_baseline()?;
        Ok(lab)
    }

    /// Puts the functions into the map.
    fn describe(&mut self) -> Result<(), LabError> {
        for unit in self.control.described() {
            let added = self.map.add_unit(unit);
            added.map_err(|error| LabError::new(Failure::Instrument, error))?;
        }
        Ok(())
    }

    /// Counts executions of all blocks in one process: every process does the same.
    fn count(&mut self) -> Result<(), LabError> {
        (self.settings.progress)("counting block executions");
        let counting = self.control.counting();
        let path = self.build.variant("counting", &counting.texts)?;
        let image = Image::read(&path)?;
        let written = self.build.place().join("counts");
        let interrupted = &self.settings.interrupted;
        self.runs.run(&path, None, Some(&written), interrupted)?;
        let bytes = std::fs::read(&written).map_err(at(&written))?;
        let counts = self.control.counts(&counting, &image, &bytes);
        let counts = counts.ok_or_else(|| refused("the counts of blocks are not whole"))?;
        for (unit, blocks) in (0_u32..).zip(counts) {
            let numbered: HashMap<u32, u64> = (0..).zip(blocks).collect();
            let described = &self.map.units()[unit as usize];
            self.edges
                .insert(unit, EdgeCounts::solve(described, &numbered));
            for (block, executions) in numbered {
                let key = BlockKey { unit, block };
                self.executions.insert(key, executions as f64);
            }
        }
        Ok(())
    }

    /// Links the baseline once for every alignment that there is time for.
    fn link_baseline(&mut self) -> Result<(), LabError> {
        (self.settings.progress)("linking the baseline");
        let none = BTreeMap::new();
        let insertion = Insertion::plan(self.settings.filler);
        let began = Instant::now();
        let first = self.slowed(&none, insertion, 0)?;
        let each_s = began.elapsed().as_secs_f64();
        self.baseline.push(first);
        let mut times = Vec::new();
        for _ in 0..TIMED {
            times.push(self.run(first as usize, None)?.iteration.2);
        }
        times.sort_unstable();
        self.warm.iteration_ns = times[TIMED / 2] as f64;
        let alignments = alignments_there_is_time_for(self.warm.iteration_ns / 1e9, each_s);
        for alignment in 1..alignments {
            let binary = self.slowed(&none, insertion, alignment)?;
            self.baseline.push(binary);
        }
        Ok(())
    }
}

/// Samples of the program in a few runs, and how many those were.
fn sampled(
    runs: &mut Runs,
    plain: &Path,
    image: &Image,
    settings: &SlotSettings,
) -> Result<(Hot, usize), LabError> {
    let mut hot = Hot::default();
    let rate = rate(settings, LOOK_HZ)?;
    let (mut seen, mut cpu_s) = (0, 0.0);
    while cpu_s < LOOK_S || seen < LOOKS {
        let ran = runs.run(plain, Some(&rate), None, &settings.interrupted)?;
        check_alone(&ran)?;
        let addresses = ran.samples.iter();
        let addresses = addresses.map(|one| in_file(one.ip, &ran, image.headers));
        hot.add(image, addresses);
        cpu_s += ran.iteration.2 as f64 / 1e9;
        seen += 1;
    }
    Ok((hot, seen))
}

/// How many paddings there is time for, where an iteration and a link take so long, s.
pub(super) fn alignments_there_is_time_for(iteration_s: f64, link_s: f64) -> usize {
    let by_time = |all_s: f64, each_s: f64| (all_s / each_s.max(1e-9)) as usize;
    match by_time(ALIGNED_S, iteration_s) {
        0 | 1 => 1,
        iterations => by_time(LINKING_S, link_s).clamp(2, SHIFTS).min(iterations),
    }
}

/// The hot functions that a linked program has, and the names of those that must be left alone.
fn controlled(
    build: &mut Build,
    names: &BTreeSet<String>,
) -> Result<(Control, BTreeSet<String>), LabError> {
    let (candidates, left) = Control::of(&build.program().texts, names);
    let control = linked(build, candidates)?;
    if control.len() == 0 {
        return Err(refused(
            "none of the program's hot functions has slots: build all of it, libraries too, with PROOFMARK_SLOTS=1 and proofmark cc",
        ));
    }
    Ok((control, left))
}

/// Of these functions those that the linker keeps.
pub(super) fn linked(build: &mut Build, candidates: Control) -> Result<Control, LabError> {
    let marked = candidates.slowed(&BTreeMap::new(), MARKS_ONLY, 0)?;
    let path = build.variant("marked", &marked.texts)?;
    let image = Image::read(&path)?;
    Ok(candidates.present(&image, &build.program().texts))
}

/// Nothing is inserted.
const MARKS_ONLY: Insertion = Insertion::plan(Filler::Nop);

fn rate(settings: &SlotSettings, rate_hz: f64) -> Result<Settings, LabError> {
    let rate = Settings::at_rate(&settings.probe, rate_hz);
    rate.map_err(|error| LabError::new(Failure::Instrument, error))
}

/// The function of a unit's name: of functions of one name units have more behind it.
pub(super) fn name_of(unit: &str) -> String {
    name_and_object(unit).0.to_owned()
}

fn why(name: &str, left: bool) -> String {
    match left {
        true => format!("{name}: its inline assembly or its short jumps cannot be followed"),
        false => {
            format!("{name}: not compiled by proofmark cc, c++ or rustc with PROOFMARK_SLOTS=1")
        }
    }
}

fn warm(
    [controlled, foreign, outside]: [f64; 3],
    seen: usize,
    refused: Vec<String>,
    vetted: &Vetted,
) -> WarmState {
    let checked = vetted.sentence();
    WarmState {
        iterations: seen,
        steady: true,
        reason: format!("every iteration is a process of its own; {checked}"),
        together: 1,
        iteration_ns: 0.0,
        controlled_share: controlled,
        foreign_share: foreign,
        outside_share: outside,
        refused,
    }
}

/// Refuses a program whose time is not in the thread that is sampled.
pub(super) fn check_alone(ran: &Ran) -> Result<(), LabError> {
    let Some([process, thread]) = ran.own_ns.map(|both| both.map(|ns| ns as f64)) else {
        return Err(refused(
            "the program does not come to its end in order: it must return from main or call exit",
        ));
    };
    if thread < (1.0 - ELSEWHERE) * process {
        return Err(refused(
            "the program works in several threads: blocks are measured in the first one only",
        ));
    }
    if ran.iteration.2 as f64 > (1.0 + ELSEWHERE) * process + CLEARING_NS {
        return Err(refused(
            "the program starts other processes: blocks are measured in the first one only",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(cpu_ns: u64, own_ns: Option<[u64; 2]>) -> Ran {
        Ran {
            headers: 0,
            iteration: (0, 0, cpu_ns),
            own_ns,
            samples: Vec::new(),
            loss: proofmark_sampler::Loss::default(),
        }
    }

    #[test]
    fn time_outside_of_the_sampled_thread_is_refused() {
        let said = |cpu_ns, own_ns| {
            let checked = check_alone(&ran(cpu_ns, own_ns));
            checked.map_or_else(|error| error.to_string(), |()| String::new())
        };
        assert_eq!(said(101_000_000, Some([100_000_000, 99_000_000])), "");
        assert!(said(101_000_000, Some([100_000_000, 60_000_000])).contains("several threads"));
        assert!(said(180_000_000, Some([100_000_000, 100_000_000])).contains("other processes"));
        assert!(said(100_000_000, None).contains("its end"));
    }

    #[test]
    fn long_iterations_and_links_leave_few_alignments() {
        let alignments = alignments_there_is_time_for;
        assert_eq!(alignments(0.05, 0.2), 4);
        assert_eq!(alignments(0.05, 1.7), 2);
        assert_eq!(alignments(0.05, 30.0), 2);
        assert_eq!(alignments(0.7, 0.2), 2);
        assert_eq!(alignments(2.0, 0.2), 1);
    }

    #[test]
    fn units_of_one_name_are_of_one_function() {
        assert_eq!(name_of("parse (a.c, object 3)"), "parse");
        assert_eq!(name_of("main"), "main");
        assert_eq!(
            name_of("demo::f::<u8, (u16, u32)>"),
            "demo::f::<u8, (u16, u32)>"
        );
    }
}
