//! `count overhead`: what counting costs.
//!
//! Per round one plain JVM and one that counts, one behind the other and in turn the one or the other first, so that
//! whatever the machine does meets both. In each the program is warmed up, then iterations are timed by the thread's
//! CPU time; the JVM's figure is their median. A whole program (`-- java ...`) is timed by the CPU time of its process,
//! from start to end, compilers and collectors included, or by the times that it prints itself (`--printed`).
//!
//! # Accuracy
//! A round gives one logarithm of counted by plain. Rounds have JVMs of their own, so what differs from JVM to JVM (the
//! compiler's decisions, places in memory: mostly more than what differs within one) is in the interval: Student's t
//! over the rounds, at 95 %, taken back by the exponential. It supposes that these logarithms scatter about normally;
//! with three rounds it is wide, with one there is none. The interval of the geometric mean comes from the means of
//! the rounds over all programs: it says how well the mean of these programs is known, not what others would cost.
//! Thread clocks count ns, the clock of a process steps of 10 ms. Frequency changes between two JVMs of a round are
//! not corrected.

use std::process::{Command, Stdio};

use anyhow::Context as _;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use proofmark_jvm::Temporary;
use proofmark_jvm::toolchain::Settings;
use proofmark_stats::{Estimate, mean, mean_t, median};
use serde::{Deserialize, Serialize};

use super::command::JavaCommand;
use super::crash;
use super::forward::Forward;
use super::runtime::{Told, prepare};
use super::silent::Listening;
use crate::context::Refusal;
use crate::progress::Progress;
use crate::request::{Counted, OverheadRequest};

/// Name and version of the format.
pub const OVERHEAD_SCHEMA: &str = "proofmark-count-overhead/1";

/// What counting costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// [`OVERHEAD_SCHEMA`].
    pub schema: String,
    /// `thread` (steady state), `process` (a whole run with its start) or `printed` (what the program says).
    pub clock: String,
    /// A row per program.
    pub programs: Vec<ProgramCost>,
    /// Geometric mean over the programs, %: `exp(mean(ln(counted / plain))) - 1`; its interval is that of the rounds.
    pub geometric_mean_pct: Estimate,
}

/// What counting one program costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramCost {
    /// The program.
    pub program: String,
    /// CPU time without counting, ms: mean over the rounds.
    pub plain_ms: f64,
    /// The same with counting.
    pub counted_ms: f64,
    /// `counted / plain - 1`, %; n counts rounds. With one round there is no interval.
    pub overhead_pct: Estimate,
    /// Per round, ln(counted / plain).
    #[serde(skip)]
    logs: Vec<f64>,
}

/// Measures.
///
/// # Errors
/// When a JVM fails or a program's result is wrong.
pub fn run(
    request: &OverheadRequest,
    settings: &Settings,
    progress: &Progress,
) -> anyhow::Result<Overhead> {
    let command = |program: &Counted| matches!(program, Counted::Command(_));
    let whole = request.programs.iter().any(command);
    let commands = commands(request, settings)?;
    let mut programs = Vec::new();
    for (name, command) in commands {
        let mut times = Vec::new();
        for round in 0..request.rounds {
            progress.step(&format!(
                "{name}: round {} of {}",
                round + 1,
                request.rounds
            ));
            let one = |counted| {
                let time = time(&command, request, (counted, whole), progress);
                time.with_context(|| name.clone())
            };
            times.push(if round % 2 == 0 {
                let plain = one(false)?;
                (plain, one(true)?)
            } else {
                let counted = one(true)?;
                (one(false)?, counted)
            });
        }
        programs.push(cost(name, &times));
    }
    let rounds = request.rounds as usize;
    let mean_of_round = |round: usize| {
        programs
            .iter()
            .map(|p: &ProgramCost| p.logs[round])
            .sum::<f64>()
            / programs.len() as f64
    };
    let means: Vec<f64> = (0..rounds).map(mean_of_round).collect();
    Ok(Overhead {
        schema: OVERHEAD_SCHEMA.into(),
        clock: match (whole, request.printed) {
            (false, _) => "thread",
            (true, false) => "process",
            (true, true) => "printed",
        }
        .into(),
        geometric_mean_pct: estimate(&means),
        programs,
    })
}

fn commands(
    request: &OverheadRequest,
    settings: &Settings,
) -> anyhow::Result<Vec<(String, JavaCommand)>> {
    let words = [
        request.iterations.to_string(),
        request.warm_up_s.to_string(),
    ];
    let ready = |program: &Counted| {
        let command = JavaCommand::of(program, &words, settings)?;
        let name = match program {
            Counted::Suite(name) => name.clone(),
            Counted::Command(_) => command.line(),
        };
        Ok((name, command))
    };
    request.programs.iter().map(ready).collect()
}

