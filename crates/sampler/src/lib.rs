//! Samples one thread by `perf_event_open` and says how far its samples can be trusted.
//!
//! [`probe`] finds the best event of this machine, [`ThreadSampler`] samples one thread with it, and [`calibrate`] runs machine code of
//! known answer to find out what a sampled address stands for, what a sample costs and what an inserted instruction costs.
//! Nothing that was missed is hidden: [`Loss`] belongs to every result.
//!
//! ```no_run
//! use proofmark_sampler::{Loss, Settings, ThreadSampler, probe};
//!
//! # fn main() -> Result<(), proofmark_sampler::SamplerError> {
//! let probe = probe()?;
//! let mut sampler = ThreadSampler::open(4711, &Settings::search(&probe))?;
//! let (mut samples, mut loss) = (Vec::new(), Loss::default());
//! sampler.enable()?;
//! while !sampler.ended() {
//!     std::thread::sleep(std::time::Duration::from_millis(100));
//!     loss += sampler.drain(&mut samples)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Accuracy
//! Measured on one machine: Emerald Rapids (model 207/2), 2 virtual CPUs under Firecracker, shared with other work, Linux 6.18, event
//! `cpu-clock:u`, core clock 3.49 GHz. `cargo run --release -p proofmark-sampler --example accuracy` measures them anew.
//!
//! *Cost*, from 150 interleaved pairs of 40-ms stretches per rate, medians with 95 % intervals; nothing lost or throttled:
//!
//! | rate, Hz | slowdown, % | us per sample | samples |
//! | ---: | ---: | ---: | ---: |
//! | 400 | 0.75 (0.68 to 0.92) | 18.7 (16.7 to 22.5) | 2 451 |
//! | 500 | 0.86 (0.74 to 0.95) | 16.9 (14.6 to 19.0) | 3 084 |
//! | 1 000 | 1.98 (1.78 to 2.18) | 19.6 (17.5 to 21.2) | 6 033 |
//! | 5 000 | 9.12 (8.89 to 9.27) | 16.7 (16.2 to 16.9) | 33 223 |
//! | 10 000 | 20.12 (19.85 to 20.31) | 16.7 (16.5 to 17.0) | 72 984 |
//!
//! So [`OBSERVE_HZ`] stays below 1 %, 1 000 Hz does not. This is a loop without memory accesses: real programs lose caches as well (20 to 30 us
//! per sample were measured elsewhere). Switching on costs another 20 us or so.
//!
//! *Skid* is one instruction: with 75 742 samples, none on a division, 26.5 % on the instruction after it, in the next block (24 % expected from
//! the loop's length; the rest is the time by which the result is ahead of its retirement). In a chain of `imul` (3 cycles) and `add` (1) the
//! `add`s get about 70 %, where pure skid would give 75: single instructions are wrong by up to 0.8 cycles.
//!
//! *Shares* of three blocks of 8 cycles, 73 282 samples: 32.6, 34.0 and 33.4 % after correction (standard error 0.17). Uncorrected the first has 20.7 %.
//! With blocks of 4, 4 and 8 cycles the largest error was 2 points: do not believe shares of blocks below about 8 cycles to better than that.
//!
//! *Slopes*, 15 rounds, cycles per instruction and free instructions: rotated `mov` 0.203 and 19.5 (latency-bound), 0.197 and 0 (ALU-saturated);
//! two-byte `nop` 0.175 and 31.5, 0.191 and 4.75. The `nop`'s points lie up to 0.4 cycles off its hinge, those of the `mov` up to 0.15.
//!
//! *Not measured*: hardware cycles (no machine at hand has them), other processors, more than one sampled thread at a time.
//! A sample that the timer skipped, because the virtual machine did not run, is not counted as lost by the kernel and so not by us.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "proofmark-sampler needs Linux on x86-64: perf_event_open, and victims in its machine code"
);

mod calibrate;
mod counter;
mod error;
mod event;
mod probe;
mod records;
mod ring;
mod settings;
mod thread_clock;
mod thread_sampler;

pub use calibrate::{
    BlockShare, Bound, Calibration, CostFinding, SharesFinding, Skid, SkidFinding, Slope,
    SlowdownInstruction, Victims, calibrate, measure_cost,
};
pub use error::SamplerError;
pub use event::Event;
pub use probe::{Probe, Rejected, probe};
pub use records::{Loss, Sample};
pub use settings::{OBSERVE_HZ, SEARCH_HZ, Settings};
pub use thread_sampler::ThreadSampler;
