//! How long a test by dose takes: before anything is started, and once its methods are chosen.

use super::Size;
use super::sites::CLOSED_S;
use crate::assess::CostStep;

mod took;

pub use took::Took;

/// Methods of a program that have 2 % of its time or more: few programs have as many as are allowed. And sites of each.
const USUAL_METHODS: usize = 8;
const SITES_EACH: f64 = 1.1;
/// Sets of sites that are there at the same time, for each site; every set has windows without a turn. In thirteen tests at default settings
/// (docs/studies/verdicts/results, docs/studies/strangers) 122 sites were in 49 sets, some of which were put apart later.
const SETS_EACH: f64 = 0.5;
/// Counting bytecodes in a JVM of its own, s; measured: 0.5 to 3.
const COUNT_S: f64 = 2.0;
/// Start of a JVM and warm-up, s; measured: 4 to 9.
const START_S: f64 = 6.5;
/// Opening or closing gates and waiting for the compilers, s, and in iterations where these are long; measured: 1.2 to 5 s, and 8 to 30 s with
/// iterations of 0.1 s. And how much longer JVMs take that share the processors with others.
const GATES_S: f64 = 2.5;
const GATES_ITERATIONS: f64 = 80.0;
const SHARED: f64 = 1.05;
/// How many times as long it takes in a JVM with a profiler, beside another one, as in one without that is alone. Reckoned from two tests on a
/// quiet Xeon with two processors (ReadWrite of docs/studies/verdicts/results/2026-11-27-b, market of docs/studies/strangers): 0.7 and 0.9 s
/// alone are what their JVM without a profiler leaves for it, 1.4 to 2.8 s are what those with one do.
const GATES_UNDER: f64 = 2.0;
/// A profiler's look at the program as it is, s; measured: 10 to 12. How long the first one is alone before others begin beside it, s.
const LOOK_S: f64 = 11.0;
const ALONE_S: f64 = 6.0;
/// Places that are tried for a site, in the mean.
const PLACES: f64 = 1.4;
/// Time of an iteration under the low dose and the high one, as times of that at rest; how long the high one may make it, s, and how much
/// longer it makes it in any case.
const LOW: f64 = 2.0;
const HIGH: f64 = 10.0;
const LONG_S: f64 = 0.3;
const LEAST_HIGH: f64 = 3.5;
/// A look at the clock, s, and iterations that it has where they are not as long as this, s.
const CLOCK_S: f64 = 0.1;
const ITERATIONS: f64 = 3.0;
const LONG_LOOK_S: f64 = 0.2;
/// What is asked and answered between windows, with the clock of steps, s.
const BETWEEN_S: f64 = 0.05;
/// Pairs of windows that tell what sites cost with all gates closed and with those of each set open, and the length of a window of these,
/// s.
const CLOSED_PAIRS: f64 = 9.0;
const OPEN_PAIRS: f64 = 6.0;
const PAIR_S: f64 = 0.15;
/// A JVM that counts how often sites are reached, s. Part of the sites at which counting says something, the time for all of them, s, the
/// fewest and the most pairs of times at each, and the least time of a window of these and what is between both, s.
const REACHED_S: f64 = 1.0;
const COUNTED: f64 = 0.8;
const COUNTED_S: f64 = 12.0;
const COUNTED_PAIRS: [f64; 2] = [5.0, 16.0];
const TIMED_S: f64 = 0.05;
const TIMED_BETWEEN_S: f64 = 0.035;
/// Part of the sites that stay wide, which get a round more at least, and part of the time beyond the rounds that is used, in the mean.
const WIDE: f64 = 0.6;
const BUDGET_USED: f64 = 0.5;

/// What decides the times of the parts of a test.
struct Parts<'s> {
    size: &'s Size,
    sites: f64,
    sets: f64,
    /// Time of an iteration at rest, s.
    iteration_s: f64,
    /// Start of a JVM and its warm-up, s; opening or closing gates in one with a profiler, s.
    start_s: f64,
    gates_s: f64,
    at_once: usize,
}

