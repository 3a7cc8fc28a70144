//! The runtime's classes, as rewritten code sees them: names, descriptors, constants.

use crate::bytes::Write;
use crate::frames::Type;
use crate::opcode;
use crate::options::{Mode, Options};
use crate::pool::{FIELD, METHOD, Pool};
use crate::{Reason, descriptor};

/// Members of the runtime that rewritten code uses. Those of sampling belong to `Context` or `Frame`, those of exact
/// counting to `Node`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol {
    /// `Context.check(Context, Frame, long)`: the counter, refilled if a sample was due.
    Check,
    /// `Context.end(Context, Frame, long, int)`: stores the counter, remembers that a sample fell due in that method.
    End,
    /// `Frame.context`.
    FrameContext,
    /// `Frame.next`.
    Next,
    /// `Frame.id`.
    Id,
    /// `Context.count` or `Node.count`.
    Count,
    /// `Node.child(Node, int)`: the node of the method that is entered.
    Child,
    /// `Node.thread`: the root of the thread's own tree.
    Thread,
    /// `Context.top` or `Node.top`: what says that no rewritten code runs.
    Top,
    /// In front of a call with the old signature.
    Leave,
    /// Behind it.
    Back,
    /// In a reverse wrapper, in front of the call with the old signature.
    Pass,
    /// Start of a wrapper.
    Enter,
    /// End of a wrapper.
    Exit,
    /// Start of a static initialiser.
    Initializer,
    /// End of a static initialiser.
    LeaveInitializer,
}

/// The runtime in one class's constant pool.
pub(crate) struct Runtime {
    pub(crate) mode: Mode,
    prefix: String,
    /// Descriptor text of the additional parameters.
    pub(crate) parameters: Vec<u8>,
    classes: Vec<(&'static str, u16)>,
    /// By symbol; 0 where nobody has asked yet.
    slots: [u16; Symbol::LeaveInitializer as usize + 1],
}

impl Runtime {
    pub(crate) fn new(options: &Options) -> Self {
        let prefix = options.runtime.clone();
        let parameters = match options.mode {
            Mode::Sampling => format!("L{prefix}Context;L{prefix}Frame;J"),
            Mode::Exact => format!("L{prefix}Node;"),
        };
        Self {
            mode: options.mode,
            prefix,
            parameters: parameters.into_bytes(),
            classes: Vec::new(),
            slots: [0; Symbol::LeaveInitializer as usize + 1],
        }
    }

    /// Slots of the additional parameters.
    pub(crate) fn parameter_slots(&self) -> usize {
        match self.mode {
            Mode::Sampling => 4,
            Mode::Exact => 1,
        }
    }

    /// How many of [`Runtime::locals`] are parameters.
    pub(crate) fn parameter_types(&self) -> usize {
        match self.mode {
            Mode::Sampling => 3,
            Mode::Exact => 1,
        }
    }

    /// The descriptor of an extended method.
    pub(crate) fn extend(&self, descriptor: &[u8]) -> Vec<u8> {
        descriptor::with_parameters(descriptor, &self.parameters)
    }

    /// Types of all local variables that are inserted behind the parameters.
    pub(crate) fn locals(&mut self, pool: &mut Pool<'_>) -> Result<Vec<Type>, Reason> {
        Ok(match self.mode {
            Mode::Sampling => vec![
                Type::Object(self.class("Context", pool)?),
                Type::Object(self.class("Frame", pool)?),
                Type::Long,
            ],
            Mode::Exact => vec![Type::Object(self.class("Node", pool)?), Type::Long],
        })
    }

    /// The class whose object a wrapper gets on entry.
    pub(crate) fn entry_class(&mut self, pool: &mut Pool<'_>) -> Result<u16, Reason> {
        match self.mode {
            Mode::Sampling => self.class("Frame", pool),
            Mode::Exact => self.class("Node", pool),
        }
    }

    fn class(&mut self, name: &'static str, pool: &mut Pool<'_>) -> Result<u16, Reason> {
        if let Some(&(_, slot)) = self.classes.iter().find(|&&(known, _)| known == name) {
            return Ok(slot);
        }
        let slot = pool.add_class(format!("{}{name}", self.prefix).as_bytes())?;
        self.classes.push((name, slot));
        Ok(slot)
    }

