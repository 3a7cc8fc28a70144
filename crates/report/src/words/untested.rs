//! Hot methods to which no time was added.

use std::collections::BTreeMap;

use proofmark_experiment::dose::DoseResult;
use proofmark_rules::DOSE_HOT_PCT;

use super::has_row;

/// Methods without a row of which a profiler shows that they have a tenth of the program's time at rest, or of the Java time of the
/// program as it is, where profiles were found to differ about them; the largest share first. Only those that are not
/// listed as tested, and whose share at rest a profiler tells.
pub(crate) fn untested(result: &DoseResult) -> Vec<&str> {
    let all = || result.attribution.values();
    let at_rest = all().flat_map(|one| &one.shares_pct);
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    for (method, share) in at_rest {
        let most = shares.entry(method.as_str()).or_insert(share.value);
        *most = most.max(share.value);
    }
    let compared = all().flat_map(|one| &one.profile);
    for method in compared.flat_map(|check| &check.methods) {
        if let Some(most) = shares.get_mut(method.method.as_str()) {
            let shown = method.reported_pct.value.max(method.known_pct.value);
            *most = most.max(shown);
        }
    }
    let listed = |method: &str| result.methods.iter().any(|one| one.name == method);
    let hot = shares.into_iter().filter(|&(method, share)| {
        share >= DOSE_HOT_PCT && !listed(method) && !has_row(result, method)
    });
    let mut hot: Vec<(&str, f64)> = hot.collect();
    hot.sort_by(|a, b| b.1.total_cmp(&a.1));
    hot.into_iter().map(|(method, _)| method).collect()
}
