//! Programs with sites whose true attribution is known: methods with known times, sites with known costs and a hinge,
//! profilers with planted faults, processes that die.

mod lab;
mod seen;
mod steps;
mod units;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::labs::{Happening, Trouble};
use super::random::Random;
use crate::dose::DoseKind;
use crate::dose::sites::{KeptWindow, SiteError, SiteLabs, WantedSite};
use crate::lab::{Failure, LabError};

pub use lab::SimulatedSiteLab;

/// How far the machine's speed usually moves from window to window.
const SPEED_SD: f64 = 0.002;

/// Time of a pass of a site, ns, at which about two thirds of what can be done beside it are ([`SitedMethod::overlaps`]).
const BESIDE_NS: f64 = 350.0;

/// A method of a simulated program.
#[derive(Debug, Clone, PartialEq)]
pub struct SitedMethod {
    /// Class with packages, and name: `com.acme.Main.run`.
    pub name: String,
    /// Its own time in an iteration, ns.
    pub own_ns: f64,
    /// Part of its time, that of a site in it included, that other threads than the one which calls the program spend, 0 to
    /// 1. They share it alike.
    pub in_workers: f64,
    /// How often it is entered in an iteration.
    pub entries: u32,
    /// How often the body of its only loop is reached in an iteration; 0 if it has none.
    pub in_loop: u32,
    /// How often its only branch is run in an iteration; 0 if it has none.
    pub in_branch: u32,
    /// What of a site's turns hides behind the work around them, ns each time that it is reached.
    pub hidden_ns: f64,
    /// This part of the program's other time, 0 to 1, is done beside turns of a site in it that take much longer than 350 ns at
    /// each pass, and takes no time of its own then. Below 0: beside such turns the other time is longer by this part.
    pub overlaps: f64,
    /// What a site takes at rest, ns each time that it is reached.
    pub rest_ns: f64,
    /// By how much a site at its entry slows the whole program without a turn, as a part of its time: other code.
    pub spoils: f64,
    /// With a site in it, this part of another method's own time (0 to 1) is spent in it: other code.
    pub takes: Option<(String, f64)>,
    /// The method in whose unit it is inlined, if that is said.
    pub inlined_into: Option<String>,
    /// With a site it is no longer inlined.
    pub uninlined: bool,
    /// Share of the bytecodes, %; none where they are not counted.
    pub bytecode_pct: Option<f64>,
    /// Why no site can be put into it.
    pub refused: Option<String>,
}

impl SitedMethod {
    /// A method without a loop or a branch that any site fits into; bytecodes are not counted in it.
    #[must_use]
    pub fn new(name: &str, own_ns: f64, entries: u32) -> Self {
        Self {
            name: name.to_owned(),
            own_ns,
            in_workers: 0.0,
            entries,
            in_loop: 0,
            in_branch: 0,
            hidden_ns: 10.0,
            overlaps: 0.0,
            rest_ns: 0.5,
            spoils: 0.0,
            takes: None,
            inlined_into: None,
            uninlined: false,
            bytecode_pct: None,
            refused: None,
        }
    }
}

/// What a profiler does wrong. Methods are named as in [`SitedMethod::name`].
#[derive(Debug, Clone, PartialEq)]
pub enum SiteFault {
    /// Nothing.
    None,
    /// Time that turns add in one method is reported in another; its own time is reported rightly.
    MovesAdded {
        /// Where it is added.
        from: String,
        /// Where it is reported.
        to: String,
    },
    /// A part of that time.
    MovesPart {
        /// The part, 0 to 1.
        part: f64,
        /// Where it is added.
        from: String,
        /// Where it is reported.
        to: String,
    },
    /// The same of turns of one kind; of others it is reported rightly.
    MovesKind {
        /// The kind.
        kind: DoseKind,
        /// Where it is added.
        from: String,
        /// Where it is reported.
        to: String,
    },
    /// Time that turns of one kind add in one method is reported in no Java method.
    Unnames {
        /// The kind.
        kind: DoseKind,
        /// Where it is added.
        from: String,
    },
    /// Time of the method that turns call is reported in the method that calls it.
    HidesCallee,
    /// All time of one method is reported in another.
    Hides {
        /// The one that is never shown.
        from: String,
        /// The one that is shown in its place.
        to: String,
    },
    /// Drops this part of a method's samples, 0 to 1, while a site in it makes turns, and does not say so.
    Drops {
        /// The method.
        method: String,
        /// The part.
        part: f64,
    },
    /// Looks at the thread that calls the program only, and does not say so.
    OneThread,
    /// Where turns add time it takes this part of that time for itself, and reports all of it there.
    Slows {
        /// The part.
        part: f64,
    },
    /// Loses this part of all samples, 0 to 1, and says so.
    Loses {
        /// The part.
        part: f64,
    },
    /// Samples what is outside of Java so many times as often as Java.
    NativeOftener {
        /// How many times.
        times: f64,
    },
    /// In each of these processes, by their names, another one, because the JVM compiled the program so; in all others it is right.
    InProcesses(Vec<(String, SiteFault)>),
    /// It cannot be started.
    Fails,
}

impl SiteFault {
    /// The same one in each of these processes.
    #[must_use]
    pub fn in_each(processes: &[&str], fault: &Self) -> Self {
        let each = processes.iter();
        Self::InProcesses(
            each.map(|name| ((*name).to_owned(), fault.clone()))
                .collect(),
        )
    }

