//! The part of an assessment with sites: on the user's own JVM. Its result is kept, so that a run that is gone on with does
//! not measure it again.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::assess::{Part, difference, estimate};
use proofmark_experiment::dose::DoseResult;
use proofmark_jvm::LabError;
use proofmark_jvm::toolchain::Settings;
use proofmark_store::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::laboratory::known_iteration_ms;
use crate::builds::JdkBuild;
use crate::context::Refusal;
use crate::exit::{CANNOT, code_of};
use crate::request::{AssessRequest, DoseRequest};
use crate::run::dose;
use crate::stamp::Stamp;
use crate::surroundings::Surroundings;

/// Name of the step, and of its directory in that of the run.
const STEP: &str = "sites";

/// The JDK among what was asked for.
const JDK: &str = "JDK";
/// The file of `--async-library` there.
const LIBRARY: &str = "build of --async-library";

/// A result, and what was asked for.
#[derive(Serialize, Deserialize)]
struct Kept {
    asked: Value,
    result: DoseResult,
}

/// Tests the profilers with sites, unless that is done already. `alone`: no other part follows, so that what keeps this
/// one from being run is an error.
///
/// # Errors
/// When the program cannot be run, or the user stops it.
pub(super) fn tested(
    request: &AssessRequest,
    run: &mut Run,
    around: &Surroundings,
    alone: bool,
) -> anyhow::Result<Part<DoseResult>> {
    let sites = match &request.sites {
        Ok(sites) => sites,
        Err(why) if alone => return Err(Refusal::Cannot(why.clone()).into()),
        Err(why) => return Ok(Err(why.clone())),
    };
    let asked = asked(sites, &around.toolchain);
    if let Some(kept) = run.result_of::<Kept>(STEP)? {
        let Some(option) = other(&kept.asked, &asked) else {
            around.progress.note("sites: taken from the run before");
            return Ok(Ok(kept.result));
        };
        let before = aside(&run.directory().join(STEP))?;
        around.progress.note(&format!(
            "sites: the run had another {option}: measuring again; what it found before is kept in {}",
            before.display()
        ));
    }
    let directory = run.directory().join(STEP);
    if let Some(kept) = make_room(&directory)? {
        let kept = kept.display();
        let text = format!("sites: measuring again; what the first JVMs said is kept in {kept}");
        around.progress.note(&text);
    }
    let sites = DoseRequest {
        out: Some(directory),
        ..(**sites).clone()
    };
    around.progress.stage(STEP);
    match dose::run(&sites, &pace(request, &sites)?, around) {
        Ok(tested) if tested.result.replication.is_interrupted() => {
            Err(interrupted(tested, around))
        }
        Ok(tested) => {
            let result = tested.result;
            let kept = Kept { asked, result };
            run.finish_step(STEP, &kept)?;
            Ok(Ok(kept.result))
        }
        Err(error) if !alone && is_of_sites(&error) => Ok(Err(super::in_a_line(&error))),
        Err(error) => Err(error),
    }
}

/// How far the part has come. What a plan or an interrupted run tells of iterations was estimated with.
fn pace(request: &AssessRequest, sites: &DoseRequest) -> anyhow::Result<dose::Pace> {
    let known = known_iteration_ms(request)?;
    let iteration_ms = known.unwrap_or(estimate::ASSUMED_MS);
    Ok(dose::Pace::of_iterations(sites, iteration_ms))
}

/// Why the part is not finished: the user ended the JVMs that were added. What the first ones said is not lost.
fn interrupted(tested: dose::Tested, around: &Surroundings) -> anyhow::Error {
    if let Some(lost) = tested.lost {
        return lost;
    }
    let file = tested.file.display();
    let text = format!("sites: what the first JVMs said is kept in {file}");
    around.progress.note(&text);
    LabError::Interrupted.into()
}

/// Makes room for the part. What an interrupted run left there is no result; where its first JVMs had one, it is moved out of the way,
/// to the place that is returned.
fn make_room(directory: &Path) -> anyhow::Result<Option<PathBuf>> {
    if directory.join(dose::RESULT).exists() {
        return aside(directory).map(Some);
    }
    if directory.exists() {
        std::fs::remove_dir_all(directory)
            .with_context(|| format!("removing {}", directory.display()))?;
    }
    Ok(None)
}

/// Moves a finished part out of the way, to the first free name.
fn aside(directory: &Path) -> anyhow::Result<PathBuf> {
    let name = |n: u32| directory.with_file_name(format!("{STEP}-{n}"));
    let free = (1..).map(name).find(|name| !name.exists());
    let free = free.unwrap_or_else(|| directory.to_owned());
    if directory.exists() {
        std::fs::rename(directory, &free)
            .with_context(|| format!("moving {}", directory.display()))?;
    }
    Ok(free)
}

/// How many JVMs each profiler gets: a number, or from and to where that depends on what they show.
fn runs(sites: &DoseRequest) -> Value {
    match sites.most_runs > sites.runs {
        true => json!([sites.runs, sites.most_runs]),
        false => json!(sites.runs),
    }
}

/// Most methods that are tested, and where the time for them decides too, that, s.
fn methods(sites: &DoseRequest) -> Value {
    match sites.most_s {
        Some(most_s) => json!([sites.methods, most_s]),
        None => json!(sites.methods),
    }
}

