//! Plans for several targets in one laboratory. A later search begins with what the earlier ones have measured.

use super::apart::Apart;
use super::describe::describe;
use super::known::Known;
use super::{DivineReport, Effort, Journal, Plan, Request, divine, wanted};
use crate::ExperimentError;
use crate::assess::estimate::{ASSUMED_MS, prepare_s, round_s, target_s};
use crate::lab::{Insertion, Lab, LabError, Preparation};
use crate::session::{About, Session};

/// Plans as they are asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Slowdowns wanted, 1.0 is +100 %. Sets of blocks are chosen for the first one.
    pub targets: Vec<f64>,
    /// Slowdown instruction, and where in a block it goes.
    pub insertion: Insertion,
    /// How much is measured.
    pub effort: Effort,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
}

impl Series {
    /// The search for one of the targets.
    pub(super) fn request(&self, about: &About, target: f64, known: Option<Known>) -> Request {
        Request {
            target,
            clock_ghz: about.clock_ghz,
            prior: about.prior,
            insertion: self.insertion,
            effort: self.effort,
            seed: self.seed,
            known,
        }
    }
}

/// Divines the plans in a laboratory that is ready, going on from what the session's steps hold, and measures each in
/// processes of their own if that is asked for. `after` is called before
/// each search with its target and says what the run takes after it, s.
///
/// # Errors
/// When the laboratory fails or a round cannot be stored.
pub fn plans(
    session: &mut Session<'_>,
    lab: &mut dyn Lab,
    series: &Series,
    after: &dyn Fn(&Session<'_>, f64) -> f64,
) -> Result<Vec<Plan>, ExperimentError> {
    let round_s = round_s(&series.effort, lab.warm().iteration_ns / 1e6);
    let mut known = None;
    let mut found = Vec::new();
    for target in &series.targets {
        let after_s = after(session, *target);
        let (progress, about) = (session.progress, session.about);
        let request = series.request(about, *target, known.take());
        let cost = (round_s, after_s);
        let journal = Journal::new(session.steps, progress, *target, series.insertion, cost);
        let mut journal = journal.by(series.effort.kind);
        let one = divine(lab, &request, &mut journal, None, progress)?;
        let mut plan = describe(about, lab, *target, &one, &series.effort);
        if series.effort.fresh_jvms > 0 {
            let apart = Apart {
                main: &*lab,
                found: &one,
                series,
                target: *target,
            };
            plan.report.fresh = Some(apart.run(session)?);
        }
        found.push(plan);
        known = Some(one.known);
    }
    Ok(found)
}

/// Prepares the laboratory in which plans are divined: the units of searches that the session's steps hold are under control in it.
///
/// # Errors
/// When it cannot be prepared.
pub(super) fn laboratory(session: &Session<'_>) -> Result<Box<dyn Lab>, LabError> {
    session.labs.prepare(&Preparation {
        name: "divine".into(),
        wanted: wanted(session.steps),
        run: 0,
        profiler: None,
        filler: Some(session.about.filler),
    })
}

/// Prepares a laboratory, divines the plans in it and tells of them; the first one is kept.
///
/// # Errors
/// When a laboratory fails or something cannot be stored.
pub fn run_series(
    session: &mut Session<'_>,
    series: &Series,
) -> Result<Vec<DivineReport>, ExperimentError> {
    let targets = series.targets.len();
    let each_s = |at: usize| target_s(&series.effort, ASSUMED_MS, at > 0);
    let all_s: f64 = (0..targets).map(each_s).sum();
    session.progress.expect(prepare_s(ASSUMED_MS) + all_s);
    let mut lab = laboratory(session)?;
    let after = |session: &Session<'_>, target: f64| {
        session.progress.stage(&format!("+{:.0} %", 100.0 * target));
        let done = series.targets.iter().take_while(|one| **one != target);
        (1 + done.count()..targets).map(each_s).sum::<f64>()
    };
    let mut found = plans(session, &mut *lab, series, &after)?;
    lab.stop();
    if let Some(first) = found.first_mut() {
        session.plans.keep(first)?;
    }
    Ok(found.into_iter().map(|plan| plan.report).collect())
}
