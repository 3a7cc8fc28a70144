//! How profilers are judged, and where time is put: what `dose` and `assess` have in common.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::dose::DoseKind;
use proofmark_rules::MARGIN_PT;

use super::names::{self, Doses};
use super::number::between;
use super::workload::ProgramArguments;
use crate::request::{AT_ONCE, DoseRequest, RUNS};

/// How profilers sample, and how large an error may be.
#[derive(Debug, Clone, Args)]
pub struct JudgeArguments {
    /// Time between a profiler's samples, in ms (default at sites: 0.2 for async-profiler, 1 for JFR; in the laboratory: 1 for async-profiler and perf, 2 for JFR).
    #[arg(long, value_name = "MS", value_parser = between(0.01, 1000.0), allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Another build of async-profiler's library.
    #[arg(long, value_name = "FILE")]
    pub async_library: Option<PathBuf>,
    /// Error that separates right from wrong, in points of share (a method of 20 % that is shown at 30 % is off by 10); at a site twice as many per cent of the added time.
    #[arg(long, default_value_t = MARGIN_PT, value_name = "POINTS", value_parser = between(0.1, 40.0), allow_negative_numbers = true)]
    pub margin: f64,
}

/// Where time is put on your own JVM, and how much is measured.
#[derive(Debug, Clone, Args)]
pub struct SiteArguments {
    /// Add sites to at most this many methods, hottest first; some get two.
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub methods: u16,
    /// Always add a site to this method, such as com.acme.Main.run, if it can have one; repeatable.
    #[arg(long, value_name = "NAME")]
    pub method: Vec<String>,
    /// What the added time does. A profiler may be right about one kind and wrong about another. `all` (with `dose` only) tests every kind in turn, which takes eight times as long, and ends with a table.
    #[arg(long, value_parser = names::doses(), default_value = "arithmetic", value_name = "KIND")]
    pub dose: Doses,
    /// Rounds of windows per site: two windows at the low dose and two at the high one each. A profiler's JVMs share the rounds, with at least two each. More rounds narrow the intervals.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub rounds: u16,
    /// Time for more windows at sites whose intervals are still wide (more than 3 points to either side), s, which the JVMs of a profiler share.
    #[arg(long, default_value_t = 15.0, value_name = "S", value_parser = between(0.0, 86_400.0), allow_negative_numbers = true)]
    pub budget: f64,
    /// JVMs per profiler, with sites and in the laboratory of `assess`. JVMs inline differently, so each is judged by itself, and intervals are over JVMs (5 or more narrow them); one JVM tells nothing of others. `assess` with the same --out and more runs keeps those of the laboratory [default: 3 with sites, 1 in the laboratory].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub runs: Option<u16>,
    /// Most JVMs that are measured at the same time, where the machine has processors and memory for them; 1: one after the other.
    #[arg(long, default_value_t = AT_ONCE, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub at_once: u16,
    /// Length of a window with sites, s.
    #[arg(long, default_value_t = 0.2, value_name = "S", value_parser = between(0.02, 600.0), allow_negative_numbers = true)]
    pub window: f64,
}

impl SiteArguments {
    /// The test of these profilers; with every kind of dose, that of the first kind.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(
        self,
        program: &ProgramArguments,
        judge: &JudgeArguments,
        profilers: Vec<String>,
    ) -> anyhow::Result<DoseRequest> {
        Ok(DoseRequest {
            workload: program.workload()?,
            command: program.java.clone(),
            profilers,
            methods: self.methods.into(),
            named: self.method,
            kind: match self.dose {
                Doses::One(kind) => kind,
                Doses::All => DoseKind::default(),
            },
            margin_pt: judge.margin,
            rounds: self.rounds.into(),
            budget_s: self.budget,
            runs: self.runs.map_or(RUNS, usize::from),
            at_once: self.at_once.into(),
            window_s: self.window,
            interval_ms: judge.interval,
            async_library: judge.async_library.clone(),
            iteration_timeout_s: program.iteration_timeout,
            out: program.out.clone(),
            to_dose: None,
            seed: program.seed,
        })
    }
}
