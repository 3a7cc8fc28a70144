//! `study run`: many runs of several programs under several profilers, in random order.
//!
//! Arguments -> programs and profilers -> trials -> size -> order -> one JVM per run -> runs.jsonl and recordings.

use proofmark_experiment::assess::CostPlan;
use proofmark_jvm::toolchain::{Kit, Machine};

use super::live_estimate::{Clock, Size};
use super::live_manifest::{About, Asked, Finished, Plan};
use super::live_order::{Planned, order};
use super::live_plan::{cost, known, planned};
use super::live_profilers::{Skipped, Watcher, watchers};
use super::live_record::{LOGS, Ledger, continues};
use super::live_run::{Next, Workshop};
use super::live_summary::{Summary, cost_text, summary};
use crate::context::Refusal;
use crate::output;
use crate::progress::Progress;
use crate::request::programs::Program;
use crate::request::{Format, StudyRequest};
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
    let (watchers, skipped) = watchers(request, &kit, settings)?;
    for Skipped { profiler, reason } in &skipped {
        progress.note(&format!("{profiler} is skipped: {reason}"));
    }
    if watchers.len() == 1 && !skipped.is_empty() {
        return Err(Refusal::Cannot("none of these profilers can be had here".into()).into());
    }
    let about = About {
        asked: asked(request, &kit, programs, &watchers),
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
    all_runs(&workshop, programs, &watchers, &plan, &mut ledger, progress)?;
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
        (Ran::Cost(plan), Format::Text) => output::print(&cost_text(plan)),
        (Ran::Cost(plan), _) => output::cost(plan, format)?,
        (Ran::Study(summary), Format::Text) => output::print(&summary.text()),
        (Ran::Study(summary), _) => {
            output::print(&serde_json::to_string_pretty(summary)?);
        }
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
    }
}

/// Makes all runs that have not ended yet.
#[expect(clippy::too_many_arguments, reason = "older than the rule")]
fn all_runs(
    workshop: &Workshop<'_>,
    programs: &[Program],
    watchers: &[Watcher],
    plan: &Plan,
    ledger: &mut Ledger,
    progress: &Progress,
) -> anyhow::Result<()> {
    let all = order(
        programs.len(),
        watchers.len(),
        plan.size.runs,
        workshop.request.seed,
    );
    let ended = |planned: &Planned, ledger: &Ledger| {
        let (program, watcher) = (&programs[planned.program], &watchers[planned.profiler]);
        ledger.has(&program.name, &watcher.name, planned.run)
    };
    let mut clock = Clock::new(&known(plan), plan.size.iterations);
    for finished in ledger.finished() {
        let program = programs
            .iter()
            .position(|p| p.name == finished.record.program);
        program
            .into_iter()
            .for_each(|at| clock.finished(at, finished.duration_s));
    }
    let directory = ledger.directory().display();
    if ledger.finished().is_empty() {
        progress.note(&format!(
            "results go to {directory}; if interrupted, the study goes on with --out {directory}"
        ));
    } else {
        progress.note(&format!(
            "{directory}: {} of {} runs are there already",
            ledger.finished().len(),
            all.len()
        ));
    }
    for (at, planned) in all.iter().enumerate() {
        if ended(planned, ledger) {
            continue;
        }
        let next = Next {
            planned: *planned,
            program: &programs[planned.program],
            watcher: &watchers[planned.profiler],
            expected_s: clock.run_s(planned.program),
        };
        let left = all[at..].iter().filter(|later| !ended(later, ledger));
        progress.expect(clock.left_s(left.map(|later| later.program)));
        progress.step(&format!(
            "run {} of {}: {}, {}, number {}",
            at + 1,
            all.len(),
            next.program.name,
            next.watcher.name,
            planned.run + 1
        ));
        let finished = match given_up(ledger.finished(), &next.program.name, &next.watcher.name) {
            Some(reason) => not_made(workshop, &next, reason),
            None => {
                let finished = workshop.run(&next, ledger)?;
                clock.finished(planned.program, finished.duration_s);
                finished
            }
        };
        if let Some(failure) = &finished.record.failure {
            let first = failure.lines().next().unwrap_or_default();
            progress.note(&format!(
                "{} under {} failed: {first}",
                next.program.name, next.watcher.name
            ));
        }
        ledger.finish(finished)?;
    }
    Ok(())
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
