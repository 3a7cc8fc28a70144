//! What is to be said beside the figures.

use proofmark_rules::NEAR_PT;

use super::{Clock, SpeedupResult};

/// Part of the program's time that cannot be slowed, from which on that is said, %.
const OUTSIDE_PCT: f64 = 5.0;

/// Remarks on a result, in sentences.
pub(super) fn of(result: &SpeedupResult) -> Vec<String> {
    let all = [
        other_command(result),
        not_slowed_alike(result),
        outside(result),
        concurrent(result),
    ];
    all.into_iter().flatten().collect()
}

fn other_command(result: &SpeedupResult) -> Option<String> {
    let made_with = &result.plan.workload;
    (*made_with != result.program).then(|| {
        format!(
            "the plan was made with another command ({made_with}); what it is off by in each block was measured there"
        )
    })
}

/// The plan does not do here what it did when it was evaluated.
fn not_slowed_alike(result: &SpeedupResult) -> Option<String> {
    let (slowed, target) = (result.slowed.cpu_pct?, result.plan.target_pct);
    let near = slowed.low <= target + NEAR_PT && slowed.high >= target - NEAR_PT;
    (!near).then(|| {
        format!(
            "the plan slows the program by {:.0} % here ({:.0} to {:.0}), where {target:.0} % is wanted: gains may be off; make \
             a plan with this command",
            slowed.value, slowed.low, slowed.high
        )
    })
}

fn outside(result: &SpeedupResult) -> Option<String> {
    let outside = result
        .plan
        .outside_pct
        .filter(|outside| *outside >= OUTSIDE_PCT)?;
    let aim = result.plan.aim_pct.unwrap_or(result.plan.target_pct);
    let too_large = 100.0 * ((100.0 + aim) / (100.0 + result.plan.target_pct) - 1.0);
    Some(format!(
        "{outside:.0} % of the time is in code without slots and is not slowed: gains (not what follows for no time at all) are \
         shown larger than they are, by {too_large:.0} % of themselves"
    ))
}

fn concurrent(result: &SpeedupResult) -> Option<String> {
    (result.clock == Clock::Wall).then(|| {
        "the program works in several threads or processes: gains are by the wall clock, which others on the machine disturb \
         more than CPU time; threads that share a core share what slowdown instructions use, and waiting for devices, timers \
         and other machines is not slowed"
            .to_owned()
    })
}
