//! The `Code` attribute, decoded into instructions.

use crate::Reason;
use crate::bytes::{Reader, malformed};
use crate::class::{Attribute, read_attributes};
use crate::opcode;
use crate::pool::Pool;

pub(crate) struct Code<'a> {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) bytes: &'a [u8],
    /// In the order of the code.
    pub(crate) instructions: Vec<Instruction>,
    /// Bytecode index to index of the instruction that begins there (`NONE` in its middle); the end is an index, too.
    index: Vec<u32>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) attributes: Vec<Attribute<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    /// Bytecode index.
    pub(crate) at: u32,
    /// The instruction; for `wide` the one that it widens.
    pub(crate) opcode: u8,
    pub(crate) wide: bool,
}

/// One row of the exception table, in indices of instructions.
#[derive(Clone, Copy)]
pub(crate) struct Handler {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) target: usize,
    pub(crate) catch: u16,
}

const NONE: u32 = u32::MAX;

impl<'a> Code<'a> {
    pub(crate) fn read(attribute: &'a [u8]) -> Result<Self, Reason> {
        let mut reader = Reader::new(attribute);
        let max_stack = reader.u2()?;
        let max_locals = reader.u2()?;
        let length = reader.u4()? as usize;
        if length == 0 || length > 0xffff {
            return malformed("code of no or too great length");
        }
        let bytes = reader.take(length)?;
        let (instructions, index) = decode(bytes)?;
        let mut code = Self {
            max_stack,
            max_locals,
            bytes,
            instructions,
            index,
            handlers: Vec::new(),
            attributes: Vec::new(),
        };
        code.handlers = reader.table(|reader| {
            Ok(Handler {
                start: code.find(reader.u2()?.into())?,
                end: code.find(reader.u2()?.into())?,
                target: code.find_instruction(reader.u2()?.into())?,
                catch: reader.u2()?,
            })
        })?;
        code.attributes = read_attributes(&mut reader)?;
        if !reader.is_empty() {
            return malformed("bytes behind the end of the code attribute");
        }
        Ok(code)
    }

    /// Index of the instruction at a bytecode index, or the number of instructions for the end of the code.
    pub(crate) fn find(&self, at: usize) -> Result<usize, Reason> {
        match self.index.get(at) {
            Some(&index) if index != NONE => Ok(index as usize),
            _ => malformed("a position in the middle of an instruction"),
        }
    }

    /// The same, but the end of the code is no instruction.
    pub(crate) fn find_instruction(&self, at: usize) -> Result<usize, Reason> {
        let index = self.find(at)?;
        if index == self.instructions.len() {
            return malformed("a position behind the last instruction");
        }
        Ok(index)
    }

