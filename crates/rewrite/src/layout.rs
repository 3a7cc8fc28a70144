//! Laying out edited code: local variables renumbered, patches inserted, branches grown where they must.
//!
//! A `goto` that has become too long is written as `goto_w`. A conditional branch that has become too long goes to an
//! *island*, a `goto_w` behind a nearby instruction that never falls through: the island has the stack map frame of the
//! target, so that no frame has to be computed.

use std::collections::{BTreeMap, BTreeSet};

use crate::Reason;
use crate::bytes::Write;
use crate::code::{Code, Instruction};
use crate::opcode;
use crate::patches::Patches;

/// Local variables from `slot` on are moved up by `by`.
#[derive(Clone, Copy)]
pub(crate) struct Shift {
    pub(crate) slot: u16,
    pub(crate) by: u16,
}

impl Shift {
    pub(crate) fn apply(self, local: u16) -> Result<u16, Reason> {
        if local < self.slot {
            return Ok(local);
        }
        local.checked_add(self.by).ok_or(Reason::TooMany)
    }
}

/// New code and where the old instructions went.
pub(crate) struct Layout {
    pub(crate) bytes: Vec<u8>,
    /// Where the patch of each instruction begins, its entry part included; one more for the end of the code.
    pub(crate) start: Vec<u32>,
    /// Where branches to an instruction go: behind the entry part.
    pub(crate) label: Vec<u32>,
    /// The instruction itself.
    pub(crate) instruction: Vec<u32>,
    /// Position and target (an instruction) of each island.
    pub(crate) islands: Vec<(u32, usize)>,
}

/// Branches that do not reach their targets in 16 bits.
#[derive(Default)]
struct Far {
    /// Each `goto` that becomes a `goto_w`.
    wide: BTreeSet<usize>,
    /// Conditional branch to the instruction behind which its island lies.
    islands: BTreeMap<usize, usize>,
}

/// Lays the code out, again and again until all branches reach.
///
/// # Errors
/// [`Reason::TooLarge`] when the new code exceeds 65,535 bytes, [`Reason::FarBranch`] when there is no place for an
/// island.
pub(crate) fn lay_out(code: &Code<'_>, patches: &Patches, shift: Shift) -> Result<Layout, Reason> {
    let mut far = Far::default();
    loop {
        let mut writer = Writer::new(code, patches, shift, &far);
        writer.write()?;
        let missed = writer.connect();
        if writer.layout.bytes.len() > 0xffff {
            return Err(Reason::TooLarge);
        }
        if missed.is_empty() {
            return Ok(writer.layout);
        }
        let layout = writer.layout;
        for branch in missed {
            let jumps = matches!(code.instructions[branch].opcode, opcode::GOTO | opcode::JSR);
            if jumps {
                far.wide.insert(branch);
            } else {
                let place = nearest_final(code, &layout, branch).ok_or(Reason::FarBranch)?;
                if far.islands.insert(branch, place).is_some() {
                    return Err(Reason::FarBranch);
                }
            }
        }
    }
}

/// The instruction nearest to a branch that never falls through.
fn nearest_final(code: &Code<'_>, layout: &Layout, branch: usize) -> Option<usize> {
    let from = layout.start[branch];
    let finals = (0..code.instructions.len())
        .filter(|&index| opcode::is_final(code.instructions[index].opcode));
    finals.min_by_key(|&index| layout.start[index].abs_diff(from))
}

struct Writer<'w> {
    code: &'w Code<'w>,
    patches: &'w Patches,
    shift: Shift,
    far: &'w Far,
    layout: Layout,
    /// Where a 16-bit (false) or 32-bit (true) distance stands, its instruction, its target.
    open: Vec<(u32, bool, usize, usize)>,
    /// Island of each far conditional branch.
    island_at: BTreeMap<usize, u32>,
}

