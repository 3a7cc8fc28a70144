//! A simulated program with sites, watched by a profiler whose attribution is known.
use proofmark_experiment::dose::{Clock, Dose, Level, Row, Window, is_wide, order, rows};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

const METHODS: [&str; 4] = ["place", "get", "set", "rare"];
/// Own time of the methods at rest, ns.
const OWN: [f64; 4] = [400e3, 250e3, 300e3, 50e3];
/// Added by one turn of a site in a method, ns, and what is hidden behind other work.
const PER_TURN: [f64; 4] = [60e3, 150e3, 70e3, 900.0];
const HIDDEN: f64 = 30e3;

/// A program with sites, watched by a profiler that reports method m's time as `matrix[m]` says (the rest in no method).
pub struct Twin {
    matrix: [[f64; 4]; 4],
    random: ChaCha8Rng,
    /// Standard deviation of an iteration's time from window to window, as a part of it.
    pub clock_noise: f64,
    /// Samples in a window.
    pub samples: usize,
}

impl Twin {
    /// So much is random as the seed says.
    pub fn new(matrix: [[f64; 4]; 4], seed: u64) -> Self {
        Self {
            matrix,
            random: ChaCha8Rng::seed_from_u64(seed),
            clock_noise: 0.01,
            samples: 400,
        }
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.random.random::<f64>()).sum::<f64>() - 6.0
    }

    fn times(dose: Option<Dose>) -> [f64; 4] {
        let mut times = OWN;
        if let Some(dose) = dose {
            let site = usize::from(dose.site);
            times[site] += (f64::from(dose.turns) * PER_TURN[site] - HIDDEN).max(0.0);
        }
        times
    }

    /// What a window shows.
    pub fn window(&mut self, dose: Option<Dose>) -> Window {
        let times = Self::times(dose);
        let total: f64 = times.iter().sum();
        let noise = 1.0 + self.clock_noise * self.normal();
        let mut window = Window {
            iteration_ns: total * noise,
            ..Window::default()
        };
        for _ in 0..self.samples {
            let mut at = self.random.random::<f64>() * total;
            let from = times.iter().position(|time| {
                at -= time;
                at < 0.0
            });
            let mut part = self.random.random::<f64>();
            let to = self.matrix[from.unwrap_or(0)].iter().position(|share| {
                part -= share;
                part < 0.0
            });
            match to {
                Some(to) => *window.methods.entry(METHODS[to].into()).or_insert(0.0) += 1.0,
                None => window.other += 1.0,
            }
        }
        window
    }

    /// True time of an iteration under a dose, ns.
    pub fn true_ns(dose: Dose) -> f64 {
        Self::times(Some(dose)).iter().sum()
    }

    /// So many rounds of windows.
    pub fn rounds(
        &mut self,
        site: u16,
        low: u16,
        high: u16,
        rounds: usize,
    ) -> Vec<(Level, Window)> {
        let planned = order(1, rounds, u64::from(site));
        let levels = planned.iter().filter(|planned| planned.site.is_some());
        levels
            .map(|planned| {
                let turns = if planned.level == Level::Low {
                    low
                } else {
                    high
                };
                (planned.level, self.window(Some(Dose { site, turns })))
            })
            .collect()
    }

    /// The row of a site after three rounds.
    pub fn row(&mut self, site: u16, low: u16, high: u16) -> Option<Row> {
        let rest = self.window(None).iteration_ns;
        let windows = self.rounds(site, low, high, 3);
        rows(METHODS[usize::from(site)], &windows, &[rest])
    }

    /// Rounds until the row is narrow, as a run does: three, then one more and again, up to so many.
    pub fn narrowed(&mut self, site: u16, low: u16, high: u16, most: usize) -> Option<Row> {
        let rest = self.window(None).iteration_ns;
        let mut windows = self.rounds(site, low, high, 3);
        for _ in 3..most {
            let row = rows(METHODS[usize::from(site)], &windows, &[rest])?;
            if !is_wide(&row) {
                break;
            }
            windows.extend(self.rounds(site, low, high, 1));
        }
        rows(METHODS[usize::from(site)], &windows, &[rest])
    }
}

impl Clock for Twin {
    type Error = std::convert::Infallible;

    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, Self::Error> {
        Ok(self.window(dose).iteration_ns)
    }
}

/// All time is where it belongs.
pub const RIGHT: [[f64; 4]; 4] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// As JFR without debug information between safepoints was seen to be; a part of rare's time is in no method.
pub const BIASED: [[f64; 4]; 4] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0, 0.0],
    [0.5, 0.5, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.7],
];
