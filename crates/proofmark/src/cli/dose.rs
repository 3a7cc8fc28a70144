//! The command line of `dose`.

use clap::Args;
use proofmark_experiment::dose::DoseKind;
use proofmark_profile::profiler_name;

use super::names::Doses;
use super::sites::{JudgeArguments, SiteArguments, USUAL};
use super::workload::{ProgramArguments, usage};
use crate::request::{AT_ONCE, Request};

/// `dose`.
#[derive(Debug, Clone, Args)]
pub struct DoseArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer (each also with +agct: stacks by AsyncGetCallTrace, and with +attached: loaded when the JVM has started), jfr, jfr-cpu (each also with +nonsafepoints), safepoint (a control, wrong on purpose); of native programs perf, perf+fp, perf+dwarf, samply, gperftools, gprof, callgrind, cmd:LINE with {program} and {out} [default: async,jfr,jfr+nonsafepoints; of native programs perf].
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub profiler: Vec<String>,
    /// What is judged, and how.
    #[command(flatten)]
    pub judge: JudgeArguments,
    /// Where time is put.
    #[command(flatten)]
    pub sites: SiteArguments,
    /// Say what would be done and how long it would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
}

impl DoseArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<Request> {
        let native = super::native::program(&self.program)?;
        let usual = match native {
            Some(_) => "perf",
            None => USUAL,
        };
        let mut names = self.profiler;
        if names.is_empty() {
            names = usual.split(',').map(str::to_owned).collect();
        }
        match native {
            Some(_) if self.sites.dose != Doses::One(DoseKind::Arithmetic) => Err(usage(
                "--dose: what is added to a native program is arithmetic; leave --dose out",
            )),
            Some(_) if self.sites.at_once != AT_ONCE => Err(usage(
                "--at-once: a native program is measured one process after the other; leave --at-once out",
            )),
            Some(_) if self.sites.runs.is_some_and(|runs| runs > 1) => Err(usage(
                "--runs: nothing compiles a native program anew while it runs; leave --runs out",
            )),
            Some(_) if self.dry_run => Err(usage(
                "--dry-run: how long a native program takes is seen when it runs; leave --dry-run out",
            )),
            Some(program) => {
                let words = (program, names);
                Ok(Request::NativeDose(super::native::request(
                    words,
                    &self.program,
                    &self.judge,
                    self.sites,
                )))
            }
            None => {
                let names = names.iter().map(|name| profiler_name(name)).collect();
                let every = self.sites.dose == Doses::All;
                let request = self.sites.request(&self.program, &self.judge, names)?;
                Ok(match (self.dry_run, every) {
                    (true, true) => Request::DoseCost(request, DoseKind::ALL.len()),
                    (true, false) => Request::DoseCost(request, 1),
                    (false, true) => Request::EveryDose(request),
                    (false, false) => Request::Dose(request),
                })
            }
        }
    }
}
