//! `proofmark speedup`: what a program with slots would gain if functions of it were faster.

use std::path::PathBuf;

use anyhow::Context as _;
use proofmark_experiment::ExperimentError;
use proofmark_experiment::lab::Insertion;
use proofmark_experiment::speedup::{self, SpeedupResult};
use proofmark_jvm::toolchain::shell_line;
use proofmark_native::{Slotted, TimedLab, TimedSettings};
use proofmark_store::write_atomically;

use crate::request::SpeedupRequest;
use crate::run::plan_files::read;
use crate::session::{file_name, run_place};
use crate::surroundings::Surroundings;

/// Measures, and writes the result into the run's directory: the result and its file.
///
/// # Errors
/// When the plan is one for another build, or the program cannot be linked again or run.
pub fn run(
    request: &SpeedupRequest,
    around: &Surroundings,
) -> anyhow::Result<(SpeedupResult, PathBuf)> {
    let plan = read(&request.plan)?;
    let program = Slotted::read(&request.program.canonicalize()?)?;
    let name = request.program.file_name().unwrap_or_default();
    let label = file_name(&format!("speedup-{}", name.to_string_lossy()));
    let lock = run_place(request.out.as_deref(), &label)?;
    let directory = lock.directory().canonicalize()?;
    let asked = speedup::SpeedupRequest {
        program: command(request),
        functions: request.named.clone(),
        hottest: request.functions,
        insertion: Insertion {
            filler: plan.filler()?,
            at: request.insertion_point,
        },
        rounds: request.rounds,
        window_s: request.window_s,
        seed: request.seed,
    };
    let settings = TimedSettings {
        arguments: request.arguments.clone(),
        directory: directory.clone(),
        most_s: request.process_timeout_s,
        progress: around.progress.callback(),
        interrupted: around.interrupted.clone(),
    };
    let units = plan.file.units.iter().map(|unit| unit.name.as_str());
    let lab = TimedLab::prepare(&program, settings, units);
    let mut lab = lab.map_err(ExperimentError::from)?;
    let result = speedup::run(&mut lab, &plan, &asked, &around.progress)?;
    let file = directory.join("speedup.json");
    write_atomically(&file, &serde_json::to_vec_pretty(&result)?)
        .with_context(|| format!("writing {}", file.display()))?;
    Ok((result, file))
}

/// The program with its arguments.
fn command(request: &SpeedupRequest) -> String {
    let program = [request.program.display().to_string()];
    shell_line(program.into_iter().chain(request.arguments.iter().cloned()))
}