impl<'w> Writer<'w> {
    fn new(code: &'w Code<'w>, patches: &'w Patches, shift: Shift, far: &'w Far) -> Self {
        let count = code.instructions.len();
        Self {
            code,
            patches,
            shift,
            far,
            layout: Layout {
                bytes: Vec::with_capacity(code.bytes.len() + patches.bytes.len() + 16),
                start: Vec::with_capacity(count + 1),
                label: Vec::with_capacity(count),
                instruction: Vec::with_capacity(count),
                islands: Vec::new(),
            },
            open: Vec::new(),
            island_at: BTreeMap::new(),
        }
    }

    fn here(&self) -> u32 {
        self.layout.bytes.len() as u32
    }

    fn write(&mut self) -> Result<(), Reason> {
        for index in 0..self.code.instructions.len() {
            self.layout.start.push(self.here());
            self.layout
                .bytes
                .extend_from_slice(self.patches.entry(index));
            self.layout.label.push(self.here());
            self.layout
                .bytes
                .extend_from_slice(self.patches.before(index));
            self.layout.instruction.push(self.here());
            match self.patches.instead(index) {
                [] => self.instruction(index)?,
                instead => self.layout.bytes.extend_from_slice(instead),
            }
            self.layout
                .bytes
                .extend_from_slice(self.patches.after(index));
            self.islands_behind(index)?;
        }
        self.layout.start.push(self.here());
        Ok(())
    }

    fn islands_behind(&mut self, place: usize) -> Result<(), Reason> {
        for (&branch, &behind) in &self.far.islands {
            if behind == place {
                let target = self.code.target(branch)?;
                let here = self.here();
                self.island_at.insert(branch, here);
                self.layout.islands.push((here, target));
                self.layout.bytes.u1(opcode::GOTO_W);
                let distance = self.layout.bytes.len() as u32;
                self.layout.bytes.u4(0);
                self.open.push((distance, true, usize::MAX, target));
            }
        }
        Ok(())
    }

    fn instruction(&mut self, index: usize) -> Result<(), Reason> {
        let bytes = self.code.bytes_of(index);
        let instruction = self.code.instructions[index];
        match instruction.opcode {
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => self.switch(index),
            opcode::GOTO | opcode::JSR if self.far.wide.contains(&index) => {
                let wide = opcode::GOTO_W - opcode::GOTO;
                self.branch(instruction.opcode + wide, true, index)
            }
            opcode::GOTO_W | opcode::JSR_W => self.branch(instruction.opcode, true, index),
            opcode::GOTO | opcode::JSR => self.branch(instruction.opcode, false, index),
            conditional if opcode::is_conditional(conditional) => {
                self.branch(conditional, false, index)
            }
            _ => write_local(instruction, bytes, self.shift, &mut self.layout.bytes),
        }
    }

    fn branch(&mut self, opcode: u8, wide: bool, index: usize) -> Result<(), Reason> {
        let target = self.code.target(index)?;
        self.layout.bytes.u1(opcode);
        self.open.push((self.here(), wide, index, target));
        let zeros: &[u8] = if wide { &[0; 4] } else { &[0; 2] };
        self.layout.bytes.extend_from_slice(zeros);
        Ok(())
    }

    fn switch(&mut self, index: usize) -> Result<(), Reason> {
        let switch = self.code.switch(index)?;
        self.layout.bytes.u1(self.code.instructions[index].opcode);
        while !self.layout.bytes.len().is_multiple_of(4) {
            self.layout.bytes.u1(0);
        }
        self.distance(index, switch.default);
        for word in switch.head {
            self.layout.bytes.u4(word);
        }
        for (key, target) in switch.cases {
            if let Some(key) = key {
                self.layout.bytes.u4(key);
            }
            self.distance(index, target);
        }
        Ok(())
    }

    fn distance(&mut self, index: usize, target: usize) {
        self.open.push((self.here(), true, index, target));
        self.layout.bytes.u4(0);
    }

