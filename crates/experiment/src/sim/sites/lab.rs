//! One process of a simulated program with sites.

mod trouble;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::seen::{Eyes, Spent, first_line, threads};
use super::steps::{STEP_NS, step_ns};
use super::units::{name_of, units};
use super::{BESIDE_NS, Kept, SimulatedSites, SiteFault, SiteProfiler, SitedMethod, Watch, locked};
use crate::dose::sites::{
    CLOCK, Compilation, DosedWindow, KeptWindow, PlacedSite, SiteLab, SitePlace, SiteReport,
    SiteWork, StepReading, WantedSite, WarmUp, Watching,
};
use crate::dose::{Dose, DoseKind, JvmFacts};
use crate::lab::{Iteration, LabError, ProfiledWindow};
use crate::sim::{Happening, Random};

/// What a pass of the clock's loop takes besides its turns, ns.
const PASS_NS: f64 = 3.0;

/// Time between two windows, ns: a compilation in one is not near the next.
const PAUSE_NS: u64 = 50_000_000;
/// What is left of how far the machine's speed had moved in the window before.
const SPEED_KEPT: f64 = 0.9;
/// How far behind the first line of its method a site stands.
const ENTRY_LINE: u16 = 10;
const LOOP_LINE: u16 = 20;
const BRANCH_LINE: u16 = 30;

/// A process of a simulated program, with sites and at most one profiler.
#[derive(Debug)]
pub struct SimulatedSiteLab {
    pub(super) name: String,
    pub(super) profiler: Option<SiteProfiler>,
    pub(super) happens: Vec<Happening>,
    pub(super) watch: Option<Watch>,
    methods: Vec<SitedMethod>,
    outside_ns: f64,
    noise: f64,
    /// Those that are in, by number; none for the others.
    sites: Vec<Option<Site>>,
    /// Sites whose gates are open.
    open: BTreeSet<u16>,
    report: SiteReport,
    seen: Vec<ProfiledWindow>,
    kept: Kept,
    ended: Arc<AtomicBool>,
    processors: u32,
    random: Random,
    /// Of readings of the clock under a profiler, which change nothing else that is drawn.
    beside: Random,
    /// Relative standard deviation by which the machine's speed moves from window to window.
    speed_sd: f64,
    /// Logarithm of how much longer everything takes now.
    speed: f64,
    /// How often gates were opened.
    opened: u32,
    windows: u32,
    clock_ns: u64,
}

/// A site that is in a class.
#[derive(Debug, Clone, Copy)]
struct Site {
    /// Place of its method in the program; none for the clock's.
    method: Option<usize>,
    /// How often it is reached in an iteration.
    reached: u32,
    line: u16,
    /// It is there only while its gate is open.
    gated: bool,
    /// What its steps do.
    kind: DoseKind,
    /// Steps of a turn.
    steps: u16,
    spoils: f64,
}

impl SimulatedSiteLab {
    pub(super) fn new(labs: &SimulatedSites, wanted: &[WantedSite], random: Random) -> Self {
        let mut lab = Self {
            name: String::new(),
            profiler: None,
            happens: Vec::new(),
            watch: None,
            methods: labs.methods.clone(),
            outside_ns: labs.outside_ns,
            noise: labs.noise,
            sites: Vec::new(),
            open: BTreeSet::new(),
            report: SiteReport::default(),
            seen: Vec::new(),
            kept: Arc::clone(&labs.kept),
            ended: Arc::clone(&labs.ended),
            processors: labs.processors,
            beside: random.clone(),
            random,
            speed_sd: labs.speed_sd,
            speed: 0.0,
            opened: 0,
            windows: 0,
            clock_ns: 0,
        };
        for (index, one) in (0..).zip(wanted) {
            lab.put(index, one);
        }
        lab.report.compiled.extend(units(&lab.methods, wanted));
        lab
    }

    /// Puts a site into its method, or says why it cannot.
    fn put(&mut self, index: u16, wanted: &WantedSite) {
        let watched = wanted.place == SitePlace::Watch;
        let site = self.site(wanted);
        match &site {
            Ok(_) if watched => {}
            Ok(site) => self.report.placed.push(PlacedSite {
                index,
                line: Some(site.line),
            }),
            Err(reason) => self.report.refused.push((index, reason.clone())),
        }
        let method = site.as_ref().ok().and_then(|site| site.method);
        if let Some(method) = method {
            let inlined = watched || !self.methods[method].uninlined;
            let inlined = inlined.then_some(index).into_iter();
            self.report.compiled.push(Compilation {
                ns: 0,
                inside: BTreeSet::from([index]),
                inlined: inlined.collect(),
                revealed: BTreeSet::new(),
            });
        }
        self.sites.push(site.ok().filter(|_| !watched));
    }

