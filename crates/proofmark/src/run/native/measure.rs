//! Windows under one profiler.

use std::collections::BTreeMap;

use proofmark_experiment::dose::{
    JavaShares, Lacking, LeftOut, Level, Planned, Row, Truth, Window, is_wide, java_shares,
    lacking, order, rows, shares_at_rest,
};
use proofmark_native::{LaunchError, Ran, Reported, Wanted};
use proofmark_stats::Estimate;

use super::tune::{STEPS, Tuned};
use super::{CALLGRIND, Session, kinds};

/// Time that a further round should at least take, s: a recording is read behind each.
const ROUND_S: f64 = 3.0;
/// Growth under the high dose that callgrind gets, which counts and needs no more.
const COUNTED_GROWTH: f64 = 0.3;

/// What one profiler reported.
pub(super) struct Profiled {
    pub(super) name: String,
    /// Number of the site, turns, row.
    pub(super) rows: Vec<(usize, [u16; 2], Row)>,
    pub(super) shares_pct: BTreeMap<String, Estimate>,
    /// The same of the time in known functions.
    pub(super) known_shares: JavaShares,
    pub(super) samples_per_s: f64,
    pub(super) left_out: Vec<LeftOut>,
    /// A site has no row because the profiler took no sample in its windows.
    pub(super) unseen: bool,
}

/// A window that ran.
struct Seen {
    planned: Planned,
    ran: Ran,
    window: Window,
}

/// Runs all windows under a profiler and reads what it reported.
pub(super) fn profiled(
    session: &mut Session<'_>,
    name: &str,
    tuned: &[Tuned],
) -> Result<Profiled, LaunchError> {
    let turns: Vec<[u16; 2]> = tuned.iter().map(|one| turns(one, name)).collect();
    let mut windows = Windows {
        session,
        name,
        tuned,
        turns: &turns,
        seen: Vec::new(),
    };
    let mut open: Vec<usize> = (0..tuned.len()).collect();
    let rounds = match name {
        CALLGRIND => 1,
        _ => windows.session.request.rounds,
    };
    windows.run(&open, rounds)?;
    let begin = std::time::Instant::now();
    // What counts is not noisy: once is enough.
    let noisy = name != CALLGRIND;
    loop {
        let left = windows.session.request.budget_s - begin.elapsed().as_secs_f64();
        open.retain(|site| windows.row(*site).is_none_or(|row| is_wide(&row)));
        if !noisy || open.is_empty() || left <= 0.0 {
            break;
        }
        let seconds: f64 = open.iter().map(|site| windows.round_s(*site)).sum();
        windows.run(
            &open,
            (ROUND_S.min(left) / seconds).ceil().max(1.0) as usize,
        )?;
    }
    Ok(windows.profiled())
}

/// Doses under a profiler: one that counts needs small ones, and is slow.
fn turns(tuned: &Tuned, name: &str) -> [u16; 2] {
    let doses = &tuned.doses;
    if name != CALLGRIND {
        return [doses.low, doses.high];
    }
    let per_turn = (doses.growth[1] - doses.growth[0]) / f64::from(doses.high - doses.low);
    [
        1,
        1 + (COUNTED_GROWTH / per_turn).ceil().clamp(1.0, 63.0) as u16,
    ]
}

/// The windows under one profiler.
struct Windows<'w, 's> {
    session: &'w mut Session<'s>,
    name: &'w str,
    tuned: &'w [Tuned],
    turns: &'w [[u16; 2]],
    seen: Vec<Seen>,
}

impl Windows<'_, '_> {
    /// Runs rounds of windows for some of the sites.
    fn run(&mut self, sites: &[usize], rounds: usize) -> Result<(), LaunchError> {
        let seed = self.session.request.seed;
        let seed = seed.wrapping_add(self.seen.len() as u64);
        let planned = order(sites.len(), rounds, seed)
            .into_iter()
            .map(|one| Planned {
                site: one.site.map(|at| sites[at]),
                ..one
            });
        let planned: Vec<Planned> = planned.collect();
        self.session
            .say(&format!("{}: {} windows", self.name, planned.len()));
        let all = match self.name {
            CALLGRIND => self.counted(&planned)?,
            name => {
                let wanted: Vec<Wanted> = planned.iter().map(|one| self.wanted(one)).collect();
                self.session.under(name, &wanted)?
            }
        };
        let windows = planned.into_iter().zip(all);
        self.seen
            .extend(windows.map(|(planned, (ran, reported))| Seen {
                planned,
                window: window(self.name, planned, &ran, reported),
                ran,
            }));
        Ok(())
    }

    /// Windows of one process each.
    fn counted(&mut self, planned: &[Planned]) -> Result<Vec<(Ran, Reported)>, LaunchError> {
        let behind = planned.len();
        let one = |(at, planned): (usize, &Planned)| {
            let text = format!("{}: window {} of {behind}", self.name, at + 1);
            self.session.say(&text);
            let dose = self.wanted(planned).dose;
            self.session.under_callgrind(dose)
        };
        planned.iter().enumerate().map(one).collect()
    }

    fn wanted(&self, planned: &Planned) -> Wanted {
        let turns = |site: usize| match planned.level {
            Level::Rest => None,
            Level::Low => Some(self.turns[site][0]),
            Level::High => Some(self.turns[site][1]),
        };
        let dose = planned
            .site
            .and_then(|site| Some(self.tuned[site].told(turns(site)?)));
        Wanted {
            dose,
            least_s: (self.session.request.window_s).max(kinds::least_window_s(self.name)),
            least: 1,
        }
    }

