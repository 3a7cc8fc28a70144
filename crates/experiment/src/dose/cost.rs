//! How long a test by dose takes, before anything is started.

use super::sites::CLOSED_S;
use crate::assess::CostStep;

/// What decides how long a test takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// Names of the profilers.
    pub profilers: Vec<String>,
    /// Most methods that are tested.
    pub methods: usize,
    /// Rounds of windows, which the JVMs of a profiler share.
    pub rounds: usize,
    /// Time for windows beyond those rounds, s, which they share too; a round that was begun is ended.
    pub budget_s: f64,
    /// JVMs per profiler.
    pub runs: usize,
    /// Length of a window, s.
    pub window_s: f64,
    /// Most JVMs that are measured at the same time, 1 at least.
    pub at_once: usize,
}

/// Rounds that each of several JVMs has at least, if so many were asked for: two pairs of windows have next to no spread.
const LEAST_ROUNDS: usize = 2;

impl Size {
    /// Rounds of windows in each JVM.
    #[must_use]
    pub fn rounds_in_each(&self) -> usize {
        let least = self.rounds.min(LEAST_ROUNDS);
        self.rounds.div_ceil(self.runs.max(1)).max(least)
    }

    /// Time for windows beyond these in each JVM, s.
    #[must_use]
    pub fn budget_in_each_s(&self) -> f64 {
        self.budget_s / self.runs.max(1) as f64
    }
}

/// Methods of a program that have 2 % of its time or more: few programs have as many as are allowed. And sites of each.
const USUAL_METHODS: usize = 8;
const SITES_EACH: f64 = 1.1;
/// Counting bytecodes in a JVM of its own, s.
const COUNT_S: f64 = 3.0;
/// Start of a JVM and warm-up, s; measured: 4 to 9.
const START_S: f64 = 6.0;
/// Opening or closing gates and waiting for the compilers, s; measured: 1.2 to 5. And how much longer JVMs take that share the processors
/// with others.
const GATES_S: f64 = 2.0;
const SHARED: f64 = 1.05;
/// A profiler's look at the program as it is, s.
const LOOK_S: f64 = 9.0;
/// Doses of one site, by the clock, s; and a look whether those of another JVM do.
const DOSES_S: f64 = 1.0;
const STILL_S: f64 = 0.3;
/// Windows without a profiler that tell what sites cost with all gates closed, and with those of each set open, s.
const REST_S: f64 = 3.0;
const OPEN_S: f64 = 1.5;
/// A JVM that counts how often sites are reached, s, and a site's times beside that of a turn, s, and those of all sites at most.
const REACHED_S: f64 = 1.0;
const TURNS_S: f64 = 3.0;
const MOST_TURNS_S: f64 = 14.0;
/// Least iterations of a window, and by how much the doses slow them, in the mean.
const ITERATIONS: f64 = 2.0;
const SLOWED: f64 = 6.0;
/// How much longer a window takes, with the iteration that is discarded and the last one, which ends behind it.
const LONGER: f64 = 1.5;
/// Sets of sites that are there at the same time, at most: each has windows without a turn.
const SETS: f64 = 3.0;
/// Part of the sites that stay wide, which get a round more at least, and part of the time beyond the rounds that is used, in the mean.
const WIDE: f64 = 0.6;
const BUDGET_USED: f64 = 0.5;

