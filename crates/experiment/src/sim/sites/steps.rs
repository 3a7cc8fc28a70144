//! How long the steps of a site's turn take.

use crate::dose::DoseKind;

/// Time of a multiplication that waits for the one before, ns.
pub(super) const STEP_NS: f64 = 1.0;

/// Time of a step of a site of this kind, ns: a copy takes twice as long as a multiplication, a call 32 times.
pub(super) fn step_ns(kind: DoseKind) -> f64 {
    let times = match kind {
        DoseKind::Arithmetic => 1.0,
        DoseKind::Copy | DoseKind::Fill => 2.0,
        DoseKind::Vector => 3.0,
        DoseKind::Allocate | DoseKind::Load => 4.0,
        DoseKind::Lock => 8.0,
        DoseKind::Call => 32.0,
    };
    times * STEP_NS
}
