//! What fresh JVMs say about a plan.

use crate::names::{clean, readable};
use crate::number::{count, fixed, signed_percent};
use proofmark_experiment::divine::Verification;

/// One paragraph for all JVMs, one for each that differs.
pub(super) fn verified(found: &Verification) -> Vec<String> {
    let mut line = format!("in {}", count(found.jvms.len() as u64, "fresh JVM"));
    match (&found.overhead_pct, found.spread_pt) {
        (Some(mean), Some(spread)) => {
            line.push_str(&format!(
                ": program {}, {} points between them (standard deviation)",
                signed_percent(mean),
                fixed(spread, 1)
            ));
        }
        _ => {
            if let Some(only) = found.jvms.iter().find_map(|jvm| jvm.overhead_pct) {
                line.push_str(&format!(": program {}", signed_percent(&only)));
            }
        }
    }
    match found.agrees {
        Some(true) => line.push_str(", within 2 standard errors of the laboratory's"),
        Some(false) => line.push_str(", not within 2 standard errors of the laboratory's"),
        None => {}
    }
    if let Some(least) = found.least_same_code_pct() {
        line.push_str(&format!(
            "; same code in at least {} % of the plan's time",
            fixed(least, 1)
        ));
    }
    let mut lines = vec![line];
    for (at, jvm) in found.jvms.iter().enumerate() {
        lines.extend(jvm.refused.iter().map(|refused| {
            let refused = clean(&readable(refused));
            format!("note: fresh JVM {}: not slowed: {refused}", at + 1)
        }));
    }
    lines
}