    /// What is wrong in the process of this name.
    fn in_process(&self, name: &str) -> Self {
        match self {
            Self::InProcesses(each) => {
                let mut each = each.iter();
                let here = each.find(|(process, _)| process == name);
                here.map_or(Self::None, |(_, fault)| fault.clone())
            }
            other => other.clone(),
        }
    }
}

/// A profiler of a simulated program.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteProfiler {
    /// Its name.
    pub name: String,
    /// Samples per second of CPU time.
    pub samples_per_s: f64,
    /// What is wrong with it.
    pub fault: SiteFault,
}

/// Starts processes of one simulated program with sites.
///
/// *Accuracy.* Times of iterations are normal around the truth, with a speed of the machine that wanders; samples come as a
/// timer's do, and where each falls is drawn. What happens to a process is one of [`Happening`]: that it dies, is refused or
/// interrupted, and that every so many windows a method with a site is compiled ([`Happening::ReplacesCode`]).
#[derive(Debug)]
pub struct SimulatedSites {
    /// Its methods.
    pub methods: Vec<SitedMethod>,
    /// Time of an iteration in no Java method, ns.
    pub outside_ns: f64,
    /// Relative standard deviation of an iteration.
    pub noise: f64,
    /// The same of how far the machine's speed moves from window to window.
    pub speed_sd: f64,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// Profilers that can be asked for.
    pub profilers: Vec<SiteProfiler>,
    /// What happens in which process.
    pub troubles: Vec<Trouble>,
    /// Processors of its machine.
    pub processors: u32,
    started: Mutex<Vec<String>>,
    kept: Kept,
    watched: Arc<Mutex<Watched>>,
    /// Whether all processes are ended.
    ended: Arc<AtomicBool>,
}

/// Processes with sites and a profiler that are there at the same time.
#[derive(Debug, Default)]
struct Watched {
    now: usize,
    most: usize,
}

/// One of them, until it ends.
#[derive(Debug)]
struct Watch(Arc<Mutex<Watched>>);

impl Watch {
    fn begin(all: &Arc<Mutex<Watched>>) -> Self {
        let mut watched = locked(all);
        watched.now += 1;
        watched.most = watched.most.max(watched.now);
        Self(Arc::clone(all))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        locked(&self.0).now -= 1;
    }
}

/// Windows that processes kept, by the name of the process.
type Kept = Arc<Mutex<BTreeMap<String, Vec<KeptWindow>>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SimulatedSites {
    /// Processes without trouble; the same seed gives the same answers to the same questions.
    #[must_use]
    pub fn new(methods: Vec<SitedMethod>, seed: u64) -> Self {
        Self {
            methods,
            outside_ns: 0.0,
            noise: 0.01,
            speed_sd: SPEED_SD,
            seed,
            profilers: Vec::new(),
            troubles: Vec::new(),
            processors: 1,
            started: Mutex::default(),
            kept: Kept::default(),
            watched: Arc::default(),
            ended: Arc::default(),
        }
    }

    /// Names of the processes that were started so far.
    #[must_use]
    pub fn started(&self) -> Vec<String> {
        locked(&self.started).clone()
    }

    /// Most processes with sites and a profiler that were there at the same time.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        locked(&self.watched).most
    }

    /// The windows that a process of this name kept.
    #[must_use]
    pub fn kept(&self, process: &str) -> Vec<KeptWindow> {
        locked(&self.kept).get(process).cloned().unwrap_or_default()
    }
}

impl SiteLabs for SimulatedSites {
    type Lab = SimulatedSiteLab;
    type Error = LabError;

    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<SimulatedSiteLab, LabError> {
        let number = {
            let mut started = locked(&self.started);
            started.push(name.to_owned());
            started.len() as u64 - 1
        };
        let of_process = self.troubles.iter().filter(|one| one.process == name);
        let happens: Vec<Happening> = of_process.map(|one| one.what.clone()).collect();
        if happens.contains(&Happening::IsRefused) {
            let text = "the workload is never hot in compiled code";
            return Err(LabError::new(Failure::Refused, text));
        }
        let fails = |text: String| LabError::new(Failure::Profiler, text);
        let find = |name: &str| {
            let found = self.profilers.iter().find(|one| one.name == name);
            found.ok_or_else(|| fails(format!("no profiler '{name}' here")))
        };
        let profiler = profiler.map(find).transpose()?;
        if let Some(profiler) = profiler.filter(|one| one.fault == SiteFault::Fails) {
            let text = format!("{} cannot be loaded into this JVM", profiler.name);
            return Err(fails(text));
        }
        let random = Random::new(self.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let mut lab = SimulatedSiteLab::new(self, sites, random);
        lab.profiler = profiler.map(|profiler| SiteProfiler {
            fault: profiler.fault.in_process(name),
            ..profiler.clone()
        });
        let judged = lab.profiler.is_some() && !sites.is_empty();
        lab.watch = judged.then(|| Watch::begin(&self.watched));
        lab.happens = happens;
        lab.name = name.to_owned();
        Ok(lab)
    }

    fn end_all(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    fn log(&self, name: &str) -> Option<String> {
        Some(format!("{name}/jvm.log"))
    }

    fn bytecodes(&self) -> BTreeMap<String, f64> {
        let counted = self.methods.iter();
        let counted = counted.filter_map(|one| Some((one.name.clone(), one.bytecode_pct?)));
        counted.collect()
    }
}

impl SiteError for LabError {
    fn is_everybodys(&self) -> bool {
        let others = [Failure::Interrupted, Failure::NoWorkload, Failure::Refused];
        others.contains(&self.failure)
    }

    fn is_interrupt(&self) -> bool {
        self.failure == Failure::Interrupted
    }
}
