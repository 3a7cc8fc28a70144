//! Which frame an address is: generated code, a mapped file, the kernel.

use super::code_table::CodeTable;
use super::mappings::Mappings;
use super::{Place, frame};
use crate::builder::Builder;
use crate::hash::Numbered;
use crate::model::{FrameIdx, StackIdx};

/// Said where native code is in a recording.
const NO_SYMBOLS: &str = "a perf.data file has addresses of native code, no names, so each library counts as one \
     function; perf finds the names in the libraries themselves: `perf script -i FILE | proofmark import -`";

/// What is known of the processes' addresses.
pub(super) struct Symbols {
    codes: CodeTable,
    /// Frames by generated code.
    code_frames: Vec<Option<FrameIdx>>,
    processes: Numbered<i32, Process>,
    kernel: Option<FrameIdx>,
}

/// One process, as long as it runs one program.
#[derive(Default)]
struct Process {
    mappings: Mappings,
    /// Frames by address, as long as nothing is mapped anew.
    frames: Numbered<u64, FrameIdx>,
    /// Stacks by what perf recorded of them, likewise.
    stacks: Numbered<Box<[u64]>, StackIdx>,
}

impl Symbols {
    /// Nothing is mapped yet.
    pub(super) fn new(codes: CodeTable) -> Self {
        Self {
            code_frames: vec![None; codes.len()],
            codes,
            processes: Numbered::default(),
            kernel: None,
        }
    }

    /// A process has mapped a file.
    pub(super) fn map(&mut self, pid: i32, start: u64, len: u64, path: &str) {
        let process = self.processes.entry(pid).or_default();
        if process.mappings.add(start, start.saturating_add(len), path) {
            process.frames.clear();
            process.stacks.clear();
        }
    }

    /// A process has begun anew.
    pub(super) fn forget(&mut self, pid: i32) {
        self.processes.remove(&pid);
    }

    /// The stack of a process that perf recorded in this way before, unless it may mean something else by now.
    pub(super) fn stack(&self, pid: i32, recorded: &[u64]) -> Option<StackIdx> {
        self.processes.get(&pid)?.stacks.get(recorded).copied()
    }

    /// Takes note of what perf recorded and which stack it is.
    pub(super) fn learn(&mut self, pid: i32, recorded: &[u64], stack: StackIdx) {
        if !self.codes.changes() {
            let process = self.processes.entry(pid).or_default();
            process.stacks.insert(recorded.into(), stack);
        }
    }

    /// The kernel, of which no symbols are known.
    pub(super) fn kernel(&mut self, builder: &mut Builder) -> FrameIdx {
        let named = || frame(builder, "[kernel]", Place::Kernel);
        *self.kernel.get_or_insert_with(named)
    }

    /// The frame of an address outside the kernel.
    pub(super) fn frame(
        &mut self,
        builder: &mut Builder,
        pid: i32,
        address: u64,
        time: Option<u64>,
    ) -> FrameIdx {
        let process = self.processes.entry(pid).or_default();
        if let Some(known) = process.frames.get(&address) {
            return *known;
        }
        let codes = &self.codes;
        let found = match codes.find(address, time) {
            Some(code) => *self.code_frames[code]
                .get_or_insert_with(|| frame(builder, codes.name(code), Place::Jitted)),
            None => process.mapped(builder, address),
        };
        if !codes.changes() {
            process.frames.insert(address, found);
        }
        found
    }
}

impl Process {
    /// What no code table names is named by the file that is mapped there.
    fn mapped(&self, builder: &mut Builder, address: u64) -> FrameIdx {
        match self.mappings.at(address) {
            Some(map) if map.place == Place::Jitted => {
                frame(builder, "[unnamed generated code]", Place::Jitted)
            }
            Some(map) => {
                if map.place != Place::Kernel {
                    builder.remark(NO_SYMBOLS);
                }
                frame(builder, &map.name, map.place)
            }
            None => frame(builder, "[unknown]", Place::Unknown),
        }
    }
}
