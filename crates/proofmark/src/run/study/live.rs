//! `study run`: many runs of several programs under several profilers, in random order.
//!
//! Arguments -> programs and profilers -> trials -> size -> order -> one JVM per run -> runs.jsonl and recordings.

use std::collections::BTreeMap;

use proofmark_experiment::assess::CostPlan;
use proofmark_jvm::toolchain::{Kit, Machine, Settings};

use super::live_estimate::{Clock, Size};
use super::live_manifest::{About, Asked, Finished, Plan};
use super::live_order::{Planned, order};
use super::live_plan::{cost, known, planned};
use super::live_profilers::{Skipped, Watcher, watchers};
use super::live_record::{LOGS, Ledger, continues};
use super::live_run::{Next, Workshop};
use super::live_summary::{Summary, cost_text, summary};
use crate::builds::Builds;
use crate::console::print as print_text;
use crate::context::Refusal;
use crate::output;
use crate::progress::Progress;
use crate::request::programs::Program;
use crate::request::{Format, StudyRequest};
use crate::run::profilers::files;
use crate::stamp::Stamp;
use crate::surroundings::Surroundings;

/// A program that never ended well under a profiler is not tried more often than this.
const TRIES: usize = 3;

/// What a study came to.
pub enum Ran {
    /// Runs were made.
    Study(Summary),
    /// `--dry-run`: what it would cost.
    Cost(CostPlan),
}

/// Runs a study, or continues one.
///
/// # Errors
/// When something is missing, nothing could be run, the user interrupts or the disk is full.
pub fn run(request: &StudyRequest, around: &Surroundings) -> anyhow::Result<Ran> {
    let progress = &around.progress;
    let programs = &request.programs;
    let settings = &around.toolchain;
    progress.step("putting the toolchain together");
    let kit = Kit::assemble(settings)?;
    let (watchers, skipped) = watchers(request, &kit, settings);
    for Skipped { profiler, reason } in &skipped {
        progress.note(&format!("{profiler} is skipped: {reason}"));
    }
    if watchers.len() == 1 && !skipped.is_empty() {
        return Err(Refusal::Cannot("none of these profilers can be had here".into()).into());
    }
    let about = About {
        asked: Asked {
            builds: builds(request, &kit, settings),
            ..asked(request, &kit, programs, &watchers)
        },
        skipped,
        machine: Machine::this(),
    };
    let workshop = Workshop {
        kit: &kit,
        request,
        iterations: request.iterations,
        interrupted: around.interrupted.clone(),
    };
    if request.dry_run {
        Ledger::could_open(request, &about)?;
        let plan = planned(&workshop, programs, &watchers, progress)?;
        return Ok(Ran::Cost(cost(&plan, programs, &watchers)));
    }
    let plan = || planned(&workshop, programs, &watchers, progress);
    // Before there is a study: a program that cannot be run leaves no directory that belongs to its command line.
    let new = (!continues(request)).then(plan).transpose()?;
    let mut ledger = Ledger::open(request, &about)?;
    let plan = match ledger.plan()? {
        Some(plan) => plan,
        None => {
            let plan = new.map_or_else(plan, Ok)?;
            ledger.set_plan(&plan)?;
            plan
        }
    };
    let workshop = Workshop {
        iterations: plan.size.iterations,
        ..workshop
    };
    let runs = Runs {
        workshop: &workshop,
        programs,
        watchers: &watchers,
        plan: &plan,
        progress,
    };
    runs.make(&mut ledger)?;
    let summary = summary(&ledger, &about, &plan);
    if summary.runs == summary.failed {
        return Err(Refusal::Cannot(format!(
            "every run failed; the logs are in {}",
            ledger.directory().join(LOGS).display()
        ))
        .into());
    }
    Ok(Ran::Study(summary))
}

/// Shows it on standard output.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn print(ran: &Ran, format: Format) -> anyhow::Result<()> {
    match (ran, format) {
        (Ran::Cost(plan), Format::Text) => print_text(&cost_text(plan))?,
        (Ran::Cost(plan), _) => output::cost(plan, format)?,
        (Ran::Study(summary), Format::Text) => print_text(&summary.text())?,
        (Ran::Study(summary), _) => output::json(summary)?,
    }
    Ok(())
}

fn asked(request: &StudyRequest, kit: &Kit, programs: &[Program], watchers: &[Watcher]) -> Asked {
    let ours = kit.hashes.iter();
    let jars = ours.filter(|(name, _)| name.contains("suite") || name.contains("harness"));
    Asked {
        proofmark: env!("CARGO_PKG_VERSION").into(),
        programs: programs.to_vec(),
        profilers: watchers.iter().map(|w| w.name.clone()).collect(),
        size: Size {
            runs: request.runs,
            iterations: request.iterations,
        },
        time_budget_s: request.time_budget_s,
        seed: request.seed,
        compiler: request.compiler,
        heap_mb: request.heap_mb,
        interval_ms: request.interval_ms,
        all_threads: request.all_threads,
        keep_recordings: request.keep_recordings,
        jdk: format!("{} {}", kit.versions.jdk_vendor, kit.versions.jdk),
        jars: jars
            .map(|(name, hash)| (name.clone(), hash.clone()))
            .collect(),
        builds: BTreeMap::new(),
    }
}

