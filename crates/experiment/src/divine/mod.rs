//! Divining: the search over a laboratory, its journal, and the evaluation of what it found.

mod apart;
mod baseline_profile;
mod describe;
mod effort;
mod fresh;
mod identity;
mod journal;
mod known;
mod modelled;
mod observe;
mod plan;
mod renumber;
mod report;
mod runs;
mod series;
mod verify;
mod winsorized;
mod work;

use proofmark_divine::{
    Evaluation, Outcome, POOL_STEPS, Prior, Round, Search, SearchError, SearchKind, Searching,
    Settings, Stepwise, Tunable, evaluate, evaluate_all,
};
use proofmark_rules::TOTAL_WANTED_PT;
use proofmark_stats::Estimate;

use crate::ExperimentError;
use crate::lab::{Filler, Insertion, Lab, Labs, Variant};
use crate::progress::Progress;
use crate::select::{SMALL_UNITS, Tunables};
use baseline_profile::BaselineProfile;
use identity::{TunableName, tunable_names};
use known::Known;
use modelled::static_costs;
use runs::{Runs, searching};
use work::Work;

pub use effort::{Effort, FURTHER_PLANS, ROUNDS};
pub use journal::{Journal, Tally, wanted};
pub use plan::{DivineRequest, FreshProfiles, Plan, run};
pub use series::{Series, plans, run_series};
pub(crate) use winsorized::iteration_ns;

pub use report::{
    Agreement, BlockRow, Compared, ComparedRow, CostFigures, CostMiss, CostModel, DIVINE_SCHEMA,
    DebugInfo, DivineReport, Excluded, FreshJvm, FreshResult, Resolved, Sampling, SetRow,
    StaticCost, UnitRow, Verification, WarmUp,
};

/// What a search is told.
pub struct Request {
    /// 1.0 is +100 %.
    pub target: f64,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// What is known about slowdown instructions.
    pub prior: Prior,
    /// The slowdown instruction and where it goes.
    pub insertion: Insertion,
    /// How much is measured.
    pub effort: Effort,
    /// Seed.
    pub seed: u64,
    /// What a search for another target measured in the same process; none if there was none.
    pub known: Option<Known>,
}

/// A finished search with its evaluation.
pub struct Divined {
    /// The tunables.
    pub tunables: Tunables,
    /// What the search found.
    pub outcome: Outcome,
    /// What fresh windows say about it.
    pub evaluation: Evaluation,
    /// What static cost models say of the judged blocks, beside the same windows.
    pub costs: Vec<StaticCost>,
    /// The slowdown instruction.
    pub filler: Filler,
    /// The code of the plan.
    pub variant: Variant,
    /// Samples taken in all windows.
    pub samples: u64,
    /// Samples that were lost in all windows.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
    /// Windows that were repeated because the VM replaced code.
    pub repeats: usize,
    /// Overhead of the last plan that was evaluated before this one and found off, %; its rounds went to the search.
    pub rejected: Option<Estimate>,
    /// Wall time of search and evaluation, in interrupted processes too, s.
    pub wall_s: f64,
    /// Wall time until the search's last round was measured, s.
    pub search_s: f64,
    /// What a search for another target can begin with.
    pub known: Known,
}

/// Searches and evaluates, going on from what the journal holds, and keeping there what is measured; with `fresh`,
/// every window after the baseline profile is in a process of its own.
///
/// # Errors
/// When the laboratory fails or a round cannot be stored.
pub fn divine(
    lab: &mut dyn Lab,
    request: &Request,
    journal: &mut Journal<'_>,
    fresh: Option<&dyn Labs>,
    progress: &dyn Progress,
) -> Result<Divined, ExperimentError> {
    let mut runs = Runs {
        lab,
        request,
        progress,
        tally: Tally::default(),
        fresh,
    };
    let profile = baseline(&mut runs, journal)?;
    let tunables = runs.choose(&profile);
    let names = tunable_names(runs.lab, &tunables);
    let known = request.known.as_ref();
    let further = known.is_some_and(|known| !known.rounds(&names).is_empty());
    let settings = settings(request, further, fresh.is_some());
    let mut search = search_of(request, &tunables, &names, settings)?;
    let search = &mut *search;
    let lengths = searching(&profile, &tunables, &request.effort);
    let mut work = Work {
        runs,
        journal,
        tunables: &tunables,
        variants: Vec::new(),
        searched_s: 0.0,
        further,
    };
    let rejected = work.resume(search)?;
    let judge = match fresh {
        Some(_) => evaluate_all,
        None => evaluate,
    };
    let judged =
        |rounds: &[Round]| judge(tunables.as_slice(), rounds, request.target, request.seed);
    let mut rejected = match rejected.len() {
        0 | 1 => None,
        _ => Some(judged(&rejected)?.overhead_pct),
    };
    let (outcome, evaluation, rounds) = loop {
        let outcome = work.search(search, lengths)?;
        let (rounds, evaluation) = evaluated(&mut work, search, &outcome, &judged)?;
        let miss = evaluation.overhead_pct.value - 100.0 * request.target;
        let search_on = request.effort.search_on && search.may_go_on() && !work.is_late();
        // Taking a plan because its evaluation is near the target leaves a bias, which is bounded: of the plans that are truly
        // off by the limit each evaluation, three at most, takes half, and then they look better than they are by less than
        // one standard error of the evaluation (half a point on a quiet machine, up to 2.5 on a busy one).
        if miss.abs() <= TOTAL_WANTED_PT || !search_on {
            break (outcome, evaluation, rounds);
        }
        rejected = Some(evaluation.overhead_pct);
        work.reject(search, rounds)?;
    };
    let costs = static_costs(
        work.runs.lab,
        &tunables,
        &evaluation,
        (&rounds, request.seed),
    );
    let variant = work.variant(&outcome.counts)?;
    let Tally {
        samples,
        lost,
        throttled,
        repeats,
        ..
    } = work.runs.tally;
    let (wall_s, search_s) = (work.journal.spent_s(), work.searched_s);
    let known = Known::new(request, profile, names, search.rounds());
    Ok(Divined {
        known,
        search_s,
        filler: request.insertion.filler,
        tunables,
        outcome,
        evaluation,
        costs,
        variant,
        samples,
        lost,
        throttled,
        repeats,
        rejected,
        wall_s,
    })
}