/// Options that decide the result, with the builds of what they name. That of the program is the run's own affair.
fn asked(sites: &DoseRequest, settings: &Settings) -> Value {
    let jdk = dose::jdk(sites, settings);
    let library = sites.async_library.as_deref();
    json!({
        JDK: jdk.as_ref().map(JdkBuild::of),
        LIBRARY: library.map(Stamp::of),
        "command": sites.command,
        "--profiler": sites.profilers,
        "--methods": methods(sites),
        "--method": sites.named,
        "--dose": sites.kind.name(),
        "--margin": sites.margin_pt,
        "--rounds": sites.rounds,
        "--budget": sites.budget_s,
        "--runs": runs(sites),
        "--window": sites.window_s,
        "--interval": sites.interval_ms,
        "--async-library": sites.async_library,
    })
}

/// The option that is another one than before, in words; none if none is. A build that one of both does not know, as earlier
/// versions did not, is taken for the same.
fn other(before: &Value, now: &Value) -> Option<String> {
    let (mut before, mut now) = (before.clone(), now.clone());
    for build in [JDK, LIBRARY] {
        if before[build].is_null() || now[build].is_null() {
            for side in [&mut before, &mut now] {
                if let Some(options) = side.as_object_mut() {
                    options.remove(build);
                }
            }
        }
    }
    if before == now {
        return None;
    }
    let option = difference(&before, &now);
    Some(option.unwrap_or_else(|| "set of options".into()))
}

/// Whether an error says that sites cannot be tried here, and nothing of the program itself.
fn is_of_sites(error: &anyhow::Error) -> bool {
    let of_program = matches!(
        error.downcast_ref::<LabError>(),
        Some(LabError::Workload { .. } | LabError::NoWorkload(_))
    );
    code_of(error) == CANNOT && !of_program
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builds::tests::looks_like_jdk;
    use crate::run::dose::tests::asked as demo;

    #[test]
    fn sites_under_another_build_of_the_library_are_others() {
        let place = tempfile::tempdir().unwrap();
        let library = place.path().join("libasyncProfiler.so");
        std::fs::write(&library, "one").unwrap();
        let sites = DoseRequest {
            async_library: Some(library.clone()),
            ..demo(1, 1)
        };
        let now = || asked(&sites, &Settings::default());
        let before = now();
        assert_eq!(other(&before, &now()), None);
        std::fs::write(&library, "longer than before").unwrap();
        assert_ne!(before, now());
        assert_eq!(other(&before, &now()).as_deref(), Some(LIBRARY));
        // As an earlier version kept it: which build it was is not known.
        let mut older = before.clone();
        for build in [JDK, LIBRARY] {
            older.as_object_mut().unwrap().remove(build);
        }
        assert_eq!(other(&older, &now()), None);
        let without = asked(&demo(1, 1), &Settings::default());
        let said = other(&older, &without).unwrap();
        assert!(said.starts_with("--async-library"), "{said}");
    }

    #[test]
    fn sites_of_all_methods_are_others_than_those_there_is_time_for() {
        let all = demo(1, 1);
        let in_time = DoseRequest {
            most_s: Some(480.0),
            ..all.clone()
        };
        let [all, in_time] = [all, in_time].map(|one| asked(&one, &Settings::default()));
        let said = other(&in_time, &all).unwrap();
        assert!(said.starts_with("--methods"), "{said}");
    }

    #[test]
    fn sites_on_another_jdk_are_others() {
        let place = tempfile::tempdir().unwrap();
        let on = |release: &str| {
            let home = place.path().join(release);
            looks_like_jdk(&home, release);
            let settings = Settings {
                jdk: Some(home),
                ..Settings::default()
            };
            asked(&demo(1, 1), &settings)
        };
        let (old, new) = (on("17.0.9"), on("25.0.1"));
        assert_eq!(other(&old, &old), None);
        assert_eq!(other(&old, &new).as_deref(), Some(JDK));
    }

    #[test]
    fn what_was_found_before_is_kept_under_a_free_name() {
        let place = tempfile::tempdir().unwrap();
        let sites = place.path().join(STEP);
        for n in ["sites-1", "sites-2"] {
            std::fs::create_dir(&sites).unwrap();
            std::fs::write(sites.join(dose::RESULT), n).unwrap();
            let kept = aside(&sites).unwrap();
            assert_eq!(kept, place.path().join(n));
            assert!(!sites.exists());
            assert_eq!(std::fs::read_to_string(kept.join(dose::RESULT)).unwrap(), n);
        }
    }

    #[test]
    fn what_an_interrupted_run_left_goes_and_what_its_first_jvms_said_stays() {
        let place = tempfile::tempdir().unwrap();
        let sites = place.path().join(STEP);
        std::fs::create_dir(&sites).unwrap();
        assert_eq!(make_room(&sites).unwrap(), None);
        assert!(!sites.exists() && !place.path().join("sites-1").exists());
        std::fs::create_dir(&sites).unwrap();
        std::fs::write(sites.join(dose::RESULT), "3 JVMs").unwrap();
        let kept = make_room(&sites).unwrap().expect("a place");
        assert_eq!(kept, place.path().join("sites-1"));
        assert!(!sites.exists());
        let kept = std::fs::read_to_string(kept.join(dose::RESULT)).unwrap();
        assert_eq!(kept, "3 JVMs");
    }
}