    fn site(&self, wanted: &WantedSite) -> Result<Site, String> {
        let (kind, steps) = match wanted.work {
            SiteWork::Turns(kind, steps) => (kind, steps),
            SiteWork::Count => (DoseKind::Arithmetic, 0),
        };
        let mut site = Site {
            method: None,
            reached: 0,
            line: 1,
            gated: wanted.gated,
            kind,
            steps,
            spoils: 0.0,
        };
        if (wanted.class.as_str(), wanted.method.as_str()) == CLOCK {
            return Ok(site);
        }
        let name = name_of(wanted);
        let at = self.methods.iter().position(|one| one.name == name);
        let at = at.ok_or("the class has no such method")?;
        let method = &self.methods[at];
        if let Some(reason) = &method.refused {
            return Err(reason.clone());
        }
        site.method = Some(at);
        (site.reached, site.line) = match wanted.place {
            SitePlace::Loop(0) if method.in_loop > 0 => (method.in_loop, LOOP_LINE),
            SitePlace::Loop(_) => return Err("the method has no such loop".into()),
            SitePlace::Branch(0) if method.in_branch > 0 => (method.in_branch, BRANCH_LINE),
            SitePlace::Branch(_) => return Err("the method has no such branch".into()),
            SitePlace::Entry | SitePlace::Watch => (method.entries, ENTRY_LINE),
        };
        site.line += first_line(at);
        if wanted.place == SitePlace::Entry {
            site.spoils = method.spoils;
        }
        Ok(site)
    }

    /// Where the time of an iteration is spent under a dose.
    fn spent(&self, dose: Option<Dose>) -> Vec<Spent> {
        let inside = || (0..self.sites.len() as u16).filter_map(|index| self.there(index));
        let slower = 1.0 + inside().map(|site| site.spoils).sum::<f64>();
        let own = |method, line, ns| Spent {
            method,
            line,
            ns,
            added: None,
        };
        let mut all = vec![own(None, 0, self.outside_ns * slower)];
        let mut own_ns: Vec<f64> = self.methods.iter().map(|one| one.own_ns).collect();
        for taking in inside().filter_map(|site| site.method) {
            if let Some((from, part)) = &self.methods[taking].takes
                && let Some(from) = self.methods.iter().position(|one| one.name == *from)
            {
                own_ns[taking] += part * self.methods[from].own_ns;
                own_ns[from] -= part * self.methods[from].own_ns;
            }
        }
        for (at, ns) in own_ns.into_iter().enumerate() {
            all.push(own(Some(at), first_line(at), ns * slower));
        }
        for site in inside() {
            let Some(method) = site.method else { continue };
            let at_rest = f64::from(site.reached) * self.methods[method].rest_ns;
            all.push(own(Some(method), site.line, at_rest));
        }
        let dosed = dose.and_then(|dose| Some((dose, self.there(dose.site)?)));
        if let Some((dose, site)) = dosed
            && let Some(method) = site.method
        {
            let turns = f64::from(dose.turns) * f64::from(site.steps) * step_ns(site.kind);
            let shown = (turns - self.methods[method].hidden_ns).max(0.0);
            let beside = self.methods[method].overlaps * (1.0 - (-shown / BESIDE_NS).exp());
            all.iter_mut().for_each(|one| one.ns *= 1.0 - beside);
            all.push(Spent {
                method: Some(method),
                line: site.line,
                ns: f64::from(site.reached) * shown,
                added: (shown > 0.0).then_some(site.kind),
            });
        }
        all
    }

    /// The site with this number, if its code is there.
    fn there(&self, index: u16) -> Option<Site> {
        let site = self.sites[usize::from(index)]?;
        (!site.gated || self.open.contains(&index)).then_some(site)
    }

    /// Times of a reading of the clock, ns; of none there are none.
    fn read(&mut self, clock: Option<StepReading>) -> Result<Vec<u64>, LabError> {
        let Some(StepReading { site, loops }) = clock else {
            return Ok(Vec::new());
        };
        let loops = loops.into_iter();
        loops
            .map(|(turns, passes)| self.passes(Dose { site, turns }, passes))
            .collect()
    }

