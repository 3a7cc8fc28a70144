//! What counting costs: factors per program and their geometric mean.

use proofmark_stats::{Confidence, Estimate, Spread, paired_ratio_spread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One way of counting, compared with code that does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Factors {
    /// Name of the way: strategy, event types, kind of counters.
    pub mode: String,
    /// Factor of run time per program; n counts interleaved pairs.
    pub run_time: Vec<Factor>,
    /// Geometric mean over the programs; none with fewer than two pairs somewhere. n counts programs.
    pub run_time_mean: Option<Estimate>,
    /// Geometric mean over the programs of compile time against code that does not count; n counts programs.
    pub compile_time_mean: Option<Estimate>,
    /// Geometric mean over the programs of bytes of machine code.
    pub code_size_mean: f64,
}

/// One program's factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Factor {
    /// Program.
    pub program: String,
    /// Counting over not counting; none if it was not measured often enough.
    pub factor: Option<Estimate>,
    /// The same of the time that compiling all of its units takes; n counts turns through all ways of counting.
    pub compile_time: Option<Estimate>,
    /// Counters that changed per iteration: a program that is not counted costs nothing.
    pub touched: u64,
}

/// Times of one program under one way of counting.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timed {
    /// Program.
    pub program: String,
    /// CPU times of neighbouring stretches: without and with counting, any unit.
    pub pairs: Vec<(f64, f64)>,
    /// Counters that changed per iteration.
    pub touched: u64,
    /// Compile times of all units in the same turn: without and with counting, any unit.
    pub compilations: Vec<(f64, f64)>,
    /// Bytes of machine code with over without counting.
    pub code_size: f64,
}

/// The row of one way of counting.
///
/// # Accuracy
/// The interval of the mean is that of the measurement on these programs (their errors are independent);
/// another choice of programs has another mean.
#[must_use]
pub fn factors(mode: &str, programs: &[Timed]) -> Factors {
    let running: Vec<Logarithm> = programs
        .iter()
        .map(|p| paired_ratio_spread(&p.pairs))
        .collect();
    let compiling: Vec<Logarithm> = programs
        .iter()
        .map(|p| paired_ratio_spread(&p.compilations))
        .collect();
    let factor = |(at, program): (usize, &Timed)| Factor {
        program: program.program.clone(),
        factor: running[at].map(|(log, spread)| exponential(log, spread, program.pairs.len())),
        compile_time: compiling[at]
            .map(|(log, spread)| exponential(log, spread, program.compilations.len())),
        touched: program.touched,
    };
    Factors {
        mode: mode.to_owned(),
        run_time: programs.iter().enumerate().map(factor).collect(),
        run_time_mean: overall(&running),
        compile_time_mean: overall(&compiling),
        code_size_mean: geometric(programs.iter().map(|p| p.code_size)),
    }
}

/// Mean logarithm of a program's ratio; none with fewer than two pairs.
type Logarithm = Option<(f64, Spread)>;

fn exponential(log: f64, spread: Spread, n: usize) -> Estimate {
    Estimate::around(log, spread.half_width(Confidence::P95), n as u64).map_increasing(f64::exp)
}

fn overall(spreads: &[Logarithm]) -> Option<Estimate> {
    let all: Vec<(f64, Spread)> = spreads.iter().copied().collect::<Option<_>>()?;
    let n = all.len() as f64;
    let log = all.iter().map(|(log, _)| log).sum::<f64>() / n;
    let sum = all
        .iter()
        .map(|(_, spread)| *spread)
        .reduce(|a, b| a.plus(&b))?;
    Some(exponential(log, sum.times(1.0 / n), all.len()))
}

/// Geometric mean; NaN of nothing.
fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    proofmark_stats::mean(&logs).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(program: &str, pairs: &[(f64, f64)], compilations: &[(f64, f64)]) -> Timed {
        Timed {
            program: program.into(),
            pairs: pairs.to_vec(),
            touched: 1,
            compilations: compilations.to_vec(),
            code_size: 1.0,
        }
    }

    /// By hand: factors 2 and 8 without spread have the geometric mean 4.
    #[test]
    fn means_are_geometric() {
        let one = timed("one", &[(1.0, 2.0), (3.0, 6.0)], &[(2.0, 2.0), (3.0, 3.0)]);
        let two = timed("two", &[(1.0, 8.0), (2.0, 16.0)], &[(1.0, 4.0), (2.0, 8.0)]);
        let row = factors("edge", &[one, two]);
        let mean = row.run_time_mean.unwrap();
        assert!((mean.value - 4.0).abs() < 1e-9 && mean.n == 2, "{mean:?}");
        let compiling = row.compile_time_mean.unwrap();
        assert!((compiling.value - 2.0).abs() < 1e-12, "{compiling:?}");
        assert_eq!(row.run_time[1].compile_time.unwrap().n, 2);
    }

    /// By hand: one program's logs 0 and 0.2: mean 0.1, standard error 0.1, t(1) 12.706; with a second program
    /// without spread the mean's standard error is half of that.
    #[test]
    fn the_interval_holds_every_programs_spread() {
        let noisy = timed("noisy", &[(1.0, 1.0), (1.0, 0.2f64.exp())], &[]);
        let exact = timed("exact", &[(1.0, 1.0), (1.0, 1.0)], &[]);
        let alone = factors("edge", std::slice::from_ref(&noisy))
            .run_time_mean
            .unwrap();
        assert!((alone.high.ln() - 0.1 - 1.2706).abs() < 1e-3, "{alone:?}");
        let both = factors("edge", &[noisy, exact]).run_time_mean.unwrap();
        assert!((both.value.ln() - 0.05).abs() < 1e-12);
        assert!((both.high.ln() - 0.05 - 0.6353).abs() < 1e-3, "{both:?}");
    }

    #[test]
    fn a_program_that_was_not_measured_has_no_factor() {
        let row = factors("edge", &[timed("one", &[(1.0, 1.1)], &[])]);
        assert_eq!((row.run_time_mean, row.compile_time_mean), (None, None));
        assert_eq!(row.run_time[0].factor, None);
    }
}
