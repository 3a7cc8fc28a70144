//! What can be said of a request before anything is fetched, started or measured.

mod count;
mod methods;
mod native;
mod place;
mod profilers;
mod program;

use std::path::Path;

use proofmark_experiment::dose::DoseKind;
use proofmark_jvm::toolchain::Settings;
use proofmark_store::StoreError;

use crate::builds::Builds;
use crate::context::Refusal;
use crate::manifest::RunManifest;
use crate::request::{
    AssessRequest, DoseRequest, EvaluateRequest, ImportRequest, InLaboratory, On, ProgramRequest,
    Request, Selection, ShowEvaluationRequest,
};
use crate::run::assess::builds;
use crate::run::dose::place_of;
use crate::run::evaluate::{as_before, present};
use crate::run::plan_files::read_for;
use crate::run::study::live_manifest::About;
use crate::surroundings::Surroundings;

pub use place::regular;

/// Refuses what cannot be done.
///
/// # Errors
/// With what is wrong and what to do, mostly as [`Refusal::Usage`].
pub fn check(request: &Request, around: &Surroundings) -> anyhow::Result<()> {
    let settings = &around.toolchain;
    match request {
        Request::Doctor { .. }
        | Request::Completions(_)
        | Request::ManPage(_)
        | Request::Compile(_)
        | Request::CompileRust(_)
        | Request::LinkRust(_)
        | Request::NativeWindows(_) => {}
        Request::NativeDose(dose) => native::check(dose)?,
        Request::NativeDivine(divine) => native::divinable(divine)?,
        Request::Speedup(speedup) => native::speedup(speedup)?,
        Request::Slots(slots) => native::slots(slots)?,
        Request::Race(race) => native::results(race.out.as_deref())?,
        Request::Divine(divine) => {
            measurable(&divine.program, settings)?;
            if let Some(output) = &divine.output {
                place::writable_file(output, "--output")?;
            }
        }
        Request::Candidates(all) => {
            measurable(&all.program, settings)?;
            profilers::known(all.profiler.as_deref())?;
        }
        Request::Evaluate(all) => evaluable(all, settings)?,
        Request::ShowEvaluation(show) => showable(show)?,
        Request::Dose(dose) | Request::DoseCost(dose, _) => dosable(dose, settings)?,
        Request::EveryDose(dose) => {
            dosable(dose, settings)?;
            kinds_have_places(dose)?;
        }
        Request::Assess(assess) | Request::Demo(assess) => assessable(assess, settings)?,
        Request::Import(import) => importable(import)?,
        Request::StudyRun(study) => {
            jdk(settings)?;
            program::check_all(&study.programs, settings)?;
            profilers::of_study(study)?;
            study_directory(study.out.as_deref())?;
        }
        Request::StudyAnalyze(analyze) => {
            analyze
                .inputs
                .iter()
                .try_for_each(|input| place::readable(input))?;
            if let Some(page) = &analyze.html {
                place::writable_file(page, "--html")?;
            }
        }
        Request::Diff(diff) => [&diff.a, &diff.b]
            .into_iter()
            .try_for_each(|i| place::readable(i))?,
        Request::Events(events) | Request::EventsList(events) => {
            measurable(&events.program, settings)?;
            own_types(&events.selection)?;
        }
        Request::EventsDiff(diff) => {
            measurable(&diff.program, settings)?;
            own_types(&diff.selection)?;
            let [a, b] = &diff.options;
            if a == b {
                let text = "A and B are the same configuration: give an option of one of them with --a or --b";
                return Err(Refusal::Usage(text.into()).into());
            }
        }
        Request::EventsCost(cost) => {
            jdk(settings)?;
            program::check_all(&cost.programs, settings)?;
            run_directory(&cost.first(), Builds::of(&cost.first().workload, settings))?;
        }
        Request::Count(run) => count::run(run, settings)?,
        Request::CountInstrument(instrument) => count::instrument(instrument, settings)?,
        Request::CountCompare(compare) => count::compare(compare)?,
        Request::CountShow(show) => count::show(show)?,
        Request::CountOverhead(overhead) => count::overhead(overhead, settings)?,
    }
    Ok(())
}

/// A program, and the directory of its run.
fn measurable(request: &ProgramRequest, settings: &Settings) -> Result<(), Refusal> {
    there(request, settings)?;
    run_directory(request, Builds::of(&request.workload, settings))
}

/// A program that can be run.
fn there(request: &ProgramRequest, settings: &Settings) -> Result<(), Refusal> {
    jdk(settings)?;
    program::check(&request.workload, settings)
}

/// The directory of a program's run in these builds.
fn run_directory(request: &ProgramRequest, builds: Builds) -> Result<(), Refusal> {
    place::run_directory(request.out.as_deref(), &RunManifest::of(request, builds))
}

/// A java that is named with its place; a bare one is looked for on PATH later.
fn java(request: &DoseRequest) -> Result<(), Refusal> {
    let java = request.command.first().filter(|java| java.contains('/'));
    match java.filter(|java| !Path::new(java).is_file()) {
        Some(missing) => Err(Refusal::Usage(format!(
            "no such program: {missing}; name a java that is there, or write only java"
        ))),
        None => Ok(()),
    }
}

