//! What the search is asked for, and what was known before it started.

/// What calibration knows about slowdown instructions before any block was slowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Median cost of one instruction beyond the free ones, cycles.
    pub slope_cycles: f64,
    /// Standard deviation of the logarithm of that cost over blocks.
    pub slope_log_sd: f64,
    /// Mean number of free instructions per cycle of the block (its idle issue slots).
    pub hinge_per_cycle: f64,
}

impl Default for Prior {
    /// `mov r,r` over 8 registers, measured natively (docs/search.md#the-response-of-a-slowed-block).
    fn default() -> Self {
        Prior {
            slope_cycles: 0.227,
            slope_log_sd: 0.55,
            hinge_per_cycle: 1.6,
        }
    }
}

/// Sizes of the disturbances, as relative standard deviations; measured values shrink to these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Time of an unmodified block, from one code placement to another.
    pub baseline_placement: f64,
    /// Time of a slowed block, from one code placement to another.
    pub slowed_placement: f64,
    /// Total time of a window beside its neighbour (machine speed).
    pub window: f64,
    /// Slowed time against the hinge: every change of a count re-rolls port binding and overlap.
    pub wander: f64,
    /// Part of an instruction's cost that shows in other blocks of its cluster instead, spread over
    /// all of them; 0 takes every block's response as its own. See `couplings`.
    pub coupling: f64,
    /// Time that a block takes longer, or less, once the rest of the program is slowed, whatever its own count, part of its
    /// baseline time; 0: none. See `couplings`.
    pub carried: f64,
}

impl Default for Noise {
    /// Measured natively (docs/method-time.md#noise); the coupling from single-block changes in Towers, what is carried from
    /// recorded searches (docs/search.md).
    fn default() -> Self {
        Noise {
            baseline_placement: 0.12,
            slowed_placement: 0.02,
            window: 0.015,
            wander: 0.04,
            coupling: 0.8,
            carried: 0.6,
        }
    }
}

/// Settings of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Slowdown wanted as a part of the baseline time: 1.0 is +100 %.
    pub target: f64,
    /// Clock of the core while it runs the workload, GHz (cycles per ns).
    pub clock_ghz: f64,
    /// Knowledge about slowdown instructions.
    pub prior: Prior,
    /// Sizes of the disturbances.
    pub noise: Noise,
    /// Block error that is good enough, time-weighted mean, part of the baseline time (0.05 = 5 points).
    pub tolerance: f64,
    /// The same for the whole program.
    pub total_tolerance: f64,
    /// Distinct plans that may be tried; up to four more where an evaluation finds the total off.
    pub max_plans: u32,
    /// Rounds that may be measured, the first (baseline only) included.
    pub max_rounds: u32,
    /// Every window is in a process of its own. Processes have speeds of their own, so that rounds are not told from each
    /// other by how long their baseline took.
    pub across_processes: bool,
    /// Largest count of a block.
    pub max_count: u32,
    /// Seed of whatever is drawn at random; the same seed and data give the same answer.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            target: 1.0,
            clock_ghz: 3.0,
            prior: Prior::default(),
            noise: Noise::default(),
            tolerance: 0.05,
            total_tolerance: 0.01,
            max_plans: 8,
            max_rounds: 14,
            across_processes: false,
            max_count: 4096,
            seed: 1,
        }
    }
}
