//! The machine's probe.

use proofmark_sampler::{Probe, SamplerError, probe};
use proofmark_test_support::{Need, need};

/// The probe, or `None` with a printed reason where perf is not permitted.
pub fn probe_or_skip() -> Option<Probe> {
    match probe() {
        Err(
            error @ (SamplerError::NotPermitted { .. }
            | SamplerError::NoSystemCall
            | SamplerError::NoEvent { .. }),
        ) => need(Need::Perf, Err(error)),
        found => Some(found.unwrap()),
    }
}