impl<'s> Parts<'s> {
    fn of(size: &'s Size, methods: usize, iteration_s: f64) -> Self {
        let sites = SITES_EACH * methods as f64;
        Self {
            size,
            sites,
            sets: (SETS_EACH * sites).max(1.0),
            iteration_s,
            start_s: START_S,
            gates_s: GATES_S.max(GATES_ITERATIONS * iteration_s),
            at_once: size.at_once.max(1),
        }
    }

    /// Where the sites are known.
    fn of_sites(size: &'s Size, known: &FoundSites) -> Self {
        Self {
            size,
            sites: known.sites as f64,
            sets: known.sets as f64,
            iteration_s: known.iteration_s,
            start_s: known.start_s,
            gates_s: GATES_UNDER * known.gates_s,
            at_once: size.at_once.max(1),
        }
    }

    fn times(&self) -> Times {
        let profilers = self.size.profilers.len();
        Times {
            choosing_s: self.choosing_s(),
            dosing_s: self.dosing_s(),
            costs_s: self.costs_s(),
            profilers_s: profilers as f64 * self.profiler_s(),
            jvms: self.size.runs.max(1) * profilers,
            at_once: self.at_once,
        }
    }

    /// Time of an iteration under the low dose and under the high one, s.
    fn dosed_s(&self) -> [f64; 2] {
        let most_s = LONG_S.max(LEAST_HIGH * self.iteration_s);
        [
            LOW * self.iteration_s,
            (HIGH * self.iteration_s).min(most_s),
        ]
    }

    /// A window with iterations of that length, s: the last one ends behind it, and one more is discarded.
    fn window_s(&self, dosed_s: f64) -> f64 {
        let window_s = self.size.window_s;
        let ran_s = match dosed_s > window_s {
            true => dosed_s,
            false => window_s + dosed_s / 2.0,
        };
        ran_s + dosed_s + BETWEEN_S
    }

    /// A look at the clock with such iterations, s.
    fn look_s(&self, dosed_s: f64) -> f64 {
        let ran_s = match dosed_s < LONG_LOOK_S {
            true => ITERATIONS * dosed_s,
            false => dosed_s,
        };
        ran_s.max(CLOCK_S) + dosed_s
    }

    /// Which methods are tested, s.
    fn choosing_s(&self) -> f64 {
        let profilers = self.size.profilers.len().max(1);
        let beside = self.at_once.min(profilers);
        let behind = (profilers - beside).div_ceil(self.at_once);
        let alone_s = if beside > 1 { ALONE_S } else { 0.0 };
        COUNT_S + LOOK_S * (1 + behind) as f64 + alone_s
    }

    /// Doses, in a JVM in which places are tried, and one that counts, s.
    fn dosing_s(&self) -> f64 {
        let [low_s, high_s] = self.dosed_s();
        let place_s = self.look_s(low_s) + self.look_s(high_s);
        self.start_s + PLACES * self.sites * place_s + REACHED_S
    }

    /// What sites cost and what counting says of them, in two JVMs that warm up together, s.
    fn costs_s(&self) -> f64 {
        let pair_s = 2.0 * (PAIR_S + 1.5 * self.iteration_s);
        let [low_s, high_s] = self.dosed_s().map(|dosed_s| dosed_s.max(TIMED_S) + dosed_s);
        let [fewest_s, most_s] =
            COUNTED_PAIRS.map(|pairs| pairs * (low_s + high_s + TIMED_BETWEEN_S));
        let counted_s = (COUNTED_S / self.sites).max(fewest_s).min(most_s);
        self.start_s
            + CLOSED_PAIRS * pair_s
            + self.sets * (self.gates_s + OPEN_PAIRS * pair_s)
            + COUNTED * self.sites * counted_s
    }