/// CPU time, ms, of one JVM in which bytecodes are `counted` or not: of a `whole` run or of an iteration.
fn time(
    command: &JavaCommand,
    request: &OverheadRequest,
    (counted, whole): (bool, bool),
    progress: &Progress,
) -> anyhow::Result<f64> {
    let directory = Temporary::create(&std::env::temp_dir())?;
    let mut java = Command::new(&command.java);
    java.args(crash::option());
    // One collector and one heap for both; small programs otherwise differ by the JVM's choice.
    if !whole {
        java.args(["-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-Xmn128m"]);
    }
    if counted {
        let profile = directory.path().join("profile");
        let told = Told {
            counting: &request.counting,
            output: Some(&profile),
            agent: None,
            alone: false,
        };
        java.args(prepare(&command.kit, &told, &directory, "count")?);
    }
    java.args(&command.words);
    let listening = counted.then(|| Listening::to(directory.path(), progress));
    let before = children_cpu_ms()?;
    java.stdin(Stdio::null());
    let child = java.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.with_context(|| format!("{} cannot be started", command.java.display()))?;
    let forward = Forward::to(&child)?;
    let output = child.wait_with_output()?;
    drop((forward, listening));
    let took = children_cpu_ms()? - before;
    if !output.status.success() {
        return Err(Refusal::Cannot(format!(
            "the program failed ({}){}: {}{}",
            output.status,
            crash::said(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
        .into());
    }
    if whole && !request.printed {
        return Ok(took);
    }
    printed(&String::from_utf8_lossy(&output.stdout))
}

/// Median of the lines that are a number, ns, as ms.
fn printed(text: &str) -> anyhow::Result<f64> {
    let times = text.lines().filter_map(|line| line.trim().parse().ok());
    let times: Vec<f64> = times.filter(|&ns: &f64| ns > 0.0).collect();
    median(&times).map(|ns| ns / 1e6).ok_or_else(|| {
        Refusal::Cannot(
            "the program printed no time: with --printed it must write a line with a number, ns, per iteration".into(),
        )
        .into()
    })
}

/// CPU time of all processes that we started and that have ended, ms.
fn children_cpu_ms() -> anyhow::Result<f64> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let times = [used.user_time(), used.system_time()];
    Ok(times
        .iter()
        .map(|time| time.num_microseconds() as f64 / 1e3)
        .sum())
}

fn cost(program: String, times: &[(f64, f64)]) -> ProgramCost {
    let rounds = times.len() as f64;
    let logs: Vec<f64> = times
        .iter()
        .map(|(plain, counted)| (counted / plain).ln())
        .collect();
    ProgramCost {
        program,
        plain_ms: times.iter().map(|(plain, _)| plain).sum::<f64>() / rounds,
        counted_ms: times.iter().map(|(_, counted)| counted).sum::<f64>() / rounds,
        overhead_pct: estimate(&logs),
        logs,
    }
}

/// Mean of logarithms of ratios as a percentage, with Student's interval over the rounds.
fn estimate(logs: &[f64]) -> Estimate {
    let percent = |log: f64| (log.exp() - 1.0) * 100.0;
    match mean_t(logs) {
        Some(known) => known.map_increasing(percent),
        None => Estimate::around(percent(mean(logs)), f64::INFINITY, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_the_program_prints() {
        let text = "compiling\n 3000000 \n1000000\n0\n2 files\n2000000\n";
        assert_eq!(printed(text).expect("times"), 2.0);
        let error = printed("2 files\n").expect_err("no times");
        assert!(error.to_string().contains("--printed"), "{error}");
    }

    #[test]
    fn the_interval_is_students() {
        // Logarithms 0.1, 0.2, 0.3: mean 0.2, s 0.1, t(2) = 4.30265: 0.2 +- 0.248414.
        let cost = estimate(&[0.1, 0.2, 0.3]);
        assert!((cost.value - 22.1403).abs() < 1e-3);
        assert!((cost.low - -4.7261).abs() < 1e-3, "{}", cost.low);
        assert!((cost.high - 56.5826).abs() < 1e-3, "{}", cost.high);
        assert_eq!(cost.n, 3);
    }

    #[test]
    fn a_hand_worked_cost() {
        // Ratios 2 and 8: the geometric mean is 4.
        let cost = cost("p".into(), &[(1.0, 2.0), (1.0, 8.0)]);
        assert!((cost.overhead_pct.value - 300.0).abs() < 1e-9);
        assert!(cost.overhead_pct.low < 100.0 && cost.overhead_pct.high > 700.0);
        assert_eq!(
            (cost.plain_ms, cost.counted_ms, cost.overhead_pct.n),
            (1.0, 5.0, 2)
        );
    }
}