    /// Writes a call of a static method or an access of a field of the runtime.
    pub(crate) fn emit(
        &mut self,
        symbol: Symbol,
        pool: &mut Pool<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Reason> {
        let opcode = match symbol {
            Symbol::FrameContext | Symbol::Next | Symbol::Count | Symbol::Thread => {
                opcode::GETFIELD
            }
            Symbol::Id | Symbol::Top => opcode::PUTFIELD,
            _ => opcode::INVOKESTATIC,
        };
        out.u1(opcode);
        out.u2(self.slot(symbol, pool)?);
        Ok(())
    }

    /// Writes `Context.count = ..` or `Node.count = ..`.
    pub(crate) fn emit_store(
        &mut self,
        pool: &mut Pool<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Reason> {
        out.u1(opcode::PUTFIELD);
        out.u2(self.slot(Symbol::Count, pool)?);
        Ok(())
    }

    fn slot(&mut self, symbol: Symbol, pool: &mut Pool<'_>) -> Result<u16, Reason> {
        let known = self.slots[symbol as usize];
        if known != 0 {
            return Ok(known);
        }
        let (class, name, shape) = member(symbol, self.mode);
        let owner = self.class(class, pool)?;
        // `%C`, `%F` and `%N` stand for the three classes.
        let descriptor = shape
            .replace("%C", &format!("L{}Context;", self.prefix))
            .replace("%F", &format!("L{}Frame;", self.prefix))
            .replace("%N", &format!("L{}Node;", self.prefix));
        let tag = if shape.starts_with('(') {
            METHOD
        } else {
            FIELD
        };
        let slot = pool.add_member(tag, owner, name.as_bytes(), descriptor.as_bytes())?;
        self.slots[symbol as usize] = slot;
        Ok(slot)
    }

    /// A method of the class `Reflection`.
    pub(crate) fn reflection(
        &mut self,
        name: &[u8],
        descriptor: &[u8],
        pool: &mut Pool<'_>,
    ) -> Result<u16, Reason> {
        let owner = self.class("Reflection", pool)?;
        pool.add_member(METHOD, owner, name, descriptor)
    }
}

/// Class, name and descriptor of a symbol.
fn member(symbol: Symbol, mode: Mode) -> (&'static str, &'static str, &'static str) {
    match (mode, symbol) {
        (_, Symbol::Check) => ("Context", "check", "(%C%FJ)J"),
        (_, Symbol::End) => ("Context", "end", "(%C%FJI)V"),
        (_, Symbol::FrameContext) => ("Frame", "context", "%C"),
        (_, Symbol::Next) => ("Frame", "next", "%F"),
        (_, Symbol::Id) => ("Frame", "id", "I"),
        (_, Symbol::Child) => ("Node", "child", "(%NI)%N"),
        (_, Symbol::Thread) => ("Node", "thread", "%N"),
        (Mode::Sampling, Symbol::Count) => ("Context", "count", "J"),
        (Mode::Sampling, Symbol::Top) => ("Context", "top", "I"),
        (Mode::Sampling, Symbol::Leave) => ("Context", "leave", "(%C%FJ)V"),
        (Mode::Sampling, Symbol::Back) => ("Context", "back", "(%C)J"),
        (Mode::Sampling, Symbol::Pass) => ("Context", "pass", "(%C%FJ)V"),
        (Mode::Sampling, Symbol::Enter) => ("Frame", "enter", "()%F"),
        (Mode::Sampling, Symbol::Exit) => ("Frame", "exit", "(%F)V"),
        (Mode::Sampling, Symbol::Initializer) => ("Frame", "initializer", "(I)%F"),
        (Mode::Sampling, Symbol::LeaveInitializer) => ("Frame", "leaveInitializer", "(%F)V"),
        (Mode::Exact, Symbol::Count) => ("Node", "count", "J"),
        (Mode::Exact, Symbol::Top) => ("Node", "top", "%N"),
        (Mode::Exact, Symbol::Leave) => ("Node", "leave", "(%N)V"),
        (Mode::Exact, Symbol::Back) => ("Node", "back", "(%N)V"),
        (Mode::Exact, Symbol::Pass) => ("Node", "pass", "(%N)V"),
        (Mode::Exact, Symbol::Enter) => ("Node", "enter", "()%N"),
        (Mode::Exact, Symbol::Exit) => ("Node", "exit", "(%N)V"),
        (Mode::Exact, Symbol::Initializer) => ("Node", "initializer", "(I)%N"),
        (Mode::Exact, Symbol::LeaveInitializer) => ("Node", "leaveInitializer", "(%N)V"),
    }
}

/// Writes an `int` constant.
pub(crate) fn push_int(value: i32, pool: &mut Pool<'_>, out: &mut Vec<u8>) -> Result<(), Reason> {
    if (-1..=5).contains(&value) {
        out.u1((3 + value) as u8);
    } else if let Ok(byte) = i8::try_from(value) {
        out.extend_from_slice(&[0x10, byte as u8]);
    } else if let Ok(short) = i16::try_from(value) {
        out.u1(0x11);
        out.u2(short as u16);
    } else {
        let slot = pool.add_integer(value)?;
        match u8::try_from(slot) {
            Ok(slot) => out.extend_from_slice(&[0x12, slot]),
            Err(_) => {
                out.u1(0x13);
                out.u2(slot);
            }
        }
    }
    Ok(())
}

/// Writes a `long` constant.
pub(crate) fn push_long(value: i64, pool: &mut Pool<'_>, out: &mut Vec<u8>) -> Result<(), Reason> {
    if let Ok(short) = i16::try_from(value) {
        push_int(short.into(), pool, out)?;
        out.u1(opcode::I2L);
        return Ok(());
    }
    let slot = pool.add_long(value)?;
    out.u1(0x14);
    out.u2(slot);
    Ok(())
}
