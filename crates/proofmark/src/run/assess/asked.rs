//! What a run was asked for: results of other options are never taken for those of these.

use proofmark_jvm::{Engine, ProfilerSpec};
use serde_json::{Value, json};

use super::super::divine_command;
use crate::args::AssessArguments;
use crate::context::{Context, Refusal};

const STEP: &str = "assess settings";

/// Refuses to go on with a run whose plan and controls were made with other options.
///
/// # Errors
/// When they were, or when the run cannot be read or written.
pub fn as_before(context: &mut Context, arguments: &AssessArguments) -> anyhow::Result<()> {
    let plan = match &arguments.plan {
        Some(path) => serde_json::to_value(divine_command::read(path)?.file)?,
        None => Value::Null,
    };
    let asked = json!({
        "--target": arguments.target,
        "--singles": arguments.singles,
        "--heap": arguments.workload.heap,
        "--plan": plan,
    });
    let Some(before) = context.run.result_of::<Value>(STEP)? else {
        context.run.finish_step(STEP, &asked)?;
        return Ok(());
    };
    match difference(&before, &asked) {
        None => Ok(()),
        Some(option) => Err(Refusal::Usage(format!(
            "{} holds a run with another {option}: repeat it with the same one, or give another --out",
            context.run.directory().display()
        ))
        .into()),
    }
}

/// What decides how a profiler behaves.
pub fn of_profiler(spec: &ProfilerSpec, arguments: &AssessArguments) -> Value {
    let library = match &spec.engine {
        Engine::Async { library, .. } => {
            let data = std::fs::metadata(library).ok();
            let age = data.as_ref().and_then(|data| data.modified().ok());
            json!([library, data.map(|data| data.len()), age])
        }
        _ => Value::Null,
    };
    json!({
        "--interval": spec.interval_ns,
        "--time-budget": arguments.time_budget,
        "--async-library": library,
    })
}

/// Whether what is stored of a profiler was measured as asked for now.
///
/// # Errors
/// When the run cannot be read.
pub fn same(context: &Context, step: &str, asked: &Value) -> anyhow::Result<bool> {
    let before = context.run.result_of::<Value>(step)?;
    let other = before.and_then(|before| difference(&before, asked));
    if let Some(option) = &other {
        context.progress.note(&format!(
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
