//! The machine's probe.

use proofmark_sampler::{Probe, SamplerError, probe};

/// The probe, or `None` with a printed reason where perf is not permitted.
pub fn probe_or_skip() -> Option<Probe> {
    match probe() {
        Ok(probe) => Some(probe),
        Err(
            error @ (SamplerError::NotPermitted { .. }
            | SamplerError::NoSystemCall
            | SamplerError::NoEvent { .. }),
        ) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
