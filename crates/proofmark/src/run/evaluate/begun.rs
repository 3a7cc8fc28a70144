//! What the directory of an evaluation holds already, and what is still to be measured.

use std::path::{Path, PathBuf};

use proofmark_experiment::evaluate::ProgramResult;
use proofmark_store::manifest_in;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cost::estimated;
use super::executor::Order;
use super::place::{place_of, short_name};
use crate::builds::{Builds, other_builds};
use crate::context::Refusal;
use crate::manifest::{Manifest, RunManifest};
use crate::request::{AssessRequest, EvaluateRequest};

/// A program's result, and what was asked for.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    /// The workload with its class path and options.
    pub workload: Value,
    /// Builds that were measured; none is known of evaluations of earlier versions.
    #[serde(default)]
    pub builds: Builds,
    /// Directory of the program's own run, inside of the evaluation's.
    #[serde(default)]
    pub place: String,
    /// What was found.
    pub result: ProgramResult,
}

/// A program of an evaluation.
pub(super) enum Begun {
    /// Its result is there; `program 2 of 14: suite:List`.
    There(String, Box<ProgramResult>),
    /// It is to be measured.
    Missing(Box<Order>),
}

/// Every program in its order: one whose measuring failed is missing. `kept` finds what a step left, `builds` says what there is
/// now; none as directory is a new one.
///
/// # Errors
/// When what was kept cannot be read, or is of another build.
pub(super) fn begun(
    request: &EvaluateRequest,
    directory: Option<&Path>,
    builds: &dyn Fn(&AssessRequest) -> Builds,
    kept: &dyn Fn(&str) -> anyhow::Result<Option<Kept>>,
) -> anyhow::Result<Vec<Begun>> {
    let count = request.programs.len();
    let names: Vec<&str> = (request.programs.iter())
        .map(|(name, _)| name.as_str())
        .collect();
    let one =
        |(at, (name, assessment)): (usize, &(String, AssessRequest))| -> anyhow::Result<Begun> {
            let which = format!("program {} of {count}: {name}", at + 1);
            let workload = serde_json::to_value(&assessment.program.workload)?;
            let builds = builds(assessment);
            let before = kept(&step(name))?;
            let asked = |kept: &Kept| kept.workload == workload;
            let other = before.as_ref().filter(|kept| asked(kept));
            let other = other.and_then(|kept| builds.difference(&kept.builds));
            let place = place_of(
                &short_name(name, &names),
                before.as_ref(),
                &|kept: &Kept| asked(kept) && other.is_none(),
            );
            let finished = |kept: &Kept| asked(kept) && kept.result.failed.is_none();
            if let Some(kept) = before.filter(finished) {
                return match other {
                    None => Ok(Begun::There(which, Box::new(kept.result))),
                    Some(what) => {
                        let directory = directory.unwrap_or(Path::new(""));
                        Err(other_builds(directory, &what).into())
                    }
                };
            }
            let own = match directory {
                Some(directory) => with_place(assessment, directory.join(&place)),
                None => assessment.clone(),
            };
            as_begun(&own, &builds)?;
            Ok(Begun::Missing(Box::new(Order {
                at,
                name: name.clone(),
                seconds: estimated(&own).map_or(0.0, |own| own.seconds),
                request: own,
                place,
                workload,
                builds,
                which,
            })))
        };
    request.programs.iter().enumerate().map(one).collect()
}

/// Step with the result of a program.
pub(super) fn step(name: &str) -> String {
    format!("program {name}")
}

/// The same in a directory of its own.
pub(super) fn with_place(assessment: &AssessRequest, out: PathBuf) -> AssessRequest {
    let mut own = assessment.clone();
    own.program.out = Some(out);
    own
}

