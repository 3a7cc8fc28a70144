//! What the directory of an evaluation holds already, and what is still to be measured.

use std::path::{Path, PathBuf};

use proofmark_experiment::evaluate::ProgramResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    let one =
        |(at, (name, assessment)): (usize, &(String, AssessRequest))| -> anyhow::Result<Begun> {
            let which = format!("program {} of {count}: {name}", at + 1);
            let workload = serde_json::to_value(&assessment.program.workload)?;
            let before = kept(&step(name))?;
            let place = place_of(name, &workload, before.as_ref());
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

/// Directory of a program's run: one in which the same workload went wrong is gone on with, one of another workload of that
/// name is left alone.
fn place_of(name: &str, workload: &Value, before: Option<&Kept>) -> String {
    match before {
        None => file_name(name),
        Some(kept) if kept.workload == *workload && !kept.place.is_empty() => kept.place.clone(),
        Some(kept) => {
            let number = kept
                .place
                .rsplit_once('~')
                .and_then(|(_, n)| n.parse().ok());
            format!("{}~{}", file_name(name), number.unwrap_or(1) + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A class path that was mended is another workload: its run begins anew, beside the one that failed.
    #[test]
    fn a_mended_program_gets_a_directory_of_its_own() {
        let failed = |workload: &str, place: &str| Kept {
            workload: json!(workload),
            place: place.into(),
            result: ProgramResult::failed("Main", "no such class".into()),
        };
        let place = |before: Option<&Kept>| place_of("Main", &json!("new"), before);
        assert_eq!(place(None), "Main");
        assert_eq!(place(Some(&failed("new", "Main"))), "Main");
        assert_eq!(place(Some(&failed("old", "Main"))), "Main~2");
        assert_eq!(place(Some(&failed("old", "Main~2"))), "Main~3");
        assert_eq!(place(Some(&failed("new", "Main~2"))), "Main~2");
    }
}
