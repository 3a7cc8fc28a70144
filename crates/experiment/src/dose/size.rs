//! How much a test by dose measures.

/// What decides how long a test takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// Names of the profilers.
    pub profilers: Vec<String>,
    /// Most methods that are tested.
    pub methods: usize,
    /// Rounds of windows, which the JVMs of a profiler share.
    pub rounds: usize,
    /// Time for windows beyond those rounds, s, which they share too; a round that was begun is ended.
    pub budget_s: f64,
    /// JVMs per profiler.
    pub runs: usize,
    /// Length of a window, s.
    pub window_s: f64,
    /// Most JVMs that are measured at the same time, 1 at least.
    pub at_once: usize,
}

/// Rounds that each of several JVMs has at least, if so many were asked for: two pairs of windows have next to no spread.
const LEAST_ROUNDS: usize = 2;

impl Size {
    /// Rounds of windows in each JVM.
    #[must_use]
    pub fn rounds_in_each(&self) -> usize {
        let least = self.rounds.min(LEAST_ROUNDS);
        self.rounds.div_ceil(self.runs.max(1)).max(least)
    }

    /// Time for windows beyond these in each JVM, s.
    #[must_use]
    pub fn budget_in_each_s(&self) -> f64 {
        self.budget_s / self.runs.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jvms_share_rounds_and_time_but_each_has_two_rounds() {
        let shared = |rounds, runs| {
            let size = Size {
                profilers: vec!["jfr".into()],
                methods: 4,
                rounds,
                budget_s: 15.0,
                runs,
                window_s: 0.3,
                at_once: 1,
            };
            (size.rounds_in_each(), size.budget_in_each_s())
        };
        assert_eq!(shared(3, 1), (3, 15.0));
        assert_eq!(shared(3, 3), (2, 5.0));
        assert_eq!(shared(12, 5), (3, 3.0));
        // As asked for.
        assert_eq!(shared(1, 3).0, 1);
    }
}
