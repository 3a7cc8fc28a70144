//! Samples one thread by `perf_event_open` and says how far its samples can be trusted.
//!
//! [`probe`] finds the best event of this machine, [`ThreadSampler`] samples one thread with it. Nothing that was
//! missed is hidden: [`Loss`] belongs to every result.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "proofmark-sampler needs Linux on x86-64: perf_event_open, and victims in its machine code"
);

mod counter;
mod error;
mod event;
mod probe;
mod records;
mod ring;
mod settings;
mod thread_clock;
mod thread_sampler;

pub use error::SamplerError;
pub use event::Event;
pub use probe::{Probe, Rejected, probe};
pub use records::{Loss, Sample};
pub use settings::{OBSERVE_HZ, SEARCH_HZ, Settings};
pub use thread_sampler::ThreadSampler;