    /// A window with turns, s: half of these are under the low dose, and half under the high one.
    fn dosed_window_s(&self) -> f64 {
        let [low_s, high_s] = self.dosed_s();
        f64::midpoint(self.window_s(low_s), self.window_s(high_s))
    }

    /// Windows with all gates closed, before sites are visited or behind, in a JVM with a profiler.
    fn closed(&self) -> f64 {
        let window_s = self.size.window_s.max(self.iteration_s);
        (self.size.rounds_in_each() as f64).max((CLOSED_S / window_s).ceil())
    }

    /// Windows in a JVM with a profiler without a turn, and with turns.
    fn windows(&self) -> (f64, f64) {
        let rounds = self.size.rounds_in_each() as f64;
        let rest = 2.0 * self.closed() + self.sets * (rounds + 1.0);
        (rest, 4.0 * rounds * self.sites)
    }

    /// A JVM with a profiler, s.
    fn each_s(&self) -> f64 {
        let [low_s, _] = self.dosed_s();
        let (rest, dosed) = self.windows();
        let dosed_s = self.dosed_window_s();
        let round_s = 4.0 * dosed_s * WIDE * self.sites;
        let more_s = match self.size.budget_s > 0.0 {
            true => round_s.max(BUDGET_USED * self.size.budget_in_each_s()),
            false => 0.0,
        };
        // Whether doses that counting or another JVM has found do here.
        let still_s = self.sites * self.look_s(low_s);
        self.start_s
            + (self.sets + 1.0) * self.gates_s
            + rest * self.window_s(self.iteration_s)
            + dosed * dosed_s
            + more_s
            + still_s
    }

    /// The JVMs of a profiler, s, in its part of the line in which those of all wait.
    fn profiler_s(&self) -> f64 {
        let runs = self.size.runs.max(1);
        let all = runs * self.size.profilers.len().max(1);
        let at_once = self.at_once.min(all) as f64;
        let shared = if at_once > 1.0 { SHARED } else { 1.0 };
        let turns = shared * (all as f64 / at_once).ceil() / all as f64;
        // In the first one doses are found where counting says none.
        let found_s = (1.0 - COUNTED) * self.sites * self.look_s(self.dosed_s()[1]);
        turns * (runs as f64 * self.each_s() + found_s)
    }
}

/// JVMs that are started, and the steps with their times, for iterations of this length.
///
/// # Accuracy
/// A guess: how many methods are hot, how long an iteration is and how long the program warms up are not known. The parts were measured
/// at two tests of two profilers with one JVM each (docs/studies/dose/2026-11-26-eight), before the changes that made them shorter.
/// As windows, looks and counting were then, they say 148 s for Jackson (iterations of 6 ms, ten sites in three sets) and 215 s for Json
/// (30 ms, eight in five); these took 145 and 220 s. As they are now they say 136 and 191 s; measured since
/// (2026-11-27-eight): 143 and 188 s. Before anything is known of a program, 151 s are estimated: Json is expected to take 1.3 times as long.
///
/// Three profilers with four JVMs each, two at a time, by the number of methods that had rows: eight tests of programs of others at default
/// settings (docs/studies/verdicts/results/2026-11-26-b, 2026-11-27, 2026-11-27-b) took 0.89 to 1.12 times as long, but for ecj (1.49), whose
/// methods mostly took no site, which is looked for all the same. With iterations of 0.1 s it was 1.5 times (docs/studies/strangers). The
/// length of an iteration is reckoned there from turns and growth.
///
/// A second look at the program as it is takes some 11 s and is not in it, because it is never likely before it is known: of 111 earlier
/// tests with three JVMs or more in docs/studies 11 would have had any, 14 in all, which is 1.4 s in the mean. Where one is taken the
/// time that is left is told anew ([`SiteLabs::adds`](super::sites::SiteLabs::adds)).
#[must_use]
pub fn cost(size: &Size, iteration_ms: f64) -> (u64, Vec<CostStep>) {
    let parts = Parts::of(size, size.methods.min(USUAL_METHODS), iteration_ms / 1e3);
    let choose = CostStep {
        step: "sites: methods".into(),
        seconds: parts.choosing_s(),
        detail: "bytecodes counted, a look by each profiler".into(),
    };
    let doses = CostStep {
        step: "sites: doses".into(),
        seconds: parts.dosing_s() + parts.costs_s(),
        detail: format!(
            "by the clock, about {} methods",
            size.methods.min(USUAL_METHODS)
        ),
    };
    let runs = size.runs.max(1);
    let (rest, dosed) = parts.windows();
    let [_, high_s] = parts.dosed_s();
    let (windows, window_s) = (rest + dosed, size.window_s.max(high_s));
    let under = |name: &String| CostStep {
        step: format!("sites: {name}"),
        seconds: parts.profiler_s(),
        detail: match runs {
            1 => format!("{windows:.0} windows of up to {window_s:.1} s and more"),
            runs => {
                format!("{runs} JVMs, each {windows:.0} windows of up to {window_s:.1} s and more")
            }
        },
    };
    let steps = [choose, doses];
    let steps = steps
        .into_iter()
        .chain(size.profilers.iter().map(under))
        .collect();
    // Bytecodes, places, executions, and the two that tell what sites cost; a look and the runs of each profiler.
    let jvms = 5 + (1 + runs as u64) * size.profilers.len() as u64;
    (jvms, steps)
}

