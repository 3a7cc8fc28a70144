//! The command line of `slots`.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::lab::Filler;

use super::names;
use crate::request::{Request, SlotsRequest};

/// `slots`.
#[derive(Debug, Clone, Args)]
pub struct SlotsArguments {
    /// The program's file, built with PROOFMARK_SLOTS=1 by proofmark cc or c++.
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,
    /// What goes into the slots.
    #[arg(long, value_parser = names::filler(), default_value = "mov")]
    pub filler: Filler,
    /// Keep the program with full slots as this file: for its own tests.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl SlotsArguments {
    /// What is asked for.
    pub fn request(self) -> Request {
        Request::Slots(SlotsRequest {
            program: self.program,
            filler: self.filler,
            output: self.output,
        })
    }
}
