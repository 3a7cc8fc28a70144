//! Native programs: compilers that put dose sites into functions, processes that run under a dose, and variants whose blocks
//! are slowed.
//!
//! | module | what |
//! | --- | --- |
//! | `words` | what a compiler's words ask for |
//! | `compiler` | `proofmark cc`: compiler, pass over the assembly text, assembler, linker |
//! | `rust` | `proofmark rustc`: the same of rustc, in programs and libraries |
//! | `nested` | a wrapper that is its own compiler |
//! | `sites` | the table of sites of a program, and other names of its functions |
//! | `launch` | processes of a program, with CPU time and output |
//! | `doses` | the file that tells a process its dose |
//! | `live` | a process that marks its iterations and is told a dose per window |
//! | `windows` | windows of either kind |
//! | `perf`, `samply`, `callgrind`, `per_process` | what profilers report of windows |
//! | `recorder` | what perf and samply have in common: one recording of many windows |
//! | `tool` | a command of theirs, until it ends or the user wants to stop |
//! | `group`, `family`, `tied` | processes that are ended with all that they have started, and with us |
//! | `symbols` | names of addresses |
//! | `race` | runs that may fail, without a dose and with one |
//! | `slots` | blocks slowed and counted in variants of a program: a laboratory of experiments |
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!("proofmark-native needs Linux on x86-64: its sites are in that machine code");

mod callgrind;
mod compiler;
mod doses;
mod family;
mod group;
mod launch;
mod live;
mod nested;
mod per_process;
mod perf;
mod race;
mod recorder;
mod rust;
mod samply;
mod sites;
mod slots;
mod symbols;
mod tied;
mod tool;
mod windows;
mod words;

pub use callgrind::callgrind;
pub use compiler::{CompileError, Language, compile};
pub use launch::{Launch, LaunchError, Output, found_command};
pub use per_process::{PerProcess, gperftools_library, per_process_windows};
pub use perf::{PerfSettings, perf_windows};
pub use proofmark_asm::key_of;
pub use race::{RaceSettings, Races};
pub use recorder::{PERF_WORD, recorded};
pub use rust::{Compiled, LINK_NAME, compile_rust, link_rust};
pub use samply::samply_windows;
pub use sites::{Program, ProgramError, TableSite};
pub use slots::{
    FULL_SLOTS, SlotLabs, SlotSettings, SlotsError, Slotted, TimedLab, TimedSettings, check_slots,
    filler_fits,
};
pub use windows::{Ran, Runner, Stretch, Wanted};

/// Samples, or instructions, of each function in a window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reported {
    /// Per function of the program by its name; those of libraries with the file's name in front: `libc.so.6:qsort`.
    pub functions: std::collections::BTreeMap<String, f64>,
    /// In the kernel, or where no function is known.
    pub other: f64,
}

impl Reported {
    fn add(&mut self, function: Option<String>, weight: f64) {
        match function {
            Some(name) => *self.functions.entry(name).or_insert(0.0) += weight,
            None => self.other += weight,
        }
    }
}
