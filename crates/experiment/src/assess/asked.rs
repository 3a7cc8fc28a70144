//! What a run was asked for: results of other options are never taken for those of these.

use serde_json::Value;

use crate::ExperimentError;
use crate::session::Session;
use crate::steps::{self, StepError};

const STEP: &str = "assess settings";

/// Refuses to go on with a run whose plan and controls were made with other options.
///
/// # Errors
/// When they were, or when the run cannot be read or written.
pub fn as_before(session: &mut Session<'_>, asked: &Value) -> Result<(), ExperimentError> {
    let Some(before) = steps::result_of::<Value>(session.steps, STEP)? else {
        steps::finish(session.steps, STEP, asked)?;
        return Ok(());
    };
    match difference(&before, asked) {
        None => Ok(()),
        Some(option) => Err(ExperimentError::Usage(format!(
            "{} holds a run with another {option}: repeat it with the same one, or give another --out",
            session.about.place
        ))),
    }
}

/// Whether what is stored of a profiler was measured as asked for now.
///
/// # Errors
/// When the run cannot be read.
pub fn same(session: &Session<'_>, step: &str, asked: &Value) -> Result<bool, StepError> {
    let before = steps::result_of::<Value>(session.steps, step)?;
    let other = before.and_then(|before| difference(&before, asked));
    if let Some(option) = &other {
        session.progress.note(&format!(
            "{step}: the interrupted run had another {option}: measuring again"
        ));
    }
    Ok(other.is_none())
}

/// The first option that differs.
fn difference(before: &Value, asked: &Value) -> Option<String> {
    let options = asked.as_object()?;
    options
        .iter()
        .find(|(option, value)| before.get(option.as_str()) != Some(value))
        .map(|(option, _)| option.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_option_that_differs_is_named() {
        let (one, two) = (
            json!({"--plan": null, "--target": [100.0]}),
            json!({"--plan": null, "--target": [50.0]}),
        );
        assert_eq!(difference(&one, &one), None);
        assert_eq!(difference(&one, &two).as_deref(), Some("--target"));
        assert_eq!(difference(&json!({}), &one).as_deref(), Some("--plan"));
    }
}