/// Builds of what is measured, by the programs' names.
fn builds(request: &StudyRequest, kit: &Kit, settings: &Settings) -> BTreeMap<String, Builds> {
    let mut profilers = files(&request.profilers, request.async_library.as_deref());
    for (name, agent) in [
        ("yourkit", &request.yourkit),
        ("jprofiler", &request.jprofiler),
    ] {
        let library = agent.library.as_deref().map(Stamp::of);
        profilers.extend(library.map(|library| (name.to_owned(), library)));
    }
    let of_program = |program: &Program| {
        let builds = Builds::of(&program.workload, settings).on(Some(&kit.jdk));
        (program.name.clone(), builds.under(profilers.clone()))
    };
    request.programs.iter().map(of_program).collect()
}

/// The runs of a study: which, and what makes them.
struct Runs<'a> {
    workshop: &'a Workshop<'a>,
    programs: &'a [Program],
    watchers: &'a [Watcher],
    plan: &'a Plan,
    progress: &'a Progress,
}

impl Runs<'_> {
    /// Makes all that have not ended yet.
    fn make(&self, ledger: &mut Ledger) -> anyhow::Result<()> {
        let all = order(
            self.programs.len(),
            self.watchers.len(),
            self.plan.size.runs,
            self.workshop.request.seed,
        );
        let mut clock = self.clock(ledger);
        self.say_where(ledger, all.len());
        for (at, planned) in all.iter().enumerate() {
            if self.ended(planned, ledger) {
                continue;
            }
            let next = Next {
                planned: *planned,
                program: &self.programs[planned.program],
                watcher: &self.watchers[planned.profiler],
                expected_s: clock.run_s(planned.program),
            };
            let left = all[at..].iter().filter(|later| !self.ended(later, ledger));
            self.progress
                .expect(clock.left_s(left.map(|later| later.program)));
            self.progress.step(&format!(
                "run {} of {}: {}, {}, number {}",
                at + 1,
                all.len(),
                next.program.name,
                next.watcher.name,
                planned.run + 1
            ));
            self.one(&next, ledger, &mut clock)?;
        }
        Ok(())
    }

    fn ended(&self, planned: &Planned, ledger: &Ledger) -> bool {
        let program = &self.programs[planned.program];
        let watcher = &self.watchers[planned.profiler];
        ledger.has(&program.name, &watcher.name, planned.run)
    }

    /// What runs take, as far as those that have ended tell.
    fn clock(&self, ledger: &Ledger) -> Clock {
        let mut clock = Clock::new(&known(self.plan), self.plan.size.iterations);
        for finished in ledger.finished() {
            let mut programs = self.programs.iter();
            if let Some(at) = programs.position(|p| p.name == finished.record.program) {
                clock.finished(at, finished.duration_s);
            }
        }
        clock
    }

    fn say_where(&self, ledger: &Ledger, all: usize) {
        let directory = ledger.directory().display();
        let ended = ledger.finished().len();
        self.progress.note(&if ended == 0 {
            format!(
                "results go to {directory}; if interrupted, the study goes on with --out {directory}"
            )
        } else {
            format!("{directory}: {ended} of {all} runs are there already")
        });
    }

    fn one(&self, next: &Next<'_>, ledger: &mut Ledger, clock: &mut Clock) -> anyhow::Result<()> {
        let (program, watcher) = (&next.program.name, &next.watcher.name);
        let finished = match given_up(ledger.finished(), program, watcher) {
            Some(reason) => not_made(self.workshop, next, reason),
            None => {
                let finished = self.workshop.run(next, ledger)?;
                clock.finished(next.planned.program, finished.duration_s);
                finished
            }
        };
        if let Some(failure) = &finished.record.failure {
            let first = failure.lines().next().unwrap_or_default();
            self.progress
                .note(&format!("{program} under {watcher} failed: {first}"));
        }
        ledger.finish(finished)?;
        Ok(())
    }
}

/// Why another run is not worth its time; none if it is.
fn given_up(finished: &[Finished], program: &str, profiler: &str) -> Option<String> {
    let records = finished.iter().map(|finished| &finished.record);
    let of_cell = records.filter(|r| r.program == program && r.profiler == profiler);
    let failures: Vec<bool> = of_cell.map(|record| record.failure.is_some()).collect();
    (failures.len() >= TRIES && failures.iter().all(|failed| *failed))
        .then(|| format!("not made: the first {TRIES} runs all failed"))
}

fn not_made(workshop: &Workshop<'_>, next: &Next<'_>, reason: String) -> Finished {
    let mut record = workshop.record(next);
    record.failure = Some(reason);
    Finished {
        record,
        duration_s: 0.0,
        samples: 0,
        lost: 0,
    }
}
