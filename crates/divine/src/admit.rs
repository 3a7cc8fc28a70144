//! What a search takes: settings within their ranges, rounds of one plan.

use crate::{Round, SearchError, Settings, Tunable};

/// Tunables that can be searched over, and settings within their ranges.
pub(crate) fn searchable(tunables: &[Tunable], settings: &Settings) -> Result<(), SearchError> {
    if tunables.is_empty() {
        return Err(SearchError::NoTunables);
    }
    let executed = |c: &&Tunable| {
        !(c.executions_per_iteration.is_finite() && c.executions_per_iteration > 0.0)
    };
    if let Some(tunable) = tunables.iter().find(executed) {
        return Err(SearchError::NeverExecuted {
            unit: tunable.unit.clone(),
            block: tunable.block,
        });
    }
    check(settings)
}

/// A round over so many tunables that can be used, every window on its side.
pub(crate) fn admitted(round: Round, tunables: usize) -> Result<Round, SearchError> {
    round
        .baseline
        .iter()
        .chain(&round.slowed)
        .try_for_each(|o| o.check(tunables))?;
    if !round.baseline.iter().any(|o| o.sampled) {
        return Err(SearchError::BadRound("no sampled baseline window"));
    }
    if round
        .baseline
        .iter()
        .any(|o| o.counts.iter().any(|&k| k > 0))
    {
        return Err(SearchError::BadRound(
            "a baseline window has counts above 0",
        ));
    }
    with_baseline_apart(round)
}

/// A round whose slowed windows have counts 0 is a second baseline; one with several plans is refused.
fn with_baseline_apart(mut round: Round) -> Result<Round, SearchError> {
    if let Some(first) = round.slowed.first() {
        if round.slowed.iter().any(|o| o.counts != first.counts) {
            return Err(SearchError::BadRound(
                "its slowed windows have different counts",
            ));
        }
        if first.counts.iter().all(|&k| k == 0) {
            round.baseline.append(&mut round.slowed);
        } else if !round.slowed.iter().any(|o| o.sampled) {
            return Err(SearchError::BadRound("no sampled slowed window"));
        }
    }
    Ok(round)
}

/// Settings within their ranges.
fn check(settings: &Settings) -> Result<(), SearchError> {
    let positive = |x: f64, name| {
        if x.is_finite() && x > 0.0 {
            Ok(())
        } else {
            Err(SearchError::BadSettings(name))
        }
    };
    positive(settings.target, "target")?;
    positive(settings.clock_ghz, "clock_ghz")?;
    positive(settings.prior.slope_cycles, "prior.slope_cycles")?;
    positive(settings.prior.slope_log_sd, "prior.slope_log_sd")?;
    positive(settings.prior.hinge_per_cycle, "prior.hinge_per_cycle")?;
    positive(settings.noise.window, "noise.window")?;
    positive(settings.noise.wander, "noise.wander")?;
    positive(settings.tolerance, "tolerance")?;
    positive(settings.total_tolerance, "total_tolerance")?;
    positive(f64::from(settings.max_plans), "max_plans")?;
    positive(f64::from(settings.max_rounds), "max_rounds")
}
