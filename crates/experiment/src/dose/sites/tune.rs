//! What kind of site each method needs, by the clock: where it stands and how long its loop's body is.

use proofmark_stats::Estimate;

use super::candidate::Candidate;
use super::clock::{LabClock, rest};
use super::lab::{SiteLab, SitePlace, SiteWork, WARM, WantedSite};
use super::report::SiteReport;
use crate::dose::{DoseKind, Doses, FindSettings, Found, OtherSites, Truth, find_doses};

/// Steps in a turn that may be taken, and those of the first try.
const STEPS: [u16; 8] = [2, 4, 8, 16, 32, 64, 128, 256];
pub(super) const USUAL: u16 = 8;
/// Longer ones make a method so large that it may no longer be inlined: a loop is looked for first.
const LONG: u16 = 64;
/// Loops of a method that are tried.
const LOOPS: u16 = 3;
/// Growth that one turn should bring: some forty turns are then the high dose, and two the low one.
const PER_TURN: f64 = 0.24;
/// Growth that a site must be able to reach.
const WANTED: f64 = 2.0;
/// Growth by a turn of the usual site, 24 cycles long, from which on a place is so hot that one cycle more there is one
/// per cent of the program: no second site stands there, and the first one moves to a branch that is run less often.
const HOT: f64 = 0.2;

/// A method with a site that it gets.
#[derive(Debug, Clone)]
pub(super) struct Tuned {
    pub(super) candidate: Candidate,
    pub(super) site: WantedSite,
    /// Lines where it stands, one per overload.
    pub(super) lines: Vec<u16>,
    /// None where no process with such a site was looked at.
    pub(super) reveals_itself: Option<bool>,
    /// Growth by one turn of the usual number of steps.
    pub(super) per_turn: f64,
    /// Turns that will probably do.
    pub(super) turns: [u16; 2],
    /// Steps in a turn.
    pub(super) steps: u16,
    /// How often the site is reached in an iteration of the workload, if that was counted.
    pub(super) executions: Option<f64>,
    /// Number of the set of sites that are there at the same time.
    pub(super) set: usize,
    /// What the time that it adds should be by counting, as a part of what the clock says, if that is known.
    pub(super) by_count: Option<Estimate>,
    /// Processes that this is the mean of.
    pub(super) counted_in: usize,
    /// What counting says of it by the other sites, if that is known.
    pub(super) by_others: Option<OtherSites>,
    /// Its doses in the process in which it was counted, if it was.
    pub(super) doses: Option<Doses>,
    /// With its code there the program is mostly the site, before it adds time ([`DOSE_DROWNED_PCT`](proofmark_rules::DOSE_DROWNED_PCT)).
    pub(super) drowns: bool,
}

impl Tuned {
    pub(super) fn at_entry(&self) -> bool {
        self.site.place == SitePlace::Entry
    }

    /// The site with a gate.
    pub(super) fn gated(&self) -> WantedSite {
        WantedSite {
            gated: true,
            ..self.site.clone()
        }
    }

    /// `entry` or `loop 1`.
    pub(super) fn place(&self) -> String {
        match self.site.place {
            SitePlace::Entry => "entry".into(),
            SitePlace::Loop(number) => format!("loop {}", number + 1),
            SitePlace::Branch(number) => format!("branch {}", number + 1),
            SitePlace::Watch => String::new(),
        }
    }

    /// What a right profiler may report in place of such doses, under which the program grows so much.
    pub(super) fn truth(&self, doses: &Doses, growth: (f64, f64)) -> Truth {
        let arithmetic = matches!(self.site.work, SiteWork::Turns(DoseKind::Arithmetic, _));
        let steps = f64::from(doses.high - doses.low) * f64::from(self.steps);
        let counted = self.by_count.as_ref();
        Truth::of(
            growth,
            arithmetic.then_some(steps),
            counted,
            self.by_others.filter(|_| arithmetic),
        )
    }

    /// Whether it is passed so often that a site at rest costs much there.
    pub(super) fn is_hot(&self) -> bool {
        self.per_turn > HOT
    }

    /// The site at another place of its method, which is passed so often in an iteration and has this number in the process
    /// of the report; none where that is too seldom for a short site, or not known of the place where it is.
    pub(super) fn moved(
        &self,
        (place, index): (SitePlace, u16),
        reached: f64,
        report: &SiteReport,
    ) -> Option<Self> {
        let SiteWork::Turns(kind, _) = self.site.work else {
            return None;
        };
        let tried = Tried {
            index,
            place,
            kind,
            per_turn: self.per_turn * reached / self.executions?,
        };
        let steps = tried.steps().filter(|_| tried.fits())?;
        Some(Self {
            reveals_itself: None,
            executions: Some(reached),
            ..tried.tuned(&self.candidate, steps, report)
        })
    }
}

/// A place that was tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    /// Its number in the process where it was tried.
    index: u16,
    pub(super) place: SitePlace,
    /// What its steps do.
    kind: DoseKind,
    /// Growth by one turn of the usual number of steps.
    per_turn: f64,
}

impl Tried {
    /// Steps that make a turn bring the wanted growth, as near as there are; none if the most are too few.
    pub(super) fn steps(&self) -> Option<u16> {
        let most = f64::from(FindSettings::default().most_turns);
        let longest = f64::from(STEPS[STEPS.len() - 1]);
        if self.per_turn * most * longest / f64::from(USUAL) < WANTED {
            return None;
        }
        let ideal = f64::from(USUAL) * PER_TURN / self.per_turn;
        let away = |steps: u16| (f64::from(steps) / ideal).ln().abs();
        STEPS
            .into_iter()
            .min_by(|a, b| away(*a).total_cmp(&away(*b)))
    }

