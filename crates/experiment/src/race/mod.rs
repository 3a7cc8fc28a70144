//! Race widening: does a program fail more often when one of its functions takes longer?
//!
//! A race shows where a thread comes to a place while another one is at a certain place too. A dose in a function that is
//! called there, between reading and writing say, keeps threads there for longer. Runs of the program without a dose and
//! with one take turns, in random order; how often each kind fails is compared by Fisher's exact test.
//!
//! *Accuracy.* Runs count as independent of each other. A race that is not found may be there all the same: the upper end of
//! the interval says how often it may show under this dose, on this machine.

mod result;
#[cfg(test)]
mod tests;
mod turns;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::ExperimentError;
use crate::lab::LabError;
use crate::progress::Progress;

pub use result::{RACE_SCHEMA, RaceLeftOut, RaceResult, RaceRow, Runs};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In order.
    Passed,
    /// With another exit status than 0.
    Status(i32),
    /// A signal ended it.
    Signal(i32),
    /// It took too long and was ended.
    TooLong,
    /// It put out what failing runs put out.
    Output,
}

/// A run of the program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// From its start to its end, s.
    pub wall_s: f64,
    /// Its CPU time, children included, s.
    pub cpu_s: f64,
}

/// A dose in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dose {
    /// Index of the function in the request.
    pub function: usize,
    /// Turns of the loop at its entry each time it is called.
    pub turns: u32,
}

/// Runs a program.
pub trait RaceLab {
    /// Runs it to its end, with a dose or without.
    ///
    /// # Errors
    /// When it cannot be run, or does not take the dose; when the user stops it. That a run fails is no error.
    fn run(&mut self, dose: Option<Dose>) -> Result<Ran, LabError>;

    /// Keeps a dose for runs by hand: the file that tells the program.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&mut self, dose: Dose) -> Result<String, LabError>;
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceRequest {
    /// The program with its arguments, for people.
    pub program: String,
    /// Functions that get a dose, one at a time.
    pub functions: Vec<String>,
    /// Turns of the dose; none: as many as make the program take twice as long, or fail each time.
    pub turns: Option<u32>,
    /// Runs without a dose, and as many with one in each function.
    pub runs: u32,
    /// Longest that a run may take, s.
    pub timeout_s: f64,
    /// What failing runs put out besides; none: nothing.
    pub failed_if: Option<String>,
    /// Seed of the order of runs.
    pub seed: u64,
}

/// Runs the program without and with doses by turns.
///
/// # Errors
/// When it cannot be run, or none of the functions slows it.
pub fn run(
    lab: &mut dyn RaceLab,
    request: &RaceRequest,
    progress: &dyn Progress,
) -> Result<RaceResult, ExperimentError> {
    let began_s = progress.elapsed_s();
    let (doses, left_out) = turns::doses(lab, request, progress)?;
    if doses.is_empty() {
        let why: Vec<String> = left_out.iter().map(RaceLeftOut::to_string).collect();
        return Err(ExperimentError::Cannot(why.join("; ")));
    }
    let seen = by_turns(lab, &doses, request, progress)?;
    let mut rows = Vec::new();
    for (dose, runs) in doses.iter().zip(&seen[1..]) {
        let file = lab.keep(*dose)?;
        rows.push(RaceRow::of(
            request,
            *dose,
            (seen[0].as_slice(), runs.as_slice()),
            file,
        ));
    }
    let mut result = RaceResult::of(request, Runs::of(&seen[0]), rows);
    result.left_out = left_out;
    result.seconds = progress.elapsed_s() - began_s;
    Ok(result)
}

/// Runs of every kind: without a dose first, then of each dose.
fn by_turns(
    lab: &mut dyn RaceLab,
    doses: &[Dose],
    request: &RaceRequest,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Ran>>, ExperimentError> {
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let kinds: Vec<Option<Dose>> = [None]
        .into_iter()
        .chain(doses.iter().copied().map(Some))
        .collect();
    let mut seen = vec![Vec::new(); kinds.len()];
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    for round in 1..=request.runs {
        progress.step(&format!("run {round} of {} of each kind", request.runs));
        order.shuffle(&mut random);
        for kind in &order {
            let ran = lab.run(kinds[*kind])?;
            seen[*kind].push(ran);
        }
    }
    Ok(seen)
}
