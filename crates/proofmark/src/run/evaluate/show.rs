//! Evaluations that were measured before, from their files.

use std::path::Path;

use proofmark_experiment::evaluate::{EVALUATION_SCHEMA, Evaluation, Merged};
use serde_json::Value;

use crate::context::Refusal;
use crate::read::whole;
use crate::request::ShowEvaluationRequest;
use crate::surroundings::Surroundings;

/// The evaluations in these files as one; what a later file replaces is noted.
///
/// # Errors
/// When a file cannot be read, or holds no evaluation.
pub fn show(request: &ShowEvaluationRequest, around: &Surroundings) -> anyhow::Result<Evaluation> {
    let all: Result<Vec<Evaluation>, Refusal> =
        request.files.iter().map(|file| evaluation(file)).collect();
    let merged = Merged::of(all?);
    let name = |at: usize| request.files[at].display();
    for one in &merged.replaced {
        around.progress.note(&format!(
            "{}: that of {} counts, not that of {}",
            one.program,
            name(one.later),
            name(one.earlier)
        ));
    }
    Ok(merged.evaluation)
}

/// The evaluation in a file.
fn evaluation(file: &Path) -> Result<Evaluation, Refusal> {
    let is_none =
        |why: String| Refusal::Usage(format!("{} is no evaluation: {why}", file.display()));
    let bytes = whole(file).map_err(|error| Refusal::Usage(format!("{error:#}")))?;
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|error| is_none(format!("no JSON: {error}")))?;
    match value.get("schema").and_then(Value::as_str) {
        Some(EVALUATION_SCHEMA) => {}
        Some(other) => {
            return Err(is_none(format!(
                "its schema is {other:?}, not {EVALUATION_SCHEMA:?}"
            )));
        }
        None => {
            let text =
                "it has no schema; name the evaluation.json of proofmark evaluate".to_owned();
            return Err(is_none(text));
        }
    }
    serde_json::from_value(value).map_err(|error| is_none(error.to_string()))
}