/// JVMs that are started, and the steps with their times, for iterations of this length.
///
/// # Accuracy
/// A guess: how many methods are hot, how long an iteration is and how long the program warms up are not known. Of 27 tests of
/// programs of the suite and of others, which took 2 to 10 minutes on two processors, 25 took 0.8 to 1.4 times as long as is
/// estimated here; a program with sites in seven sets and long iterations 2.1 times.
#[must_use]
pub fn cost(size: &Size, iteration_ms: f64) -> (u64, Vec<CostStep>) {
    let sites = SITES_EACH * size.methods.min(USUAL_METHODS) as f64;
    let sets = SETS.min(sites);
    let at_once = size.at_once.max(1);
    // The first look is alone.
    let looks = 1 + size.profilers.len().saturating_sub(1).div_ceil(at_once);
    let choose = CostStep {
        step: "sites: methods".into(),
        seconds: COUNT_S + LOOK_S * looks as f64,
        detail: "bytecodes counted, a look by each profiler".into(),
    };
    // A JVM in which places are tried, one that counts, and two that tell what sites cost and warm up together.
    let tried_s = START_S + sites * DOSES_S + REACHED_S;
    let costs_s = START_S + REST_S + sets * (GATES_S + OPEN_S) + MOST_TURNS_S.min(sites * TURNS_S);
    let doses = CostStep {
        step: "sites: doses".into(),
        seconds: tried_s + costs_s,
        detail: format!(
            "by the clock, about {} methods",
            size.methods.min(USUAL_METHODS)
        ),
    };
    let runs = size.runs.max(1);
    // The processes of all profilers wait in one line.
    let all = runs * size.profilers.len().max(1);
    let at_once = at_once.min(all) as f64;
    let shared = if at_once > 1.0 { SHARED } else { 1.0 };
    let turns = shared * (all as f64 / at_once).ceil() / all as f64;
    let window_s = size.window_s.max(ITERATIONS * SLOWED * iteration_ms / 1e3);
    // Time with all gates closed, before sites are visited and behind.
    let closed = 2.0 * (size.rounds_in_each() as f64).max((CLOSED_S / window_s).ceil());
    let windows = size.rounds_in_each() as f64 * (4.0 * sites + sets) + closed;
    let round_s = LONGER * window_s * 4.0 * WIDE * sites;
    let more_s = match size.budget_s > 0.0 {
        true => round_s.max(BUDGET_USED * size.budget_in_each_s()),
        false => 0.0,
    };
    let each_s = START_S + (sets + 1.0) * GATES_S + LONGER * windows * window_s + more_s;
    let doses_s = sites * (DOSES_S + (runs - 1) as f64 * STILL_S);
    let under = |name: &String| CostStep {
        step: format!("sites: {name}"),
        seconds: turns * (runs as f64 * each_s + doses_s),
        detail: match runs {
            1 => format!("{windows:.0} windows of {window_s:.1} s and more"),
            runs => format!("{runs} JVMs, each {windows:.0} windows of {window_s:.1} s and more"),
        },
    };
    let steps = [choose, doses];
    let steps = steps
        .into_iter()
        .chain(size.profilers.iter().map(under))
        .collect();
    // Bytecodes, places, executions, and the two that take turns; a look and the runs of each profiler.
    let jvms = 5 + (1 + runs as u64) * size.profilers.len() as u64;
    (jvms, steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rounds: usize, methods: usize) -> Size {
        Size {
            profilers: vec!["jfr".into(), "async".into()],
            methods,
            rounds,
            budget_s: 0.0,
            runs: 1,
            window_s: 0.3,
            at_once: 1,
        }
    }

    fn total(size: &Size, iteration_ms: f64) -> f64 {
        let (_, steps) = cost(size, iteration_ms);
        steps.iter().map(|step| step.seconds).sum()
    }

    #[test]
    fn more_windows_and_longer_iterations_take_longer() {
        let usual = total(&size(3, 6), 1.0);
        assert!(total(&size(6, 6), 1.0) > usual && total(&size(3, 2), 1.0) < usual);
        assert!(total(&size(3, 6), 1000.0) > 5.0 * usual);
        let (jvms, steps) = cost(&size(3, 6), 1.0);
        assert_eq!((jvms, steps.len()), (9, 4));
    }

    /// They share windows; what is not shared is their start.
    #[test]
    fn three_jvms_cost_twice_as_much_at_most() {
        for methods in [4, 8] {
            let one = Size {
                budget_s: 15.0,
                window_s: 0.2,
                ..size(3, methods)
            };
            let three = Size {
                runs: 3,
                ..one.clone()
            };
            let times = total(&three, 10.0) / total(&one, 10.0);
            assert!((1.1..2.0).contains(&times), "{methods} methods: {times}");
            assert_eq!(cost(&three, 10.0).0, 13);
        }
    }

    #[test]
    fn jvms_share_rounds_and_time_but_each_has_two_rounds() {
        let shared = |rounds, runs| {
            let size = Size {
                runs,
                budget_s: 15.0,
                ..size(rounds, 4)
            };
            (size.rounds_in_each(), size.budget_in_each_s())
        };
        assert_eq!(shared(3, 1), (3, 15.0));
        assert_eq!(shared(3, 3), (2, 5.0));
        assert_eq!(shared(12, 5), (3, 3.0));
        // As asked for.
        assert_eq!(shared(1, 3).0, 1);
    }
}