    /// Whether the code has an attribute of that name.
    pub(crate) fn has_attribute(&self, pool: &Pool<'_>, name: &[u8]) -> Result<bool, Reason> {
        for attribute in &self.attributes {
            if pool.utf8(attribute.name)? == name {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an exception handler begins with that instruction.
    pub(crate) fn is_handler(&self, index: usize) -> bool {
        self.handlers.iter().any(|handler| handler.target == index)
    }

    /// The bytes of an instruction, from its opcode (or `wide`) on.
    pub(crate) fn bytes_of(&self, index: usize) -> &'a [u8] {
        let start = self.instructions[index].at as usize;
        let end = match self.instructions.get(index + 1) {
            Some(next) => next.at as usize,
            None => self.bytes.len(),
        };
        &self.bytes[start..end]
    }

    /// The constant that a field, call or allocation instruction names.
    pub(crate) fn constant(&self, index: usize) -> u16 {
        let bytes = self.bytes_of(index);
        u16::from_be_bytes([bytes[1], bytes[2]])
    }

    /// Target of a branch (not of a switch), as an index of an instruction.
    pub(crate) fn target(&self, index: usize) -> Result<usize, Reason> {
        let bytes = self.bytes_of(index);
        let distance = if bytes.len() == 3 {
            i32::from(i16::from_be_bytes([bytes[1], bytes[2]]))
        } else {
            i32::from_be_bytes([bytes[1], bytes[2], bytes[3], bytes[4]])
        };
        self.relative(index, distance)
    }

    fn relative(&self, index: usize, distance: i32) -> Result<usize, Reason> {
        let target = i64::from(self.instructions[index].at) + i64::from(distance);
        match usize::try_from(target) {
            Ok(target) => self.find_instruction(target),
            Err(_) => malformed("a branch in front of the code"),
        }
    }

    /// The parts of a `tableswitch` or `lookupswitch`.
    pub(crate) fn switch(&self, index: usize) -> Result<Switch, Reason> {
        let instruction = self.instructions[index];
        let padding = 3 - (instruction.at as usize & 3);
        let mut reader = Reader::new(&self.bytes_of(index)[1 + padding..]);
        let default = self.relative(index, reader.u4()? as i32)?;
        let mut switch = Switch {
            default,
            head: Vec::new(),
            cases: Vec::new(),
        };
        let table = instruction.opcode == opcode::TABLESWITCH;
        let (first, second) = (reader.u4()?, if table { reader.u4()? } else { 0 });
        switch.head.push(first);
        if table {
            switch.head.push(second);
        }
        while !reader.is_empty() {
            let key = if table { None } else { Some(reader.u4()?) };
            let target = self.relative(index, reader.u4()? as i32)?;
            switch.cases.push((key, target));
        }
        Ok(switch)
    }

    /// Every instruction that a branch or switch at `index` may go to.
    pub(crate) fn targets(&self, index: usize, mut each: impl FnMut(usize)) -> Result<(), Reason> {
        match self.instructions[index].opcode {
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                let switch = self.switch(index)?;
                each(switch.default);
                switch.cases.iter().for_each(|&(_, target)| each(target));
            }
            opcode::GOTO | opcode::GOTO_W | opcode::JSR | opcode::JSR_W => {
                each(self.target(index)?);
            }
            conditional if opcode::is_conditional(conditional) => each(self.target(index)?),
            _ => {}
        }
        Ok(())
    }
}

/// A switch with targets as indices of instructions.
pub(crate) struct Switch {
    pub(crate) default: usize,
    /// `low` and `high` of a `tableswitch`, the number of pairs of a `lookupswitch`.
    pub(crate) head: Vec<u32>,
    /// Key (`lookupswitch` only) and target.
    pub(crate) cases: Vec<(Option<u32>, usize)>,
}

fn decode(bytes: &[u8]) -> Result<(Vec<Instruction>, Vec<u32>), Reason> {
    let mut instructions = Vec::with_capacity(bytes.len() / 2);
    let mut index = vec![NONE; bytes.len() + 1];
    let mut at = 0;
    while at < bytes.len() {
        index[at] = instructions.len() as u32;
        let wide = bytes[at] == opcode::WIDE;
        let length = match bytes[at] {
            opcode::WIDE => wide_length(bytes, at)?,
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => switch_length(bytes, at)?,
            other => opcode::length(other),
        };
        if length == 0 || length > bytes.len() - at {
            return malformed("an unknown or unfinished instruction");
        }
        instructions.push(Instruction {
            at: at as u32,
            opcode: bytes[at + usize::from(wide)],
            wide,
        });
        at += length;
    }
    index[at] = instructions.len() as u32;
    Ok((instructions, index))
}

fn wide_length(bytes: &[u8], at: usize) -> Result<usize, Reason> {
    match bytes.get(at + 1) {
        Some(&opcode::IINC) => Ok(6),
        Some(opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE | &opcode::RET) => {
            Ok(4)
        }
        _ => malformed("`wide` in front of an instruction that has no wide form"),
    }
}

fn switch_length(bytes: &[u8], at: usize) -> Result<usize, Reason> {
    let head = 1 + (3 - (at & 3));
    let mut reader = Reader::new(&bytes[at..]);
    reader.take(head)?;
    reader.u4()?;
    let length = if bytes[at] == opcode::TABLESWITCH {
        let (low, high) = (reader.u4()? as i32, reader.u4()? as i32);
        let cases = i64::from(high) - i64::from(low) + 1;
        if cases <= 0 {
            return malformed("a tableswitch without cases");
        }
        12 + 4 * cases
    } else {
        let pairs = reader.u4()? as i32;
        if pairs < 0 {
            return malformed("a lookupswitch with a negative number of cases");
        }
        8 + 8 * i64::from(pairs)
    };
    match usize::try_from(length) {
        Ok(length) if length <= bytes.len() => Ok(head + length),
        _ => malformed("a switch that does not end"),
    }
}
