//! Several evaluations as one, with nothing measured.

use super::program::ProgramResult;
use super::result::Evaluation;

/// Several evaluations put together.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// All programs, in the order in which they were met first, and the figures over them.
    pub evaluation: Evaluation,
    /// Results that do not count because there is a later one of the same program.
    pub replaced: Vec<Replaced>,
}

/// A result that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The program.
    pub program: String,
    /// Position of the evaluation with the result that does not count.
    pub earlier: usize,
    /// Position of the one whose result counts instead.
    pub later: usize,
}

impl Merged {
    /// Of these evaluations: of a program that is in several the last one counts. Figures over programs are made anew, also of
    /// a single evaluation, so that those of earlier versions have what they can have.
    #[must_use]
    pub fn of(evaluations: Vec<Evaluation>) -> Self {
        let (mut targets_pct, mut replaced): (Vec<f64>, _) = (Vec::new(), Vec::new());
        let mut programs: Vec<(usize, ProgramResult)> = Vec::new();
        for (at, evaluation) in evaluations.into_iter().enumerate() {
            for target in &evaluation.targets_pct {
                if !targets_pct.contains(target) {
                    targets_pct.push(*target);
                }
            }
            for program in evaluation.programs {
                let mut before = programs.iter_mut();
                match before.find(|(_, one)| one.program == program.program) {
                    None => programs.push((at, program)),
                    Some(one) => {
                        replaced.push(Replaced {
                            program: program.program.clone(),
                            earlier: one.0,
                            later: at,
                        });
                        *one = (at, program);
                    }
                }
            }
        }
        let programs = programs.into_iter().map(|(_, program)| program).collect();
        Merged {
            evaluation: Evaluation::of(&targets_pct, programs),
            replaced,
        }
    }
}
