//! Samples one thread by `perf_event_open` and says how far its samples can be trusted.
//!
//! [`probe`] finds the best event of this machine, [`ThreadSampler`] samples one thread with it, and [`calibrate`] runs machine code of
//! known answer to find out what a sampled address stands for, what a sample costs and what an inserted instruction costs.
//! Nothing that was missed is hidden: [`Loss`] belongs to every result.
//!
//! ```no_run
//! use proofmark_sampler::{Settings, ThreadSampler, probe};
//!
//! # fn main() -> Result<(), proofmark_sampler::SamplerError> {
//! let probe = probe()?;
//! let mut sampler = ThreadSampler::open(4711, &Settings::search(&probe))?;
//! let mut samples = Vec::new();
//! sampler.enable()?;
//! std::thread::sleep(std::time::Duration::from_millis(100));
//! let loss = sampler.drain(&mut samples)?;
//! println!("{} samples, {} lost", samples.len(), loss.lost);
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
//! So 500 Hz stays below 1 %, 1 000 Hz does not. This is a loop without memory accesses: real programs lose caches as well (20 to 30 us
//! per sample were measured elsewhere). Switching on costs another 20 us or so.
//!
//! *Border*: what samples mean, and what is left at the border between two blocks, from thirteen victims of known length. AMD Zen 4 (virtual,
//! beside builds), four calibrations of 78 000 samples: pairs each time, 1.2 to 1.5 cycles (intervals 0.9 to 2.5). Samples recorded on AMD Zen 5:
//! pairs, 2.5 cycles (`tests/recorded.rs`). On Emerald Rapids the rule of the next instruction held with the first version's two victims (three blocks of
//! 8 cycles: 32.6, 34.0 and 33.4 % of 73 282 samples; a division's time wholly on the instruction behind it); its border was not measured.
//!
//! *Slopes*, 15 rounds, cycles per instruction and free instructions: rotated `mov` 0.203 and 19.5 (latency-bound), 0.197 and 0 (ALU-saturated);
//! two-byte `nop` 0.175 and 31.5, 0.191 and 4.75. On AMD Zen 4 0.167 and 32.4, 0.165 and 3; `nop` 0.079 and 62.6, 0.082 and 6.4; no fusing. The `nop`'s points lie up to 0.4 cycles off its hinge, those of the `mov` up to 0.15.
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
    BorderFinding, Bound, CALIBRATION_METHOD, Calibration, CostFinding, Fusing, Recorded,
    RecordedBlock, RuleError, Skid, Slope, SlowdownInstruction, VictimError, Victims, border_of,
    calibrate, choose_event, measure_cost, record,
};
pub use error::SamplerError;
pub use event::Event;
pub use probe::{Probe, Rejected, probe};
pub use records::{Loss, Sample};
pub use settings::{SEARCH_HZ, Settings};
pub use thread_sampler::ThreadSampler;