    /// Iterations of that many ns, for so long.
    fn iterations(&mut self, each_ns: f64, seconds: f64, least: u32) -> Vec<Iteration> {
        let number = (seconds * 1e9 / each_ns).ceil() as u32;
        let mut iterations = Vec::new();
        for _ in 0..number.max(least).max(1) {
            let cpu = (each_ns * (1.0 + self.noise * self.random.normal())) as u64;
            iterations.push((self.clock_ns, self.clock_ns + cpu, cpu));
            self.clock_ns += cpu;
        }
        iterations
    }
}

impl SiteLab for SimulatedSiteLab {
    type Error = LabError;

    fn facts(&self) -> JvmFacts {
        JvmFacts {
            version: "0".into(),
            vendor: "simulated".into(),
            options: Vec::new(),
        }
    }

    fn elapsed_s(&self) -> f64 {
        self.clock_ns as f64 / 1e9
    }

    fn at_once(&self, busy: f64) -> usize {
        (f64::from(self.processors) / busy).max(1.0) as usize
    }

    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        self.happening()?;
        self.clock_ns += (1e9 * (warm.exercise_s + warm.least_s)) as u64;
        Ok(None)
    }

    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), LabError> {
        self.open = open.iter().copied().collect();
        self.opened += u32::from(!open.is_empty());
        self.warm_up(warm).map(drop)
    }

    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, LabError> {
        let clock = watching.clock();
        let mut passes_ns = self.read(clock)?;
        self.happening()?;
        self.clock_ns += PAUSE_NS;
        self.compile();
        let late = self.happens.iter();
        let late: f64 = late
            .map(|one| one.takes(self.windows, self.opened))
            .product();
        self.windows += 1;
        self.speed = SPEED_KEPT * self.speed + self.speed_sd * self.random.normal();
        let mut spent = self.spent(dose);
        if let Some(SiteFault::Slows { part }) = self.profiler.as_ref().map(|one| &one.fault) {
            let added = spent.iter_mut().filter(|one| one.added.is_some());
            added.for_each(|one| one.ns *= 1.0 + part);
        }
        let each_ns = spent.iter().map(|one| one.ns).sum::<f64>() * self.speed.exp() * late;
        let begin_ns = self.clock_ns;
        let iterations = self.iterations(each_ns, seconds, least);
        if let Some(profiler) = self
            .profiler
            .clone()
            .filter(|_| watching != Watching::Nobody)
        {
            let cpu_s = iterations
                .iter()
                .map(|(_, _, cpu)| *cpu as f64)
                .sum::<f64>()
                / 1e9;
            let taken = (profiler.samples_per_s * cpu_s + self.random.uniform()) as u32;
            let eyes = Eyes {
                fault: &profiler.fault,
                methods: &self.methods,
                spent: &spent,
            };
            self.seen.push(eyes.window(taken, &mut self.random));
        }
        let cpu_ns: u64 = iterations.iter().map(|(_, _, cpu)| cpu).sum();
        let (busy_threads, busiest) = threads(&spent, &self.methods);
        let end_ns = self.clock_ns;
        passes_ns.extend(self.read(clock)?);
        Ok(DosedWindow {
            begin_ns,
            end_ns,
            together: 1,
            iterations,
            busy_threads,
            busiest_ns: (busiest * cpu_ns as f64) as u64,
            step_ns: clock.and_then(|clock| clock.mean_step_ns(&passes_ns)),
        })
    }

    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        let counts: Vec<u32> = (self.sites.iter())
            .map(|site| site.map_or(0, |site| site.reached))
            .collect();
        // Classes are initialised in the first one.
        let first: Vec<u32> = counts.iter().map(|count| count + 1).collect();
        let others = (1..iterations).map(|_| counts.clone());
        Ok(std::iter::once(first).chain(others).collect())
    }

    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, LabError> {
        let site = self.sites[usize::from(clock.site)];
        let steps = site.map_or(0, |site| site.steps);
        let pass_ns = f64::from(clock.turns) * f64::from(steps) * STEP_NS + PASS_NS;
        let random = match self.profiler {
            Some(_) => &mut self.beside,
            None => &mut self.random,
        };
        let noise = 1.0 + 0.1 * self.noise * random.normal();
        let time = (pass_ns * f64::from(passes) * self.speed.exp() * noise) as u64;
        self.clock_ns += time;
        Ok(time)
    }

    fn report(&self) -> SiteReport {
        self.report.clone()
    }

    fn reported(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        Ok(self.seen.clone())
    }

    fn keep(&self, windows: &[KeptWindow]) -> Result<(), LabError> {
        locked(&self.kept).insert(self.name.clone(), windows.to_vec());
        Ok(())
    }

    fn finish(self) -> Result<Vec<ProfiledWindow>, LabError> {
        Ok(self.seen)
    }

    fn end(self) {}
}