    /// Whether its steps are few enough for a method to be inlined as before.
    pub(super) fn fits(&self) -> bool {
        self.steps().is_some_and(|steps| steps <= LONG)
    }

    pub(super) fn tuned(&self, candidate: &Candidate, steps: u16, report: &SiteReport) -> Tuned {
        let settings = FindSettings::default();
        let per_turn = self.per_turn * f64::from(steps) / f64::from(USUAL);
        let turns = |growth: f64| (growth / per_turn).ceil() as u16;
        let most = settings.most_turns;
        let low = turns(settings.low).clamp(settings.least_turns, most - 1);
        let placed = report.placed.iter().filter(|one| one.index == self.index);
        Tuned {
            candidate: candidate.clone(),
            site: wanted(candidate, self.place, (self.kind, steps)),
            lines: placed.filter_map(|one| one.line).collect(),
            reveals_itself: Some(report.revealed(self.index)),
            per_turn: self.per_turn,
            turns: [
                low,
                turns(settings.low + settings.step).clamp(low + 1, most),
            ],
            steps,
            executions: None,
            set: 0,
            by_count: None,
            counted_in: 0,
            by_others: None,
            doses: None,
            drowns: false,
        }
    }
}

/// A site of a method at that place.
pub(super) fn wanted(
    candidate: &Candidate,
    place: SitePlace,
    (kind, steps): (DoseKind, u16),
) -> WantedSite {
    WantedSite {
        class: candidate.class.clone(),
        method: candidate.method.clone(),
        place,
        work: SiteWork::Turns(kind, steps),
        gated: false,
    }
}

/// The process in which places are tried: each method has a site at its entry and in front of its first loops.
pub(super) struct Trial<S> {
    pub(super) lab: S,
    /// What is to be said of the program.
    pub(super) remark: Option<String>,
    pub(super) rest_ns: f64,
    pub(super) report: SiteReport,
    kind: DoseKind,
}

impl<S: SiteLab> Trial<S> {
    /// Warms a process up.
    pub(super) fn begin(mut lab: S, kind: DoseKind) -> Result<Self, S::Error> {
        let remark = lab.warm_up(&WARM)?;
        let rest_ns = rest(&mut lab)?;
        let report = lab.report();
        Ok(Self {
            lab,
            remark,
            rest_ns,
            report,
            kind,
        })
    }

    /// What is to be said at once of methods that the user named and that take no site anywhere, such as misspelt ones; nothing
    /// where that is so of all methods: then there is no test.
    pub(super) fn missing(&self, candidates: &[Candidate]) -> Vec<String> {
        let places = places().count();
        let refused: Vec<Option<String>> = (0..candidates.len())
            .map(|number| {
                let mut all =
                    (0..places).map(|at| self.report.refusal((number * places + at) as u16));
                let first = all.next()??;
                all.all(|one| one.is_some()).then_some(first)
            })
            .collect();
        if refused.iter().all(Option::is_some) {
            return Vec::new();
        }
        let named = candidates.iter().zip(refused).filter(|(one, _)| one.named);
        let notes = named.filter_map(|(one, reason)| {
            let (name, reason) = (&one.name, one.without_site(reason?));
            Some(format!(
                "note: {name}: {reason}; the test goes on without it"
            ))
        });
        notes.collect()
    }

    /// What a turn brings at a place, or why there is no site.
    pub(super) fn place(
        &mut self,
        candidate: usize,
        at: usize,
    ) -> Result<Result<Tried, String>, S::Error> {
        let index = (candidate * places().count() + at) as u16;
        if let Some(reason) = self.report.refusal(index) {
            return Ok(Err(reason));
        }
        let settings = FindSettings::for_iterations(self.rest_ns);
        let mut clock = LabClock { lab: &mut self.lab };
        let per_turn = match find_doses(&mut clock, index, self.rest_ns, None, &settings)? {
            Found::Doses(doses) => {
                (doses.growth[1] - doses.growth[0]) / f64::from(doses.high - doses.low)
            }
            Found::Rare { growth } => growth / f64::from(settings.most_turns),
        };
        let place = places().nth(at).unwrap_or(SitePlace::Entry);
        Ok(Ok(Tried {
            index,
            place,
            kind: self.kind,
            per_turn,
        }))
    }

    /// The loop that is run least of those where a short site does; `cool`: none that is run very often.
    pub(super) fn in_loop(
        &mut self,
        candidate: usize,
        cool: bool,
    ) -> Result<Option<Tried>, S::Error> {
        let mut best: Option<Tried> = None;
        for at in 1..places().count() {
            let Ok(tried) = self.place(candidate, at)? else {
                continue;
            };
            let better = best.is_none_or(|best| tried.per_turn < best.per_turn);
            if tried.fits() && better && !(cool && tried.per_turn > HOT) {
                best = Some(tried);
            }
        }
        Ok(best)
    }
}

/// Places of a method that are tried.
pub(super) fn places() -> impl Iterator<Item = SitePlace> {
    std::iter::once(SitePlace::Entry).chain((0..LOOPS).map(SitePlace::Loop))
}

/// Why a method has no site that is run often enough.
pub(in crate::dose) const RARE: &str = "a loop in it hardly slows the program: it is seldom run where a site can stand, or the JVM puts code of its own (an intrinsic) in its place";
