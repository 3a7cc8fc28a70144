//! Which slowdown instruction a run takes: the one that was asked for, the one with which the run began, the one that
//! `candidates` recommended on this machine, or the one that its calibration suggests.

use proofmark_experiment::candidates::{Chooser, Slowdown};
use proofmark_experiment::lab::Filler;
use proofmark_store::Step;

use crate::context::Context;

/// Step with the instruction of a run.
const STEP: &str = "filler";

/// Chooses the slowdown instruction of a run, keeps the choice in it, and says so where `candidates` made it.
///
/// # Errors
/// When the run cannot be read or written, or nothing can be sampled here.
pub fn chosen(context: &mut Context, asked: Option<Filler>) -> anyhow::Result<Filler> {
    let before: Option<Slowdown> = context.session.run.result_of(STEP)?;
    let usual = context.measured.filler();
    let slowdown = match asked {
        Some(filler) => Slowdown::of(filler, Chooser::User),
        None => match begun_with(before.as_ref(), context.session.run.steps(), usual) {
            Some(begun) => begun,
            None => recommended(context)?,
        },
    };
    if slowdown.chosen_by == Chooser::Candidates {
        context.session.progress.note(&format!(
            "slowdown instruction: {slowdown}; --filler takes another"
        ));
    }
    let filler = slowdown.filler().unwrap_or(usual);
    taken(context, before.as_ref(), slowdown)?;
    Ok(filler)
}

/// The instruction that a plan counts, kept in the run.
///
/// # Errors
/// When the run cannot be read or written.
pub fn of_plan(context: &mut Context, filler: Filler) -> anyhow::Result<Filler> {
    let before = context.session.run.result_of(STEP)?;
    let slowdown = Slowdown::of(filler, Chooser::Plan);
    taken(context, before.as_ref(), slowdown)?;
    Ok(filler)
}

/// What the run goes on with: results of one instruction are never taken for those of another.
fn begun_with(before: Option<&Slowdown>, steps: &[Step], usual: Filler) -> Option<Slowdown> {
    // What was asked for then is asked for again, or is not meant any more.
    let chosen =
        |one: &&Slowdown| matches!(one.chosen_by, Chooser::Calibration | Chooser::Candidates);
    let known = before.filter(chosen).filter(|one| one.filler().is_some());
    let measured = |step: &Step| step.name.starts_with("search ") || step.name == "laboratory";
    let of_earlier_version = before.is_none() && steps.iter().any(measured);
    let earlier = || Slowdown::of(usual, Chooser::Calibration);
    known.cloned().or(of_earlier_version.then(earlier))
}

fn recommended(context: &Context) -> anyhow::Result<Slowdown> {
    let cache = context.session.toolchain.cache.as_deref();
    let found = context
        .measured
        .recommended(cache, &context.session.progress)?;
    Ok(match found {
        Some(found) => Slowdown::recommended(found.filler, &found.on, &found.with),
        None => Slowdown::of(context.measured.filler(), Chooser::Calibration),
    })
}

/// Keeps the choice, if it is not the one that is kept.
fn taken(
    context: &mut Context,
    before: Option<&Slowdown>,
    slowdown: Slowdown,
) -> anyhow::Result<()> {
    if before != Some(&slowdown) {
        context.session.run.finish_step(STEP, &slowdown)?;
    }
    context.slowdown = Some(slowdown);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(names: &[&str]) -> Vec<Step> {
        let step = |name: &&str| Step {
            name: (*name).to_owned(),
            result: serde_json::Value::Null,
        };
        names.iter().map(step).collect()
    }

    #[test]
    fn a_run_goes_on_with_the_instruction_with_which_it_began() {
        let with = |before: Option<Slowdown>, names: &[&str]| {
            let begun = begun_with(before.as_ref(), &steps(names), Filler::Mov);
            begun.map(|begun| begun.instruction)
        };
        let search = ["search +100.0 % Mov Spread"];
        assert_eq!(with(None, &[]), None, "a new run");
        assert_eq!(with(None, &["dose"]), None, "nothing was slowed yet");
        assert_eq!(with(None, &search).as_deref(), Some("mov"));
        let lea = Slowdown::recommended(Filler::Lea, "2026-11-23", "Towers");
        assert_eq!(with(Some(lea), &search).as_deref(), Some("lea"));
        let asked = Slowdown::of(Filler::Lea, Chooser::User);
        assert_eq!(with(Some(asked), &search), None, "not asked for any more");
    }
}
