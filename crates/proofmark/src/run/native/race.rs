//! `proofmark race`: how often a program with sites fails without and with doses.

use std::path::PathBuf;

use anyhow::Context as _;
use proofmark_experiment::ExperimentError;
use proofmark_experiment::race::{self, RaceResult, RaceRow};
use proofmark_jvm::toolchain::shell_line;
use proofmark_native::{Program, RaceSettings, Races};
use proofmark_store::write_atomically;

use crate::request::RaceRequest;
use crate::session::{file_name, run_place};
use crate::surroundings::Surroundings;

/// Runs the program, and writes the result into the run's directory: the result and its file.
///
/// # Errors
/// When the program cannot be run, or no function can get a dose.
pub fn run(request: &RaceRequest, around: &Surroundings) -> anyhow::Result<(RaceResult, PathBuf)> {
    let program = Program::read(&request.program)?;
    let name = request.program.file_name().unwrap_or_default();
    let label = file_name(&format!("race-{}", name.to_string_lossy()));
    let lock = run_place(request.out.as_deref(), &label)?;
    let directory = lock.directory().canonicalize()?;
    let sites = request.functions.iter();
    let sites = sites.filter_map(|name| program.site(name).cloned());
    let settings = RaceSettings {
        program: request.program.canonicalize()?,
        arguments: request.arguments.clone(),
        directory: directory.clone(),
        timeout_s: request.timeout_s,
        failed_if: request.failed_if.clone(),
        sites: sites.collect(),
        interrupted: around.interrupted.clone(),
    };
    let mut lab = Races::new(settings).map_err(ExperimentError::from)?;
    let asked = race::RaceRequest {
        program: shell_line(command(request)),
        functions: request.functions.clone(),
        turns: request.turns,
        runs: request.runs,
        timeout_s: request.timeout_s,
        failed_if: request.failed_if.clone(),
        seed: request.seed,
    };
    let mut result = race::run(&mut lab, &asked, &around.progress)?;
    for row in &mut result.functions {
        row.by_hand = Some(by_hand(request, row));
        row.again = Some(again(request, row));
    }
    let file = directory.join("race.json");
    write_atomically(&file, &serde_json::to_vec_pretty(&result)?)
        .with_context(|| format!("writing {}", file.display()))?;
    Ok((result, file))
}

/// The program with its arguments.
fn command(request: &RaceRequest) -> impl Iterator<Item = String> {
    let program = [request.program.display().to_string()];
    program.into_iter().chain(request.arguments.iter().cloned())
}

/// The command that runs the program once with the dose of a row.
fn by_hand(request: &RaceRequest, row: &RaceRow) -> String {
    let file = shell_line([row.dose_file.clone()].into_iter());
    format!("PROOFMARK_DOSES={file} {}", shell_line(command(request)))
}

/// The command that repeats a row.
fn again(request: &RaceRequest, row: &RaceRow) -> String {
    let mut words = vec![
        "proofmark".to_owned(),
        "race".to_owned(),
        "--function".to_owned(),
        row.function.clone(),
        "--turns".to_owned(),
        row.turns.to_string(),
        "--runs".to_owned(),
        request.runs.to_string(),
        "--timeout".to_owned(),
        request.timeout_s.to_string(),
        "--seed".to_owned(),
        request.seed.to_string(),
    ];
    if let Some(text) = &request.failed_if {
        words.extend(["--failed-if".to_owned(), text.clone()]);
    }
    words.push("--".to_owned());
    words.extend(command(request));
    shell_line(words.into_iter())
}

#[cfg(test)]
mod tests {
    use proofmark_stats::Estimate;

    use super::*;

    #[test]
    fn a_row_can_be_repeated_and_looked_at_by_hand() {
        let request = RaceRequest {
            program: "./my program".into(),
            arguments: vec!["a b".into(), "--x".into()],
            functions: vec!["f".into()],
            turns: None,
            runs: 20,
            timeout_s: 2.5,
            failed_if: Some("lost it".into()),
            out: None,
            seed: 7,
        };
        let row = RaceRow {
            function: "f".into(),
            turns: 900,
            with: race::Runs {
                runs: 20,
                failed: 0,
                failed_pct: Estimate::around(0.0, 0.0, 20),
                ends: Default::default(),
                wall_s: 0.1,
                cpu_s: 0.1,
            },
            p_value: 1.0,
            differs: false,
            dose_file: "/tmp/o u t/1-f.dose".into(),
            by_hand: None,
            again: None,
        };
        assert_eq!(
            by_hand(&request, &row),
            "PROOFMARK_DOSES='/tmp/o u t/1-f.dose' './my program' 'a b' --x"
        );
        assert_eq!(
            again(&request, &row),
            "proofmark race --function f --turns 900 --runs 20 --timeout 2.5 --seed 7 --failed-if 'lost it' -- './my program' \
             'a b' --x"
        );
    }
}
