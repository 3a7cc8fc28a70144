//! Which frame an address is: generated code, a mapped file, the kernel.

use std::collections::HashMap;

use super::code_table::CodeTable;
use super::{Place, frame};
use crate::builder::Builder;
use crate::model::FrameIdx;

/// A mapped file of a process.
struct Mapping {
    start: u64,
    end: u64,
    place: Place,
    name: String,
}

/// What is known of the processes' addresses.
pub(super) struct Symbols {
    codes: CodeTable,
    /// Frames by generated code.
    code_frames: Vec<Option<FrameIdx>>,
    mappings: HashMap<i32, Vec<Mapping>>,
    /// Frames by process and address, as long as nothing is mapped anew.
    known: HashMap<(i32, u64), FrameIdx>,
    kernel: Option<FrameIdx>,
}

impl Symbols {
    /// Nothing is mapped yet.
    pub(super) fn new(codes: CodeTable) -> Self {
        Self {
            code_frames: vec![None; codes.len()],
            codes,
            mappings: HashMap::new(),
            known: HashMap::new(),
            kernel: None,
        }
    }

    /// A process has mapped a file.
    pub(super) fn map(&mut self, pid: i32, start: u64, len: u64, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let mapping = Mapping {
            start,
            end: start.saturating_add(len),
            place: Place::of(path),
            name,
        };
        self.mappings.entry(pid).or_default().push(mapping);
        self.known.clear();
    }

    /// A process has begun anew.
    pub(super) fn forget(&mut self, pid: i32) {
        self.mappings.remove(&pid);
        self.known.clear();
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
        if let Some(known) = self.known.get(&(pid, address)) {
            return *known;
        }
        let codes = &self.codes;
        let found = match codes.find(address, time) {
            Some(code) => *self.code_frames[code]
                .get_or_insert_with(|| frame(builder, codes.name(code), Place::Jitted)),
            None => self.mapped(builder, pid, address),
        };
        if !self.codes.changes() {
            self.known.insert((pid, address), found);
        }
        found
    }

    /// What no code table names is named by the file that is mapped there.
    fn mapped(&self, builder: &mut Builder, pid: i32, address: u64) -> FrameIdx {
        let maps = self.mappings.get(&pid).map_or(&[][..], Vec::as_slice);
        let mut latest = maps.iter().rev();
        match latest.find(|m| (m.start..m.end).contains(&address)) {
            Some(map) if map.place == Place::Jitted => {
                frame(builder, "[unnamed generated code]", Place::Jitted)
            }
            Some(map) => frame(builder, &map.name, map.place),
            None => frame(builder, "[unknown]", Place::Unknown),
        }
    }
}
