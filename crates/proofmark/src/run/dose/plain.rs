//! The program as it is: what its JVM says, and what sites at rest cost it.

use proofmark_jvm::LabError;
use proofmark_jvm::dose::{AgentReport, SitePlace, WantedSite};
use proofmark_stats::{Estimate, mean_t, pseudomedian};

use super::session::{Session, median_ns};
use super::tune::{Tuned, WARM};

/// The program as it is.
pub(super) struct Plain {
    pub(super) report: AgentReport,
    /// What sites cost at rest, % of an iteration.
    pub(super) rest_cost: Estimate,
    pub(super) version: String,
    pub(super) vendor: String,
}

/// Pairs of windows that tell what sites cost at rest.
const PAIRS: usize = 9;
const PAIR_S: f64 = 0.12;
/// Least iterations of such a window.
const LEAST: u32 = 2;

/// Runs the program as it is and with all sites at rest, in two JVMs that take turns, without a profiler; as often as
/// there are runs.
pub(super) fn plain(session: &Session<'_>, tuned: &[Tuned]) -> Result<Plain, LabError> {
    session.say("what sites cost at rest");
    let mut plain = once(session, tuned)?;
    let mut costs = vec![plain.rest_cost.value];
    for _ in 1..session.request.runs {
        costs.push(once(session, tuned)?.rest_cost.value);
    }
    if let Some(over_runs) = mean_t(&costs) {
        plain.rest_cost = over_runs;
    }
    Ok(plain)
}

fn once(session: &Session<'_>, tuned: &[Tuned]) -> Result<Plain, LabError> {
    let sites: Vec<WantedSite> = tuned.iter().map(|one| one.site.clone()).collect();
    let watched: Vec<WantedSite> = sites
        .iter()
        .map(|site| WantedSite {
            place: SitePlace::Watch,
            ..site.clone()
        })
        .collect();
    // Started here: a JVM ends with the thread that started it.
    let mut without = session.lab("plain", &watched, None)?;
    let mut with = session.lab("rest", &sites, None)?;
    let (cold, warmed) = std::thread::scope(|scope| {
        let warming = scope.spawn(|| with.warm_up(&WARM));
        (without.warm_up(&WARM), warming.join())
    });
    cold?;
    warmed.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let mut costs = Vec::with_capacity(PAIRS);
    for _ in 0..PAIRS {
        let plain = without.window(None, PAIR_S, LEAST, false)?;
        let rest = with.window(None, PAIR_S, LEAST, false)?;
        costs.push(100.0 * (median_ns(&rest) / median_ns(&plain) - 1.0));
    }
    let report = without.report();
    let hello = without.hello().clone();
    without.finish()?;
    with.finish()?;
    let nothing = || LabError::Unmeasurable("an iteration takes no time".into());
    Ok(Plain {
        report,
        rest_cost: pseudomedian(&costs).ok_or_else(nothing)?,
        version: hello.java_version,
        vendor: hello.vendor,
    })
}
