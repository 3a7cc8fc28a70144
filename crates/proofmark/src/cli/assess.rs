//! The command line of `assess`.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::lab::Filler;
use proofmark_profile::{NON_SAFEPOINTS, profiler_name};

use super::names::{self, Doses};
use super::number::{between, whole};
use super::sites::{JudgeArguments, SiteArguments};
use super::workload::{WorkloadArguments, usage};
use crate::request::{AssessRequest, InLaboratory, SearchRequest};

/// `assess`.
#[derive(Debug, Clone, Args)]
pub struct AssessArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer, jfr, jfr-cpu (each jfr also with +nonsafepoints), perf, cmd:COMMAND (these two in the laboratory only); the controls oracle and safepoint always run there.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,jfr",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// What is judged, and how.
    #[command(flatten)]
    pub judge: JudgeArguments,
    /// Where time is put on your own JVM.
    #[command(flatten)]
    pub sites: SiteArguments,
    /// Require the laboratory: fail if it cannot be had (default: without it the result says what is missing).
    #[arg(long)]
    pub laboratory: bool,
    /// Do not judge in the laboratory: sites on your own JVM only.
    #[arg(long, conflicts_with = "laboratory")]
    pub no_laboratory: bool,
    /// Put no sites into your program: the laboratory only.
    #[arg(long, conflicts_with = "no_laboratory")]
    pub no_sites: bool,
    /// A plan that `divine` made for this program; else one is searched for first.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Slowdown instruction of the laboratory (default: the one that candidates recommended on this machine, else the one that suits this processor).
    #[arg(long, value_parser = names::filler(), value_name = "NAME", conflicts_with = "plan")]
    pub filler: Option<Filler>,
    /// Uniform slowdowns to try, in %, separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "100",
        value_name = "PERCENT",
        value_parser = between(1.0, 1000.0),
        allow_negative_numbers = true
    )]
    pub target: Vec<f64>,
    /// Single blocks to which time is added, besides blocks of the hottest methods: first so much that the program takes +60 % or more, then another +100 to +350 % or as much again; 0: time is added to no block.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = whole::<u32>(0, 50, 2))]
    pub singles: u32,
    /// Time per profiler in the laboratory, doses not counted, in s per run (default: as long as its rate needs).
    #[arg(long, value_name = "S", value_parser = between(1.0, 86_400.0), allow_negative_numbers = true)]
    pub time_budget: Option<f64>,
    /// Do not rerun a wrong profiler with DebugNonSafepoints to test the cause.
    #[arg(long)]
    pub no_cause: bool,
    /// Ask wrong profilers once more under C2, without a verdict: is the same blamed there? (20 to 30 s each)
    #[arg(long)]
    pub c2: bool,
    /// Say what would be done and how long it would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
}

impl AssessArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<AssessRequest> {
        let profilers: Vec<String> = self.profiler.iter().map(|n| profiler_name(n)).collect();
        let cause = !self.no_cause;
        // Each run of the laboratory collects profiles anew: it is repeated where that is asked for.
        let runs = self.sites.runs.map_or(1, u32::from);
        if self.sites.dose == Doses::All {
            return Err(usage(
                "--dose all: an assessment tests one kind of dose; name it, or use proofmark dose --dose all",
            ));
        }
        let sites = match (self.no_sites, sites_for(&profilers, cause)) {
            (true, _) => Err("left out, as asked for (--no-sites)".to_owned()),
            (false, Err(why)) => Err(why),
            (false, Ok(some)) => Ok(Box::new(self.sites.request(
                &self.workload.program,
                &self.judge,
                some,
            )?)),
        };
        let laboratory = match (self.laboratory, self.no_laboratory) {
            (true, _) => InLaboratory::Always,
            (_, true) => InLaboratory::Never,
            _ => InLaboratory::WhereItCan,
        };
        Ok(AssessRequest {
            program: self.workload.request()?,
            profilers,
            sites,
            laboratory,
            interval_ms: self.judge.interval,
            async_library: self.judge.async_library,
            plan: self.plan,
            filler: self.filler,
            search: SearchRequest::default(),
            targets_pct: self.target,
            singles: self.singles,
            margin_pt: self.judge.margin,
            time_budget_s: self.time_budget,
            runs,
            cause,
            c2: self.c2,
            to_assess: None,
            dry_run: self.dry_run,
        })
    }
}

const BESIDE: &str = "of the profilers that were asked for none runs inside of the JVM, and others cannot be told of windows as short as these";

/// The profilers that sites can judge, or why there is none.
pub fn sites_for(profilers: &[String], cause: bool) -> Result<Vec<String>, String> {
    let some = with_sites(profilers, cause);
    match some.is_empty() {
        true => Err(BESIDE.to_owned()),
        false => Ok(some),
    }
}

/// Profilers that are told of windows with sites; with `cause` also what may explain that one is wrong.
fn with_sites(profilers: &[String], cause: bool) -> Vec<String> {
    let inside = |name: &&String| {
        !matches!(name.as_str(), "perf" | "oracle" | "safepoint") && !name.starts_with("cmd:")
    };
    let mut all: Vec<String> = Vec::new();
    for name in profilers.iter().filter(inside) {
        let cured = matches!(name.as_str(), "jfr" | "jfr-cpu") && cause;
        let cured = cured.then(|| format!("{name}{NON_SAFEPOINTS}"));
        for name in [Some(name.clone()), cured].into_iter().flatten() {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_for_profilers_inside_of_the_jvm_and_for_what_may_cure_them() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let asked = names(&[
            "perf",
            "jfr",
            "jfr+nonsafepoints",
            "oracle",
            "async",
            "cmd:x {pid} {out}",
        ]);
        assert_eq!(
            with_sites(&asked, true),
            ["jfr", "jfr+nonsafepoints", "async"]
        );
        assert_eq!(with_sites(&names(&["jfr"]), false), ["jfr"]);
        assert!(with_sites(&names(&["perf", "safepoint"]), true).is_empty());
    }
}