    /// Fills all distances in; the branches that do not reach.
    fn connect(&mut self) -> Vec<usize> {
        let mut missed = Vec::new();
        for &(at, wide, index, target) in &self.open {
            // Distances are relative to the opcode; an island's opcode stands right in front of its distance.
            let from = match self.layout.instruction.get(index) {
                Some(&from) => from,
                None => at - 1,
            };
            let island = self.island_at.get(&index).filter(|_| !wide);
            let to = island.copied().unwrap_or(self.layout.label[target]);
            let distance = i64::from(to) - i64::from(from);
            let at = at as usize;
            if wide {
                self.layout.bytes[at..at + 4].copy_from_slice(&(distance as i32).to_be_bytes());
            } else if let Ok(short) = i16::try_from(distance) {
                self.layout.bytes[at..at + 2].copy_from_slice(&short.to_be_bytes());
            } else {
                missed.push(index);
            }
        }
        missed
    }
}

/// Copies an instruction that is no branch, its local variable renumbered.
fn write_local(
    instruction: Instruction,
    bytes: &[u8],
    shift: Shift,
    out: &mut Vec<u8>,
) -> Result<(), Reason> {
    let code = instruction.opcode;
    let (plain, local) = match code {
        opcode::ILOAD_0..=opcode::ALOAD_3 => {
            let which = code - opcode::ILOAD_0;
            (opcode::ILOAD + which / 4, u16::from(which % 4))
        }
        opcode::ISTORE_0..=opcode::ASTORE_3 => {
            let which = code - opcode::ISTORE_0;
            (opcode::ISTORE + which / 4, u16::from(which % 4))
        }
        opcode::ILOAD..=opcode::ALOAD
        | opcode::ISTORE..=opcode::ASTORE
        | opcode::IINC
        | opcode::RET => {
            let local = if instruction.wide {
                u16::from_be_bytes([bytes[2], bytes[3]])
            } else {
                bytes[1].into()
            };
            (code, local)
        }
        _ => {
            out.extend_from_slice(bytes);
            return Ok(());
        }
    };
    if crosses(plain, local, shift) {
        return Err(Reason::Straddles);
    }
    let moved = shift.apply(local)?;
    if moved == local {
        out.extend_from_slice(bytes);
        return Ok(());
    }
    if plain != opcode::IINC {
        access(plain, moved, out);
        return Ok(());
    }
    let by = &bytes[if instruction.wide { 4 } else { 2 }..];
    match (u8::try_from(moved), by) {
        (Ok(local), &[by]) => out.extend_from_slice(&[code, local, by]),
        (_, by) => {
            out.extend_from_slice(&[opcode::WIDE, code]);
            out.u2(moved);
            let by = match *by {
                [one] => i16::from(one as i8) as u16,
                _ => u16::from_be_bytes([by[0], by[1]]),
            };
            out.u2(by);
        }
    }
    Ok(())
}

/// A `long` or `double` in the slots around the border.
fn crosses(plain: u8, local: u16, shift: Shift) -> bool {
    let double = matches!(
        plain,
        opcode::LLOAD | opcode::DLOAD | opcode::LSTORE | opcode::DSTORE
    );
    double && shift.by > 0 && local.checked_add(1) == Some(shift.slot)
}

/// Writes `xload`, `xstore` or `ret` in its shortest form.
pub(crate) fn access(plain: u8, local: u16, out: &mut Vec<u8>) {
    match (plain, local) {
        (opcode::ILOAD..=opcode::ALOAD, 0..4) => {
            out.u1(opcode::ILOAD_0 + 4 * (plain - opcode::ILOAD) + local as u8);
        }
        (opcode::ISTORE..=opcode::ASTORE, 0..4) => {
            out.u1(opcode::ISTORE_0 + 4 * (plain - opcode::ISTORE) + local as u8);
        }
        (_, 0..256) => out.extend_from_slice(&[plain, local as u8]),
        _ => {
            out.extend_from_slice(&[opcode::WIDE, plain]);
            out.u2(local);
        }
    }
}
