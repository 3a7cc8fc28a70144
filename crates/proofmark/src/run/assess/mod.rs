//! `proofmark assess`: sites on the user's own JVM first, then the laboratory where it can be had.
//!
//! | module | what |
//! | --- | --- |
//! | `sites` | the test by dose, as a step of the run |
//! | `laboratory` | plan, windows and verdicts under Graal |
//! | `cost` | what all of it would cost |

mod cost;
mod laboratory;
mod sites;

use proofmark_experiment::assess::{AssessReport, Assessed, Part, replication};
use proofmark_experiment::divine::{DivineReport, Effort, Plan};
use proofmark_experiment::dose::{DoseResult, Replication};
use proofmark_jvm::toolchain::{Kit, Machine, Settings};
use proofmark_store::Run;

use crate::builds::Builds;
use crate::context::Context;
use crate::exit::{CANNOT, chain, code_of};
use crate::machine::Measured;
use crate::request::{AssessRequest, InLaboratory};
use crate::run::dose;
use crate::run::profilers::subjects;
use crate::session::{open_run, resumable};
use crate::surroundings::Surroundings;

pub use cost::{cost, possible};
pub(in crate::run) use laboratory::known_iteration_ms;

/// A finished assessment.
pub struct Finished {
    /// Verdicts, and what follows.
    pub report: AssessReport,
    /// What sites showed.
    pub dose: Part<DoseResult>,
    /// The plan that the laboratory used.
    pub plan: Option<Plan>,
    /// What is told of all its plans, one for each target.
    pub plans: Vec<DivineReport>,
    /// Where results go.
    pub ground: Ground,
}

/// What a finished assessment stands on.
pub enum Ground {
    /// A run with a laboratory on a calibrated machine.
    Laboratory(Box<Context>),
    /// A run with sites alone.
    Sites(Run),
}

impl Ground {
    /// The run.
    pub fn run(&mut self) -> &mut Run {
        match self {
            Self::Laboratory(context) => &mut context.session.run,
            Self::Sites(run) => run,
        }
    }
}

/// Builds of the program and of the JDK on which sites are tested, told without starting a JVM; that of the laboratory is not
/// known yet.
#[must_use]
pub fn builds(request: &AssessRequest, settings: &Settings) -> Builds {
    // An evaluation that judges no profiler tests no sites.
    let sites = request.sites.as_ref().ok();
    let sites = sites.filter(|_| !request.profilers.is_empty());
    let jdk = sites.and_then(|sites| dose::jdk(sites, settings));
    Builds::of(&request.program.workload, settings).on(jdk.as_ref())
}

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When nothing can be measured, or the laboratory cannot though it was insisted on.
pub fn run(
    request: &AssessRequest,
    effort: Effort,
    around: &Surroundings,
) -> anyhow::Result<Finished> {
    // What it lacks is said before minutes of measuring.
    let ready = ready(request, around)?;
    let laboratory = ready.as_ref().ok().map(|(kit, _)| &kit.jdk);
    let builds = builds(request, &around.toolchain).in_laboratory(laboratory);
    let mut run = open_run(&request.program, builds)?;
    if ready.is_ok() {
        laboratory::as_before(request, &run)?;
    }
    let place = run.directory().to_owned();
    let expected = AssessRequest {
        laboratory: match ready {
            Ok(_) => request.laboratory,
            Err(_) => InLaboratory::Never,
        },
        ..request.clone()
    };
    if let Ok(plan) = cost(&expected, effort) {
        around.progress.expect(plan.total_s());
    }
    let resumable = |error| resumable(error, &place);
    let alone = ready.is_err();
    let dose = sites::tested(request, &mut run, around, alone).map_err(resumable)?;
    let ready = match ready {
        Ok(ready) => ready,
        Err(why) => return Ok(Finished::of(request, dose, Err(why), Ground::Sites(run))),
    };
    let mut context = Context::of(ready, run, &request.program, around);
    let judged = laboratory::run(&mut context, request, effort);
    let ground = Ground::Laboratory(Box::new(context));
    let judged = match judged {
        Ok(judged) => Ok(judged),
        Err(error) if dose.is_ok() && may_lack(request, &error) => Err(in_a_line(&error)),
        Err(error) => return Err(resumable(error)),
    };
    Ok(Finished::of(request, dose, judged, ground))
}

impl Finished {
    fn of(
        request: &AssessRequest,
        dose: Part<DoseResult>,
        judged: Part<Assessed>,
        ground: Ground,
    ) -> Self {
        let machine = Machine::this().to_string();
        let program = request.program.workload.name();
        let profilers: Vec<String> = subjects(request).cloned().collect();
        let assessment = match &judged {
            Ok(judged) => Ok(judged.assessment.clone()),
            Err(why) => Err(why.clone()),
        };
        let report = AssessReport::of(&profilers, &dose, &assessment, (program, &machine));
        let replication = match &judged {
            Ok(_) => replication(request.runs),
            Err(_) => match &dose {
                Ok(sites) => sites.replication.clone(),
                Err(_) => Replication::of(1),
            },
        };
        let filler = match &ground {
            Ground::Laboratory(context) => context.slowdown.clone(),
            Ground::Sites(_) => None,
        };
        let (plan, plans, block_doses) = match judged {
            Ok(judged) => (Some(judged.plan), judged.plans, judged.block_doses),
            Err(_) => (None, Vec::new(), None),
        };
        Finished {
            report: report
                .with_block_doses(block_doses)
                .with_filler(filler)
                .with_replication(replication),
            dose,
            plan,
            plans,
            ground,
        }
    }
}

/// Toolchain and calibrated machine for a laboratory, or why there is none.
fn ready(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<Part<(Kit, Measured)>> {
    if request.laboratory == InLaboratory::Never {
        return Ok(Err("left out, as asked for (--no-laboratory)".into()));
    }
    match Context::ready(&request.program, around) {
        Ok(ready) => Ok(Ok(ready)),
        Err(error) if request.sites.is_ok() && may_lack(request, &error) => {
            let why = in_a_line(&error);
            around
                .progress
                .note(&format!("sites only, without the laboratory: {why}"));
            Ok(Err(why))
        }
        Err(error) => Err(error),
    }
}

/// The error and its causes without line ends: it stands in the middle of results.
fn in_a_line(error: &anyhow::Error) -> String {
    let text = chain(error);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("; ")
}

/// Whether an assessment goes on without the laboratory after this error.
fn may_lack(request: &AssessRequest, error: &anyhow::Error) -> bool {
    request.laboratory == InLaboratory::WhereItCan && code_of(error) == CANNOT
}
