//! Causes that can move shares in one direction only: samples that are missing, and samples that are too many.
//!
//! Of the whole time a profiler that only loses samples shows no method more than it has, and one that only adds time from
//! elsewhere shows none less. That is tested method by method, intervals and what source positions leave open excused;
//! and the amount must do: what is lost or added must be as much as the least error that has to be explained.

use super::{Case, Cause, CauseKind};
use crate::deviation::View;
use crate::{Condition, ProfilerEvidence, ProfilerWindow};
use proofmark_stats::Confidence;

/// Time outside of compiled methods that the profiler shows in Java methods.
pub(super) fn stubs(case: &Case<'_>) -> Option<Cause> {
    let error = case.wrong()?;
    let view = View::of(case.p, Condition::Baseline)?;
    let outside = view.truth.outside;
    let java = of(case.p, |w| w.methods.iter().sum::<f64>() + w.unattributed);
    let native = of(case.p, |w| w.native);
    let native = native / (native + java);
    let enough = 100.0 * (outside - native) / (1.0 - native) >= error.error_pt.low;
    let none_less = holds(case, &view, (1.0 - native, 1.0 - outside), -1.0);
    (enough && none_less).then(|| {
        let says = format!(
            "code outside of compiled methods: time in the VM's stubs and in native code may be what is shown in Java methods too much ({:.0} % of the time, of which it shows {:.0} % as native)",
            100.0 * outside,
            100.0 * native
        );
        Cause::new(CauseKind::Stubs, says)
    })
}

/// Samples that the profiler says it lost.
pub(super) fn lost(case: &Case<'_>) -> Option<Cause> {
    let error = case.wrong()?;
    let view = View::of(case.p, Condition::Baseline)?;
    let java = of(case.p, |w| w.methods.iter().sum::<f64>() + w.unattributed);
    let lost = of(case.p, |w| w.lost);
    let lost = lost / (lost + java);
    let enough = 100.0 * lost >= error.error_pt.low;
    let none_more = holds(case, &view, (1.0 - lost, 1.0), 1.0);
    (enough && none_more).then(|| {
        let says = format!(
            "lost samples ({:.0} % of them: enough to make up for what is missing)",
            100.0 * lost
        );
        Cause::new(CauseKind::LostSamples, says)
    })
}

/// Sum over unslowed windows.
fn of(p: &ProfilerEvidence, weight: impl Fn(&ProfilerWindow) -> f64) -> f64 {
    let windows = p.windows.iter();
    let unslowed = windows.filter(|w| w.at.condition == Condition::Baseline);
    unslowed.map(weight).sum()
}

/// Whether no compared method has more (`sign` 1) or less (-1) in the profile than in truth, when shares are parts (0 to 1)
/// of the whole: `parts` of it are in the profiler's and in our shares.
fn holds(case: &Case<'_>, view: &View, parts: (f64, f64), sign: f64) -> bool {
    let compared = view.methods_from(case.settings.judged_share_pct());
    let together = Confidence::P95.simultaneous(compared.len());
    compared.iter().all(|m| {
        let (seen, real) = (&view.profiler.shares[*m], &view.truth.side.shares[*m]);
        let spread = seen.spread.times(parts.0).plus(&real.spread.times(parts.1));
        let open = view.truth.reach[*m];
        let slack = spread.half_width(together) + open.below.max(open.above) + open.border;
        sign * (parts.0 * seen.share - parts.1 * real.share) <= slack
    })
}
