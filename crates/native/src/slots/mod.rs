//! Slots: the basic blocks of a native program, slowed and counted in variants of the program.
//!
//! A program that is built with `PROOFMARK_SLOTS=1` is the compiler's own code: what its assembler was given is kept beside that, in
//! sections that are not loaded. A variant is made of it: instructions go into the text, and what changed is assembled and linked
//! again.
//!
//! | module | what |
//! | --- | --- |
//! | `kept` | texts and link in a program's sections |
//! | `build` | assembles and links variants |
//! | `image` | where a variant's code is: marks, functions, counters |
//! | `process` | one run of a variant, sampled from its gate to its end |
//! | `hot` | where the time goes, and which functions are taken under control |
//! | `control` | functions under control: variants of their texts, counts |
//! | `describe`, `filler` | functions as laboratories know them; what goes into slots |
//! | `second` | variants against the program without slots, by a disassembler |
//! | `loaded`, `landing` | machine code by its addresses, and how control comes into functions |
//! | `report` | the second check of all functions of a program |
//! | `prepare`, `lab` | all of it as a laboratory of experiments |
//! | `timed` | variants by the clock alone, of programs with threads too |

mod build;
mod control;
mod describe;
mod filler;
mod hot;
mod image;
mod kept;
mod lab;
mod landing;
mod loaded;
mod prepare;
mod process;
mod report;
mod second;
mod timed;

pub use kept::{SlotsError, Slotted};
pub use lab::{SlotLabs, SlotSettings, filler_fits};
pub use report::check_slots;
pub use second::FULL_SLOTS;
pub use timed::{TimedLab, TimedSettings};

pub(crate) use kept::{Keeping, KeptText, link_object, wanted, with_text};

use proofmark_experiment::lab::{Failure, LabError};

use crate::compiler::CompileError;
use crate::launch::LaunchError;

impl From<LaunchError> for LabError {
    fn from(error: LaunchError) -> Self {
        let failure = match &error {
            LaunchError::TooLong(_) | LaunchError::Signal(_) => Failure::Died,
            LaunchError::Differs(_) | LaunchError::NoIteration => Failure::Refused,
            LaunchError::System { .. } => Failure::Instrument,
            LaunchError::Interrupted => Failure::Interrupted,
            LaunchError::Profiler(_) => Failure::Profiler,
        };
        LabError::new(failure, error)
    }
}

impl From<CompileError> for LabError {
    fn from(error: CompileError) -> Self {
        LabError::new(Failure::Refused, error)
    }
}

/// A variant cannot be made, or the program cannot be measured.
fn refused(text: impl Into<String>) -> LabError {
    LabError::new(Failure::Refused, text.into())
}

/// Something of ours failed at a file.
fn at(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> LabError {
    let path = path.to_owned();
    move |source| LabError::new(Failure::Instrument, format!("{}: {source}", path.display()))
}