/// The baseline profile: the journal's, that of the searches before, or a new one, which the journal then holds.
fn baseline(
    runs: &mut Runs<'_>,
    journal: &mut Journal<'_>,
) -> Result<BaselineProfile, ExperimentError> {
    if let Some(profile) = journal.baseline_profile(runs.lab) {
        return Ok(profile);
    }
    let profile = match &runs.request.known {
        Some(known) => known.profile.clone(),
        None => runs.baseline_profile()?,
    };
    journal.begin(&profile)?;
    Ok(profile)
}

/// The search that is asked for. The published one begins anew with every target.
fn search_of(
    request: &Request,
    tunables: &Tunables,
    names: &[TunableName],
    settings: Settings,
) -> Result<Box<dyn Searching>, SearchError> {
    let own = tunables.as_slice().to_vec();
    match request.effort.kind {
        SearchKind::Model => {
            let known = request.known.as_ref();
            let before = known.map_or_else(Vec::new, |known| known.rounds(names));
            Ok(Box::new(Search::knowing(own, settings, &before)?))
        }
        SearchKind::Stepwise => {
            let scale = |at| tunables.judged_block(at).map_or(POOL_STEPS, |_| 1);
            let scales = (0..own.len()).map(scale).collect();
            let own = own.into_iter().zip(names);
            let own = own
                .map(|(tunable, name)| of_its_unit(tunable, name))
                .collect();
            Ok(Box::new(Stepwise::new(own, settings, scales)?))
        }
    }
}

/// A tunable with blocks of several units belongs to none of them, so that in every process it is searched at the same time.
fn of_its_unit(mut tunable: Tunable, name: &TunableName) -> Tunable {
    let mut units = name.iter().map(|(unit, _)| unit);
    let first = units.next();
    if units.any(|unit| Some(unit) != first) {
        tunable.unit = SMALL_UNITS.to_owned();
    }
    tunable
}

fn settings(request: &Request, further: bool, across_processes: bool) -> Settings {
    let most_plans = request.effort.plans(further);
    Settings {
        target: request.target,
        clock_ghz: request.clock_ghz,
        prior: request.prior,
        seed: request.seed,
        across_processes,
        max_plans: most_plans,
        max_rounds: 2 * most_plans - 2,
        ..Settings::default()
    }
}

/// Rounds of the plan, and what they say of it. Where the machine is disturbed in much of the time some more are measured:
/// that is told from the times of either side, not from their ratio.
fn evaluated(
    work: &mut Work<'_, '_>,
    search: &dyn Searching,
    outcome: &Outcome,
    judged: &dyn Fn(&[Round]) -> Result<Evaluation, SearchError>,
) -> Result<(Vec<Round>, Evaluation), ExperimentError> {
    /// Part of the pairs that may be disturbed, and rounds that may be added.
    const DISTURBED: f64 = 0.4;
    const MORE: u32 = 3;
    let usual = work.runs.request.effort.evaluation_rounds;
    let mut wanted = usual;
    let mut rounds = work.evaluated(search, outcome)?;
    loop {
        work.evaluate(outcome, &mut rounds, wanted)?;
        let evaluation = judged(&rounds)?;
        if evaluation.disturbed_part() <= DISTURBED || wanted >= usual + MORE {
            return Ok((rounds, evaluation));
        }
        wanted += 1;
    }
}
