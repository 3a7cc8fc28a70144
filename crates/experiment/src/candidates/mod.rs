//! Which inserted instruction makes a program slower reliably?
//!
//! Every candidate, an instruction and where in a block it goes, answers four questions on the same program in the same
//! process: what it costs and how much of it is free ([`Response`]), how near a search for the same slowdown of every
//! block comes with it, how the slowdown is spread over the blocks, and whether a profiler still shows the same profile.

mod choice;
mod report;
mod response;
mod view;

pub use choice::{Chooser, DivineAnswer, Slowdown};
pub use report::{
    CANDIDATES_SCHEMA, CandidateRow, CandidatesReport, MethodView, Response, TimeWithin, View,
};

use proofmark_divine::{Prior, SearchKind};

use crate::ExperimentError;
use crate::assess::estimate::{ASSUMED_MS, divine_s, prepare_s};
use crate::divine::{Effort, FURTHER_PLANS, Journal, Request, divine};
use crate::lab::{Filler, Insertion, InsertionPoint, Lab, Preparation};
use crate::session::Session;
use crate::steps;

/// What is to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidatesRequest {
    /// Slowdown wanted of every block, 1.0 is +100 %.
    pub target: f64,
    /// The candidates, in their order.
    pub candidates: Vec<Insertion>,
    /// Profiler that looks at the program as it is and slowed; none: nobody looks.
    pub profiler: Option<String>,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
}

/// The published candidates, newer ones, and both finest ones at the start and at the end of blocks.
#[must_use]
pub fn usual() -> Vec<Insertion> {
    use Filler::{Lea, Long, Mov, Nop, Nop9, Pause, PushPop, Sfence};
    let spread = [Nop, Mov, Lea, Nop9, PushPop, Sfence, Long, Pause];
    let at = |at: InsertionPoint| move |filler: Filler| Insertion { filler, at };
    let ends = [InsertionPoint::Start, InsertionPoint::End];
    let ends = ends.into_iter().flat_map(|point| [Nop, Mov].map(at(point)));
    (spread.map(at(InsertionPoint::Spread)).into_iter())
        .chain(ends)
        .collect()
}

/// Searches are shorter than usual: candidates are compared with each other.
const EFFORT: Effort = Effort {
    rate_hz: 8000.0,
    watched_s: 4.0,
    unwatched_s: 2.0,
    placement_s: 0.12,
    evaluation_rounds: 4,
    search_on: false,
    search_unwatched: 0.8,
    most_plans: 8,
    further_plans: FURTHER_PLANS,
    kind: SearchKind::Model,
    most_search_s: f64::INFINITY,
    fresh_jvms: 0,
};
/// Windows of response and profiler, compiling included, s.
const BESIDE_S: f64 = 20.0;

/// Measures every candidate; those that the session's steps hold are taken from there.
///
/// # Errors
/// When no process can be prepared, or a result cannot be kept. What a candidate does to the process is a result.
pub fn run(
    session: &mut Session<'_>,
    request: &CandidatesRequest,
) -> Result<CandidatesReport, ExperimentError> {
    let mut open: Option<Box<dyn Lab>> = None;
    let mut rows: Vec<CandidateRow> = Vec::new();
    let each_s = divine_s(&EFFORT, ASSUMED_MS) + BESIDE_S;
    for (at, insertion) in request.candidates.iter().enumerate() {
        let left = (request.candidates.len() - at) as f64;
        let step = step_name(request, *insertion);
        let before = session.progress.elapsed_s();
        if let Some(row) = steps::result_of::<CandidateRow>(session.steps, &step)? {
            rows.push(row);
            continue;
        }
        session.progress.stage(&words(*insertion));
        session
            .progress
            .expect(prepare_s(ASSUMED_MS) + left * each_s);
        let mut lab = match open.take() {
            Some(lab) => lab,
            None => session.labs.prepare(&Preparation {
                name: format!("candidates-{at}"),
                run: 0,
                wanted: Vec::new(),
                profiler: request.profiler.clone(),
                filler: Some(insertion.filler),
            })?,
        };
        let mut row = match measured(session, &mut *lab, request, *insertion) {
            Ok(row) => {
                open = Some(lab);
                row
            }
            Err(ExperimentError::Lab(error)) if error.failure.is_the_processes_own() => {
                lab.stop();
                CandidateRow::failed(*insertion, &error.to_string())
            }
            Err(error) => {
                lab.stop();
                return Err(error);
            }
        };
        row.wall_s = session.progress.elapsed_s() - before;
        steps::finish(session.steps, &step, &row)?;
        rows.push(row);
    }
    if let Some(lab) = open {
        lab.stop();
    }
    Ok(CandidatesReport::of(session.about, request, rows))
}

/// One candidate in a process that is ready.
fn measured(
    session: &Session<'_>,
    lab: &mut dyn Lab,
    request: &CandidatesRequest,
    insertion: Insertion,
) -> Result<CandidateRow, ExperimentError> {
    let progress = session.progress;
    progress.step("what it costs");
    let response = response::response(lab, insertion, session.about.clock_ghz)?;
    let asked = Request {
        target: request.target,
        clock_ghz: session.about.clock_ghz,
        prior: prior(&response, session.about.prior),
        insertion,
        effort: EFFORT,
        seed: request.seed,
        known: None,
    };
    let found = divine(lab, &asked, &mut Journal::none(progress), None, progress)?;
    let view = match &request.profiler {
        Some(name) => {
            progress.step(&format!("{name} looks"));
            let files = format!("{name}.files/{}", words(insertion).replace(' ', "-"));
            Some(view::view(lab, &found.variant, (name, &files))?)
        }
        None => None,
    };
    let row = CandidateRow::of(insertion, response, &found, view);
    lab.forget(&found.variant)?;
    Ok(row)
}

/// What the search expects: as measured, where that says something.
fn prior(response: &Response, usual: Prior) -> Prior {
    let slope = response.cycles_per_instruction;
    match slope {
        Some(slope) if slope.low > 0.0 => Prior {
            slope_cycles: slope.value,
            ..usual
        },
        _ => usual,
    }
}

fn step_name(request: &CandidatesRequest, insertion: Insertion) -> String {
    let profiler = request.profiler.as_deref().unwrap_or("nobody");
    let pct = 100.0 * request.target;
    format!("candidate {} +{pct:.0} % {profiler}", words(insertion))
}

/// `mov spread`
fn words(insertion: Insertion) -> String {
    format!("{} {}", insertion.filler.name(), insertion.at.name())
}
