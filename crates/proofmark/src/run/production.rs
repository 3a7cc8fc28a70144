//! What a wrong profiler says under C2, the compiler of production: a note, no verdict, because C2's
//! code cannot be slowed and its true shares are not known.

use std::collections::BTreeMap;

use proofmark_assess::{Assessment, Condition, Judgement, Role, SEVERAL, UNATTRIBUTED, Verdict};
use proofmark_experiment::lab::{ProfiledWindow, WindowSpec};
use proofmark_jvm::{Compiler, ProfilerSession, ProfilerSpec, WarmJvm};
use proofmark_stats::{Estimate, mean_t};

use crate::context::Context;
use crate::session::file_name;

/// Windows; their spread gives the interval.
const WINDOWS: usize = 8;
/// Length of one, s.
const WINDOW_S: f64 = 1.5;
/// Methods that a note names.
const NAMED: usize = 4;

/// Adds a note to every profiler under test that was found wrong.
///
/// # Errors
/// When a JVM or the profiler fails.
pub fn cross_check(
    context: &Context,
    specs: &[ProfilerSpec],
    assessment: &mut Assessment,
) -> anyhow::Result<()> {
    let wrong = |judgement: &&mut Judgement| {
        judgement.role == Role::Subject && judgement.verdict == Verdict::Wrong
    };
    for judgement in assessment.profilers.iter_mut().filter(wrong) {
        let Some(spec) = specs.iter().find(|spec| spec.name == judgement.name) else {
            continue;
        };
        context
            .session
            .progress
            .stage(&format!("{} under C2", spec.name));
        let windows = profile(context, spec)?;
        judgement.notes.push(note(judgement, &shares(&windows)));
    }
    Ok(())
}

/// The same profiler on the same program, warm, compiled by C2, nothing else done to it.
fn profile(context: &Context, spec: &ProfilerSpec) -> anyhow::Result<Vec<ProfiledWindow>> {
    let name = format!("{}-c2", file_name(&spec.name));
    let mut settings = context.lab_settings(&name, context.session.file("profiles"))?;
    spec.prepare(&mut settings.launch);
    settings.launch.compiler = Compiler::C2;
    let mut jvm = WarmJvm::prepare(&context.session.kit, &context.program.workload, settings)?;
    let mut running = ProfilerSession::start(
        spec,
        jvm.client_mut(),
        context.session.file(&format!("{name}.files")),
    )?;
    for at in 1..=WINDOWS {
        (jvm.settings().progress)(&format!("window {at} of {WINDOWS}"));
        let label = format!("c{at}");
        let window = WindowSpec {
            label: &label,
            seconds: WINDOW_S,
            iterations: 1,
            rate_hz: None,
        };
        running.next_window(&label);
        let baseline = jvm.baseline();
        jvm.window(&window, &[baseline], &[0], &mut running)?;
    }
    let windows = running.finish(jvm.client_mut())?;
    jvm.stop();
    Ok(windows)
}

/// Share of each method over the windows, %; n: windows.
fn shares(windows: &[ProfiledWindow]) -> BTreeMap<String, Estimate> {
    let mut per_window: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (at, window) in windows.iter().enumerate() {
        let all = window.methods.values().sum::<f64>() + window.unattributed;
        for (id, weight) in &window.methods {
            let shares = per_window
                .entry(plain(&id.to_string()).to_owned())
                .or_insert_with(|| vec![0.0; windows.len()]);
            shares[at] += 100.0 * weight / all.max(1.0);
        }
    }
    per_window
        .into_iter()
        .filter_map(|(name, shares)| Some((name, mean_t(&shares)?.clamped(0.0, 100.0))))
        .collect()
}

/// A method without its descriptor: not every profiler has it.
fn plain(name: &str) -> &str {
    name.split_once('(').map_or(name, |(name, _)| name)
}

/// True share under Graal, %.
fn truth(judgement: &Judgement, method: &str) -> Option<f64> {
    let shares = judgement
        .shares
        .iter()
        .find(|shares| shares.method == method)?;
    let baseline = shares
        .by_condition
        .iter()
        .find(|share| share.condition == Condition::Baseline)?;
    baseline.truth_pct.map(|share| share.value)
}

fn note(judgement: &Judgement, under_c2: &BTreeMap<String, Estimate>) -> String {
    let mut methods: Vec<(&str, bool)> = Vec::new();
    for blame in &judgement.blames {
        for (method, too_much) in [(blame.to.as_str(), true), (blame.from.as_str(), false)] {
            if method != SEVERAL
                && method != UNATTRIBUTED
                && methods.iter().all(|(known, _)| *known != method)
            {
                methods.push((method, too_much));
            }
        }
    }
    let nothing = Estimate::around(0.0, 0.0, WINDOWS as u64);
    let said = methods.iter().take(NAMED).filter_map(|(method, too_much)| {
        let truth = truth(judgement, method)?;
        let share = under_c2.get(plain(method)).unwrap_or(&nothing);
        let same = if *too_much {
            share.wholly_above(truth)
        } else {
            share.wholly_below(truth)
        };
        let direction = if same {
            "off in the same direction"
        } else {
            "not off in the same direction"
        };
        Some(format!(
            "{} {:.0} % ({:.0} to {:.0}), true share under Graal {truth:.0} %: {direction}",
            plain(method),
            share.value,
            share.low,
            share.high
        ))
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return "under C2: nothing to compare, no single method is blamed wrongly".into();
    }
    format!(
        "under C2, whose code may truly spend its time otherwise: {}",
        said.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_profile::MethodId;

    #[test]
    fn shares_are_means_over_windows() {
        let window = |a: f64, b: f64| {
            let methods = BTreeMap::from([
                (MethodId::parse("x.Y.a()V").unwrap(), a),
                (MethodId::parse("x.Y.b()V").unwrap(), b),
            ]);
            ProfiledWindow {
                methods,
                ..ProfiledWindow::default()
            }
        };
        let shares = shares(&[window(90.0, 10.0), window(94.0, 6.0)]);
        assert!((shares["x.Y.a"].value - 92.0).abs() < 1e-9, "{shares:?}");
    }
}
