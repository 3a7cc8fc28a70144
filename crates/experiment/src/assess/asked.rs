//! What a run was asked for: results of other options are never taken for those of these.

use serde_json::Value;

use crate::ExperimentError;
use crate::session::Session;
use crate::steps::{self, StepError, Steps};

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
        Some(option) => Err(ExperimentError::Usage(refusal(
            &session.about.place,
            &option,
        ))),
    }
}

/// Why an assessment with these options cannot go on with what the steps hold; none if it can. Nothing is stored.
///
/// # Errors
/// When the run cannot be read.
pub fn other_options(
    steps: &dyn Steps,
    place: &str,
    asked: &Value,
) -> Result<Option<String>, StepError> {
    let before = steps::result_of::<Value>(steps, STEP)?;
    let other = before.and_then(|before| difference(&before, asked));
    Ok(other.map(|option| refusal(place, &option)))
}

fn refusal(place: &str, option: &str) -> String {
    format!(
        "{place} holds a run with another {option}: repeat it with the same one, or give another --out; nothing was changed there"
    )
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

/// The first option that differs, with both values where they are short.
pub fn difference(before: &Value, asked: &Value) -> Option<String> {
    const SHORT: usize = 60;
    let options = asked.as_object()?;
    // An option that did not exist then was not given.
    let there = |option: &str| before.get(option).unwrap_or(&Value::Null);
    let other = |(option, value): &(&String, &Value)| there(option) != *value;
    let (option, now) = options.iter().find(other)?;
    let words = |value: &Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(all) => {
            let all = all.iter().map(|one| one.to_string().replace('"', ""));
            all.collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    };
    let [there, now] = [there(option), now].map(words);
    match there.len().max(now.len()) <= SHORT {
        true => Some(format!("{option} ({there} there, {now} now)")),
        false => Some(option.clone()),
    }
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
        assert_eq!(
            difference(&one, &two).as_deref(),
            Some("--target (100.0 there, 50.0 now)")
        );
        let long = json!({"--plan": "x".repeat(99), "--target": [100.0]});
        assert_eq!(difference(&long, &one).as_deref(), Some("--plan"));
        let newer = json!({"--filler": null, "--plan": null, "--target": [100.0]});
        assert_eq!(difference(&one, &newer), None, "not given then either");
    }
}