    /// Time that a round of a site took so far, s.
    fn round_s(&self, site: usize) -> f64 {
        let of_site = self
            .seen
            .iter()
            .filter(|one| one.planned.site == Some(site));
        let times: Vec<f64> = of_site.map(|one| one.ran.cpu_ns() / 1e9).collect();
        4.0 * times.iter().sum::<f64>() / times.len().max(1) as f64
    }

    fn row(&self, site: usize) -> Option<Row> {
        let rest: Vec<f64> = (self.seen.iter())
            .filter(|one| one.planned.level == Level::Rest)
            .map(|one| one.window.iteration_ns)
            .collect();
        let windows = self.of_site(site);
        let row = rows(&self.tuned[site].candidate.name, &windows, &rest)?;
        Some(Row {
            truth: self.truth(site, &row),
            ..row
        })
    }

    /// The windows of a site, with their doses.
    fn of_site(&self, site: usize) -> Vec<(Level, Window)> {
        let all = self.seen.iter();
        let all = all.filter(|one| one.planned.site == Some(site));
        all.map(|one| (one.planned.level, one.window.clone()))
            .collect()
    }

    /// What a right profiler may report in place: of instructions, which nothing hides, all that were added.
    fn truth(&self, site: usize, row: &Row) -> Truth {
        if self.name == CALLGRIND {
            return Truth::CLOCK;
        }
        let [low, high] = self.turns[site];
        let steps = [u32::from(high - low), self.tuned[site].unit, STEPS];
        let steps = steps.map(f64::from).iter().product();
        Truth::of(row.grown(), Some(steps), None, None)
    }

    fn profiled(self) -> Profiled {
        let mut found = Vec::new();
        let mut left_out = Vec::new();
        let mut unseen = false;
        for (site, one) in self.tuned.iter().enumerate() {
            match self.row(site) {
                Some(row) => found.push((site, self.turns[site], row)),
                None => {
                    let windows = self.of_site(site);
                    unseen |= lacking(&windows) == Lacking::Samples;
                    left_out.push(LeftOut {
                        method: one.candidate.name.clone(),
                        reason: why_missing(self.name, &windows),
                    });
                }
            }
        }
        let rest: Vec<Window> = (self.seen.iter())
            .filter(|one| one.planned.level == Level::Rest)
            .map(|one| one.window.clone())
            .collect();
        let seconds: f64 = self.seen.iter().map(|one| one.ran.cpu_ns() / 1e9).sum();
        let samples = |one: &Seen| one.window.methods.values().sum::<f64>() + one.window.other;
        let samples: f64 = self.seen.iter().map(samples).sum();
        Profiled {
            name: self.name.to_owned(),
            rows: found,
            shares_pct: shares_at_rest(&rest),
            known_shares: java_shares(&rest),
            samples_per_s: samples / seconds.max(f64::MIN_POSITIVE),
            left_out,
            unseen,
        }
    }
}

/// Why windows gave no row. Only where the program did what it was asked to do is it the profiler's fault.
fn why_missing(name: &str, windows: &[(Level, Window)]) -> String {
    match lacking(windows) {
        Lacking::Quiet => {
            let void = windows.iter().filter(|(_, window)| window.void).count();
            let all = windows.len();
            format!("under {name} the program did not take the dose in {void} of {all} windows")
        }
        Lacking::Samples => format!("{name} took no sample, or too few, in its windows"),
        Lacking::Growth => {
            format!("under {name} more turns of the loop in it did not slow the program")
        }
    }
}

/// What clock and profiler say of a window. A profiler that counts instructions is its own clock: what it counts in all is
/// what was executed.
fn window(name: &str, planned: Planned, ran: &Ran, reported: Reported) -> Window {
    let all = match name {
        CALLGRIND => reported.functions.values().sum::<f64>() + reported.other,
        _ => ran.cpu_ns(),
    };
    Window {
        iteration_ns: all / f64::from(ran.iterations().max(1)),
        // One that counts instructions drops none.
        cpu_ns: if name == CALLGRIND { 0.0 } else { all },
        methods: reported.functions,
        at_line: None,
        other: reported.other,
        // The program did not take the dose.
        void: planned.level != Level::Rest && ran.obeyed == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pairs of windows with these samples each; those with the high dose take so long, ns.
    fn windows(samples: f64, high_ns: f64, void: bool) -> Vec<(Level, Window)> {
        let of = |level, iteration_ns| {
            let window = Window {
                iteration_ns,
                methods: [("sort".to_owned(), samples)].into(),
                void,
                ..Window::default()
            };
            (level, window)
        };
        let low = || of(Level::Low, 2e8);
        let high = || of(Level::High, high_ns);
        vec![low(), high(), high(), low()]
    }

    /// A profiler was blamed for a program that did not take the dose, or was not slower for it.
    #[test]
    fn only_samples_that_are_missing_are_the_profilers_fault() {
        let why = |samples, high_ns, void| why_missing("perf", &windows(samples, high_ns, void));
        let samples = "perf took no sample, or too few, in its windows";
        assert_eq!(why(0.0, 1e9, false), samples);
        let void = "under perf the program did not take the dose in 4 of 4 windows";
        assert_eq!(why(900.0, 1e9, true), void);
        let growth = "under perf more turns of the loop in it did not slow the program";
        assert_eq!(why(900.0, 2e8, false), growth);
    }
}
