//! What the directory of an evaluation holds already, and what is still to be measured.

use std::path::{Path, PathBuf};

use proofmark_experiment::evaluate::ProgramResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::cost::estimated;
use super::executor::Order;
use crate::request::{AssessRequest, EvaluateRequest};
use crate::session::file_name;

/// A program's result, and what was asked for.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    /// The workload with its class path and options.
    pub workload: Value,
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

/// Every program in its order: one whose measuring failed is missing. `kept` finds what a step left; none as directory is a
/// new one.
///
/// # Errors
/// When what was kept cannot be read.
pub(super) fn begun(
    request: &EvaluateRequest,
    directory: Option<&Path>,
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
            let before = kept(&step(name))?;
            let place = place_of(&short_name(name, &names), &workload, before.as_ref());
            let same = |kept: &Kept| kept.workload == workload && kept.result.failed.is_none();
            if let Some(kept) = before.filter(same) {
                return Ok(Begun::There(which, Box::new(kept.result)));
            }
            let own = match directory {
                Some(directory) => with_place(assessment, directory.join(&place)),
                None => assessment.clone(),
            };
            Ok(Begun::Missing(Box::new(Order {
                at,
                name: name.clone(),
                seconds: estimated(&own).map_or(0.0, |own| own.seconds),
                request: own,
                place,
                workload,
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

/// A program's name as that of a directory. Where another program of the evaluation would get the same one, as names are cut
/// and some of their signs replaced, both get a hash of their whole names with it.
fn short_name(name: &str, all: &[&str]) -> String {
    let short = file_name(name);
    let mut others = all.iter().filter(|other| **other != name);
    if !others.any(|other| file_name(other) == short) {
        return short;
    }
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let bytes = digest[..4].iter();
    let hash: String = bytes.map(|byte| format!("{byte:02x}")).collect();
    // No short name has a `~`, and with an `x` it is no number as those of `place_of`.
    format!("{short}~x{hash}")
}

/// Directory of the run of a program with this short name: one in which the same workload went wrong is gone on with, one of
/// another workload of that name is left alone, and so is one that may be that of another program.
fn place_of(short: &str, workload: &Value, before: Option<&Kept>) -> String {
    match before {
        None => short.to_owned(),
        Some(kept) if kept.workload == *workload && is_of(&kept.place, short) => kept.place.clone(),
        Some(kept) => {
            let number = kept
                .place
                .rsplit_once('~')
                .and_then(|(_, n)| n.parse().ok());
            format!("{short}~{}", number.unwrap_or(1) + 1)
        }
    }
}

/// Whether a directory is one of the program with this short name.
fn is_of(place: &str, short: &str) -> bool {
    let rest = place.strip_prefix(short);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('~'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::On;

    /// Two benchmarks of one jar, whose names differ behind the 60th sign.
    const BENCHMARKS: [&str; 2] = [
        "jmh:/home/alice/work/myproject/target/benchmarks.jar#com.acme.A.x",
        "jmh:/home/alice/work/myproject/target/benchmarks.jar#com.acme.B.y",
    ];

    fn failed(workload: &str, place: &str) -> Kept {
        Kept {
            workload: json!(workload),
            place: place.into(),
            result: ProgramResult::failed("Main", "no such class".into()),
        }
    }

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
        let all = begun(&request, None, &|_| Ok(None)).unwrap();
        let place = |one: Begun| match one {
            Begun::Missing(order) => order.place,
            Begun::There(which, _) => panic!("{which} is there"),
        };
        all.into_iter().map(place).collect()
    }

    /// A class path that was mended is another workload: its run begins anew, beside the one that failed.
    #[test]
    fn a_mended_program_gets_a_directory_of_its_own() {
        let place = |before: Option<&Kept>| place_of("Main", &json!("new"), before);
        assert_eq!(place(None), "Main");
        assert_eq!(place(Some(&failed("new", "Main"))), "Main");
        assert_eq!(place(Some(&failed("old", "Main"))), "Main~2");
        assert_eq!(place(Some(&failed("old", "Main~2"))), "Main~3");
        assert_eq!(place(Some(&failed("new", "Main~2"))), "Main~2");
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

    /// Earlier versions let both run in one directory: whose it is cannot be told.
    #[test]
    fn a_directory_that_may_be_anothers_is_left_alone() {
        let place = |kept: &str| place_of("Main~xa1", &json!("new"), Some(&failed("new", kept)));
        assert_eq!(place("Main"), "Main~xa1~2");
        assert_eq!(place("Main~xa1~2"), "Main~xa1~2");
        assert_eq!(place("Main~xa1"), "Main~xa1");
        let mended = failed("old", "Main~xa1");
        let mended = place_of("Main~xa1", &json!("new"), Some(&mended));
        assert_eq!(mended, "Main~xa1~2");
    }
}
