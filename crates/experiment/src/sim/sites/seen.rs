//! What a profiler shows of a window.

use proofmark_profile::MethodId;

use super::{SiteFault, SitedMethod};
use crate::dose::DoseKind;
use crate::lab::ProfiledWindow;
use crate::sim::Random;

/// Lines of the program: those of a method begin at such a multiple.
const LINES: u16 = 100;

/// A line of the method that turns call.
const CALLEE_LINE: u16 = 1;

/// Threads beside the one that calls the program, where it has any.
const WORKERS: u32 = 4;

/// First line of a method with this place in the program.
pub(super) fn first_line(method: usize) -> u16 {
    LINES * (method as u16 + 1)
}

/// Time that is spent at one line in an iteration.
pub(super) struct Spent {
    /// Place of the method in the program; none outside of Java.
    pub(super) method: Option<usize>,
    pub(super) line: u16,
    pub(super) ns: f64,
    /// By turns of a site, of this kind.
    pub(super) added: Option<DoseKind>,
}

/// A profiler that looks at a window.
pub(super) struct Eyes<'w> {
    pub(super) fault: &'w SiteFault,
    pub(super) methods: &'w [SitedMethod],
    pub(super) spent: &'w [Spent],
}

/// What becomes of a sample.
enum Sample {
    /// Nobody hears of it.
    Dropped,
    /// The profiler says that it was lost.
    Lost,
    /// Its frame is not Java.
    NotJava,
    /// It is in a method, at a line.
    At(MethodId, u32),
}

impl Eyes<'_> {
    /// So many samples, each where the time is spent or where the profiler says so.
    pub(super) fn window(&self, taken: u32, random: &mut Random) -> ProfiledWindow {
        let all: f64 = self.spent.iter().map(|one| one.ns).sum();
        let mut window = ProfiledWindow::default();
        for _ in 0..taken {
            let mut at = random.uniform() * all;
            let here = self.spent.iter().find(|one| {
                at -= one.ns;
                at < 0.0
            });
            match self.sample(here, random.uniform()) {
                Sample::Dropped => {}
                Sample::Lost => window.lost += 1.0,
                Sample::NotJava => {
                    window.native += match self.fault {
                        SiteFault::NativeOftener { times } => *times,
                        _ => 1.0,
                    }
                }
                Sample::At(method, line) => {
                    *window.methods.entry(method.clone()).or_default() += 1.0;
                    *window.lines.entry((method, line)).or_default() += 1.0;
                }
            }
        }
        window
    }

    /// How a sample of this time is shown; `chance` is uniform in [0, 1).
    fn sample(&self, here: Option<&Spent>, chance: f64) -> Sample {
        let Some((here, spender)) = here.and_then(|one| Some((one, one.method?))) else {
            return Sample::NotJava;
        };
        let place = |name: &String| self.methods.iter().position(|one| one.name == *name);
        let is = |name: &String| place(name) == Some(spender);
        let dosed = || {
            let mut all = self.spent.iter();
            all.any(|one| one.added.is_some() && one.method == Some(spender))
        };
        let elsewhere = match self.fault {
            SiteFault::MovesAdded { from, to } if here.added.is_some() && is(from) => place(to),
            SiteFault::MovesPart { part, from, to }
                if chance < *part && here.added.is_some() && is(from) =>
            {
                place(to)
            }
            SiteFault::MovesKind { kind, from, to } if here.added == Some(*kind) && is(from) => {
                place(to)
            }
            SiteFault::Unnames { kind, from } if here.added == Some(*kind) && is(from) => {
                return Sample::NotJava;
            }
            SiteFault::Hides { from, to } if is(from) => place(to),
            SiteFault::Drops { method, part } if chance < *part && is(method) && dosed() => {
                return Sample::Dropped;
            }
            SiteFault::OneThread if chance < self.methods[spender].in_workers => {
                return Sample::Dropped;
            }
            SiteFault::Loses { part } if chance < *part => return Sample::Lost,
            _ => None,
        };
        let (at, line) = elsewhere.map_or((spender, here.line), |to| (to, first_line(to)));
        let called = here.added.and_then(DoseKind::callee);
        let right = elsewhere.is_none() && *self.fault != SiteFault::HidesCallee;
        let (name, line) = match called.filter(|_| right) {
            Some(callee) => (callee, CALLEE_LINE),
            None => (self.methods[at].name.as_str(), line),
        };
        let (class, name) = name.rsplit_once('.').unwrap_or_default();
        Sample::At(MethodId::new(class, name, None), u32::from(line))
    }
}

/// How many threads spend this time, and the part of the busiest.
pub(super) fn threads(spent: &[Spent], methods: &[SitedMethod]) -> (u32, f64) {
    let in_workers = |one: &Spent| one.method.map_or(0.0, |at| methods[at].in_workers);
    let all: f64 = spent.iter().map(|one| one.ns).sum();
    let worked: f64 = spent.iter().map(|one| one.ns * in_workers(one)).sum();
    let part = worked / all;
    match part > 0.0 {
        true => (1 + WORKERS, f64::max(1.0 - part, part / f64::from(WORKERS))),
        false => (1, 1.0),
    }
}