fn dosable(request: &DoseRequest, settings: &Settings) -> Result<(), Refusal> {
    java(request)?;
    jdk(settings)?;
    let java = request.command.first().map_or(Path::new("java"), Path::new);
    program::check(&request.workload, &settings.clone().with_java(java))?;
    tested(request)?;
    match &request.out {
        Some(out) if out.is_file() => Err(Refusal::Usage(format!(
            "--out {}: this is a file",
            out.display()
        ))),
        Some(out) => {
            place::free_for_dose(out)?;
            place::writable_directory(out, "--out")
        }
        None => place::own_directory(),
    }
}

/// Refuses a directory where the result of a kind of dose would take the place of somebody else's.
fn kinds_have_places(request: &DoseRequest) -> Result<(), Refusal> {
    let Some(out) = &request.out else {
        return Ok(());
    };
    let mut kinds = DoseKind::ALL.into_iter();
    kinds.try_for_each(|kind| place::free_for_dose(&place_of(out, kind)))
}

/// Profilers and methods of a test by dose.
fn tested(request: &DoseRequest) -> Result<(), Refusal> {
    profilers::of_dose(request)?;
    methods::check(&request.named, &request.workload)
}

fn assessable(request: &AssessRequest, settings: &Settings) -> anyhow::Result<()> {
    if let Ok(sites) = &request.sites {
        java(sites)?;
    }
    there(&request.program, settings)?;
    run_directory(&request.program, builds(request, settings))?;
    if let Some(plan) = &request.plan {
        read_for(plan, &request.program.workload.to_string())?;
    }
    profilers::of_assessment(request)?;
    if let Ok(sites) = &request.sites {
        tested(sites)?;
    }
    if request.sites.is_err() && request.laboratory == InLaboratory::Never {
        let text = "--no-laboratory leaves nothing to judge these profilers with: at sites use async, jfr or jfr-cpu";
        return Err(Refusal::Usage(text.into()).into());
    }
    Ok(())
}

/// Programs, profilers and the directory of an evaluation.
fn evaluable(request: &EvaluateRequest, settings: &Settings) -> anyhow::Result<()> {
    jdk(settings)?;
    for (name, assessment) in &request.programs {
        program::check_named(name, &assessment.program.workload, settings)?;
        profilers::of_assessment(assessment)?;
        if let Ok(sites) = &assessment.sites {
            tested(sites)?;
        }
    }
    match &request.on {
        // Its directory is the business of the evaluation that submitted it.
        On::Task(_) => return Ok(()),
        On::Slurm(_) => present()?,
        On::Local => {}
    }
    let Some(out) = &request.out else {
        return Ok(place::own_directory()?);
    };
    match proofmark_store::manifest_in(out) {
        Ok(Some(before)) => as_before(request, &before)?,
        Ok(None) => {}
        Err(error) => return Err(Refusal::Usage(error.to_string()).into()),
    }
    Ok(place::writable_directory(out, "--out")?)
}

/// Files with evaluations, and a directory that is no run's: its files are those of another evaluation.
fn showable(request: &ShowEvaluationRequest) -> Result<(), Refusal> {
    request.files.iter().try_for_each(|file| regular(file))?;
    let Some(out) = &request.out else {
        return Ok(());
    };
    if out.join("manifest.json").exists() {
        return Err(Refusal::Usage(format!(
            "{} holds a run: give another directory with --out; nothing was changed there",
            out.display()
        )));
    }
    place::writable_directory(out, "--out")
}

/// A JDK that the user named; what is found without a name is the toolchain's affair.
fn jdk(settings: &Settings) -> Result<(), Refusal> {
    match &settings.jdk {
        Some(home) if !home.join("bin/java").is_file() => Err(Refusal::Usage(format!(
            "--jdk or PROOFMARK_JDK: {} is no JDK: there is no bin/java in it",
            home.display()
        ))),
        _ => Ok(()),
    }
}

fn importable(request: &ImportRequest) -> Result<(), Refusal> {
    if request.file != Path::new("-") {
        place::readable(&request.file)?;
    }
    for beside in [&request.perf_map, &request.jitdump].into_iter().flatten() {
        place::readable(beside)?;
    }
    match &request.output {
        Some(output) => place::writable_file(output, "--output"),
        None => Ok(()),
    }
}

/// Event types of the user's own.
fn own_types(selection: &Selection) -> Result<(), Refusal> {
    let mut paths = selection.class_path.iter();
    match paths.find(|path| !path.exists()) {
        Some(missing) => Err(Refusal::Usage(format!(
            "--event-class-path: no such file: {}",
            missing.display()
        ))),
        None => Ok(()),
    }
}

fn study_directory(out: Option<&Path>) -> Result<(), Refusal> {
    let Some(directory) = out else {
        return Ok(());
    };
    match proofmark_store::manifest_in::<About>(directory) {
        Ok(_) => place::writable_directory(directory, "--out"),
        Err(StoreError::Damaged { .. }) => Err(Refusal::Usage(format!(
            "{} holds a run of another command: give another --out",
            directory.display()
        ))),
        Err(error) => Err(Refusal::Usage(error.to_string())),
    }
}