/// Refuses to go on with a program's own run in other builds than those with which it was begun.
fn as_begun(own: &AssessRequest, builds: &Builds) -> Result<(), Refusal> {
    let Some(place) = own.program.out.as_deref() else {
        return Ok(());
    };
    match manifest_in::<RunManifest>(place) {
        Ok(Some(before)) => RunManifest::of(&own.program, builds.clone()).as_before(&before, place),
        // What else may be there is its run's own affair.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::On;

    /// Two benchmarks of one jar, whose names differ behind the 60th sign.
    const BENCHMARKS: [&str; 2] = [
        "jmh:/home/alice/work/myproject/target/benchmarks.jar#com.acme.A.x",
        "jmh:/home/alice/work/myproject/target/benchmarks.jar#com.acme.B.y",
    ];

    /// Directories of a new evaluation of these programs, in their order.
    fn places(names: &[&str]) -> Vec<String> {
        let program = |name: &&str| {
            let workload = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
            let own = AssessRequest::demo(workload.unwrap(), None);
            ((*name).to_owned(), own)
        };
        let request = EvaluateRequest {
            programs: names.iter().map(program).collect(),
            out: None,
            on: On::Local,
            dry_run: false,
        };
        let all = begun(&request, None, &|_| Builds::default(), &|_| Ok(None)).unwrap();
        let place = |one: Begun| match one {
            Begun::Missing(order) => order.place,
            Begun::There(which, _) => panic!("{which} is there"),
        };
        all.into_iter().map(place).collect()
    }

    /// One directory cannot hold the runs of two programs.
    #[test]
    fn programs_whose_names_are_cut_alike_get_two_directories() {
        let cut = "jmh__home_alice_work_myproject_target_benchmarks.jar_com.acm";
        let [a, b] = ["~x3c3e9da8", "~x00844386"].map(|hash| format!("{cut}{hash}"));
        let [x, y] = BENCHMARKS;
        // The same at every start, in whatever order, here and in tasks on other machines.
        assert_eq!(places(&[x, y]), [a.as_str(), b.as_str()]);
        assert_eq!(
            places(&[y, "suite:List", x]),
            [b.as_str(), "suite_List", a.as_str()]
        );
        // Signs that are replaced are lost as well.
        let signs = places(&["method:p.A", "method#p.A"]);
        assert_ne!(signs[0], signs[1]);
        // Alone each has the name that it always had.
        assert_eq!(places(&[x]), [cut]);
        assert_eq!(places(&[y, "suite:List"]), [cut, "suite_List"]);
    }

    /// What was measured of another build is neither taken nor mixed with what is measured now.
    #[test]
    fn results_of_another_build_are_refused_and_failures_are_tried_beside_them() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("program");
        std::fs::write(&file, "one").unwrap();
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        let own = AssessRequest::demo(queens.expect("a program of the suite"), None);
        let request = EvaluateRequest {
            programs: vec![("suite:Queens".to_owned(), own.clone())],
            out: None,
            on: On::Local,
            dry_run: false,
        };
        let now = |_: &AssessRequest| Builds::of_file(&file);
        let with = |builds: Builds, failed: Option<&str>| -> anyhow::Result<String> {
            let kept = |_: &str| -> anyhow::Result<Option<Kept>> {
                Ok(Some(Kept {
                    workload: serde_json::to_value(&own.program.workload)?,
                    builds: builds.clone(),
                    place: "suite_Queens".into(),
                    result: ProgramResult {
                        failed: failed.map(str::to_owned),
                        ..ProgramResult::failed("suite:Queens", String::new())
                    },
                }))
            };
            let mut all = begun(&request, Some(place.path()), &now, &kept)?;
            Ok(match all.remove(0) {
                Begun::There(..) => "there".to_owned(),
                Begun::Missing(order) => order.place,
            })
        };
        let first = Builds::of_file(&file);
        assert_eq!(with(first.clone(), None).unwrap(), "there");
        assert_eq!(
            with(first.clone(), Some("it rains")).unwrap(),
            "suite_Queens"
        );
        std::fs::write(&file, "longer than before").unwrap();
        let error = with(first.clone(), None).unwrap_err();
        assert_eq!(crate::exit::code_of(&error), 2, "{error}");
        assert!(error.to_string().contains("another build of the program"));
        let beside = with(first.clone(), Some("it rains")).unwrap();
        assert_eq!(beside, "suite_Queens~2");
        assert_eq!(with(Builds::default(), None).unwrap(), "there", "not known");
        // It was interrupted: its own run has a directory already.
        let out = place.path().join("suite_Queens~2");
        let begun = RunManifest::of(&own.program, first.clone());
        drop(proofmark_store::Run::create(&out, &begun).unwrap());
        let error = with(first, Some("it rains")).unwrap_err();
        assert!(error.to_string().contains("another build of the program"));
    }
}