/// What is known of a test once its sites are found and what they cost was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FoundSites {
    /// How many there are.
    pub sites: usize,
    /// Sets of them that are there at the same time.
    pub sets: usize,
    /// Time of an iteration at rest, s.
    pub iteration_s: f64,
    /// Start of a JVM and its warm-up, s.
    pub start_s: f64,
    /// Opening the gates of a set in a JVM without a profiler, s.
    pub gates_s: f64,
}

/// How long the parts of a test take, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// Which methods are tested, s.
    pub choosing_s: f64,
    /// Doses, and how often sites are reached, s.
    pub dosing_s: f64,
    /// What sites cost, and what counting says of them, s.
    pub costs_s: f64,
    /// The JVMs of all profilers, s.
    pub profilers_s: f64,
    /// How many these are.
    pub jvms: usize,
    /// How many of them run at the same time, at most.
    pub at_once: usize,
}

impl Times {
    /// With so many methods and iterations of this length; [`Size::at_once`] is how many JVMs there is room for.
    ///
    /// # Accuracy
    /// That of [`cost`], but for the length of an iteration, where that is known.
    #[must_use]
    pub fn of(size: &Size, methods: usize, iteration_s: f64) -> Self {
        Parts::of(size, methods, iteration_s).times()
    }

    /// With these sites; what is behind by then is as if it were done again.
    ///
    /// # Accuracy
    /// By the sites of their results and with usual times of openings and starts, the eight tests of [`cost`] took 0.83 to 1.25 times as long in
    /// all, but for ecj (1.63). Two of these times are measured since.
    #[must_use]
    pub fn of_sites(size: &Size, known: &FoundSites) -> Self {
        Parts::of_sites(size, known).times()
    }

    /// Before anything is known of the program but perhaps the length of an iteration: what [`cost`] says.
    #[must_use]
    pub fn before(size: &Size, iteration_ms: f64) -> Self {
        Self::of(size, size.methods.min(USUAL_METHODS), iteration_ms / 1e3)
    }

    /// All that comes once methods are chosen, s.
    #[must_use]
    pub fn chosen_s(&self) -> f64 {
        self.dosing_s + self.costs_s + self.profilers_s
    }

    /// The whole test, s.
    #[must_use]
    pub fn total_s(&self) -> f64 {
        self.choosing_s + self.chosen_s()
    }
}

#[cfg(test)]
mod tests;
