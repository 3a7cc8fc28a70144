//! `proofmark divine`: a plan for a JVM under Graal.

use proofmark_experiment::divine::{self, DivineRequest as Divining, Plan};

use proofmark_experiment::lab::Insertion;

use super::plan_files::PlanFiles;
use super::slowdown;
use crate::context::Context;
use crate::request::DivineRequest;

/// Divines a plan and writes it.
///
/// # Errors
/// When the laboratory fails.
pub fn run(context: &mut Context, asked: &DivineRequest) -> anyhow::Result<Plan> {
    let filler = slowdown::chosen(context, asked.filler)?;
    let insertion = Insertion {
        filler,
        at: asked.insertion_point,
    };
    let request = Divining {
        target: asked.target_pct / 100.0,
        insertion,
        seed: asked.program.seed,
        verify: asked.verify,
        fresh: asked.fresh,
        effort: asked.search.effort(),
    };
    let path = asked.output.clone();
    let path = path.unwrap_or_else(|| context.session.file("plan.json"));
    let mut plans = PlanFiles::at(path, context);
    let labs = context.labs(Vec::new());
    let about = context.about(filler);
    let mut session = context.experiment(&labs, &about, &mut plans);
    Ok(divine::run(&mut session, &request)?)
}
