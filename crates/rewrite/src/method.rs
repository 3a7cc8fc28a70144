//! Rewriting the code of one method.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::Write;
use crate::calls::{Call, Calls};
use crate::checks;
use crate::class::{Attribute, JAVA_6, write_attributes};
use crate::code::Code;
use crate::descriptor;
use crate::emit::{Emitter, STACK};
use crate::flow::{Block, Flow};
use crate::frames::{self, Frame, Type};
use crate::layout::{Layout, Shift, lay_out};
use crate::opcode;
use crate::options::{Mode, Options};
use crate::patches::Patches;
use crate::pool::Pool;
use crate::runtime::Runtime;
use crate::tables::{self, Locals, Moved};
use crate::throwing::{Around, Follower};
use crate::world::Surroundings;

/// What is needed beside the method itself.
pub(crate) struct Tools<'t, 'a> {
    pub(crate) pool: &'t mut Pool<'a>,
    pub(crate) runtime: &'t mut Runtime,
    pub(crate) calls: &'t mut Calls,
    pub(crate) surroundings: &'t Surroundings<'t>,
    pub(crate) options: &'t Options,
    pub(crate) major: u16,
}

/// The method that is rewritten.
pub(crate) struct Subject<'s> {
    pub(crate) descriptor: &'s [u8],
    /// Type of `this` at entry, none for static methods.
    pub(crate) this: Option<Type>,
    pub(crate) id: u32,
    pub(crate) way_in: WayIn,
}

/// How a counted method gets context and counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayIn {
    /// As additional parameters.
    Extended,
    /// A static initialiser: it keeps its signature and enters a context of its own.
    Initializer,
    /// A static method that keeps its signature: it does itself what a wrapper does.
    Root,
}

impl WayIn {
    /// Whether the signature stays, so that the method itself must leave what it entered.
    fn in_place(self) -> bool {
        self != Self::Extended
    }

    fn entry(self, emitter: &mut Emitter<'_, '_>, push: bool) -> Result<(), Reason> {
        match self {
            Self::Extended => emitter.entry(push),
            Self::Initializer => emitter.initializer_entry(),
            Self::Root => emitter.root_entry(),
        }
    }

    fn end(self, emitter: &mut Emitter<'_, '_>) -> Result<(), Reason> {
        match self {
            Self::Extended => Ok(()),
            Self::Initializer => emitter.initializer_end(),
            Self::Root => emitter.root_end(),
        }
    }
}

/// The `Code` attribute of the counted method.
pub(crate) fn rewrite<'a>(
    code: &Code<'a>,
    subject: &Subject<'_>,
    tools: &mut Tools<'_, 'a>,
) -> Result<Vec<u8>, Reason> {
    let calls = decide_calls(code, tools)?;
    let around = Around {
        instance: subject.this.is_some(),
        leave_stores: tools.options.mode == Mode::Sampling,
    };
    let follower = Follower::new(code, tools.pool, around);
    let flow = Flow::new(code, &calls, checks::longest_block(tools.options), follower)?;
    let checked = checks::place(code, &flow, tools.options)?;
    let slots = descriptor::slots(subject.descriptor)? + usize::from(subject.this.is_some());
    let instrumented = Instrumented {
        code,
        flow: &flow,
        calls: &calls,
        checked: &checked,
        subject,
        options: tools.options,
    };
    let patches = instrumented.patches(slots as u16, tools)?;
    assemble(code, subject, &patches, slots as u16, tools)
}

fn decide_calls(code: &Code<'_>, tools: &mut Tools<'_, '_>) -> Result<Vec<Option<Call>>, Reason> {
    let mut decided = Vec::with_capacity(code.instructions.len());
    for (index, instruction) in code.instructions.iter().enumerate() {
        let opcode = instruction.opcode;
        if matches!(opcode, opcode::JSR | opcode::JSR_W | opcode::RET) {
            return Err(Reason::Subroutines);
        }
        decided.push(if opcode == opcode::INVOKEDYNAMIC {
            Some(Call::Old)
        } else if opcode::is_call(opcode) {
            let slot = code.constant(index);
            let (pool, runtime) = (&mut *tools.pool, &mut *tools.runtime);
            let call = tools
                .calls
                .decide(slot, pool, runtime, tools.surroundings)?;
            Some(call)
        } else {
            None
        });
    }
    Ok(decided)
}

struct Instrumented<'i, 'a> {
    code: &'i Code<'a>,
    flow: &'i Flow,
    calls: &'i [Option<Call>],
    checked: &'i [bool],
    subject: &'i Subject<'i>,
    options: &'i Options,
}

impl<'a> Instrumented<'_, 'a> {
    fn patches(&self, base: u16, tools: &mut Tools<'_, 'a>) -> Result<Patches, Reason> {
        let mut emitter = Emitter {
            pool: tools.pool,
            runtime: tools.runtime,
            patches: Patches::default(),
            base,
            id: self.subject.id,
        };
        for (block, &checked) in self.flow.blocks.iter().zip(self.checked) {
            for index in block.start..block.end {
                self.entry(index, &mut emitter)?;
                emitter.patches.end_entry();
                if index == block.start {
                    self.block_start(block, checked, &mut emitter)?;
                }
                let opcode = self.code.instructions[index].opcode;
                if opcode::is_return(opcode) || opcode == opcode::ATHROW {
                    self.method_end(opcode, block, checked, &mut emitter)?;
                }
                self.instruction(index, &mut emitter)?;
                emitter.patches.end();
            }
        }
        Ok(emitter.patches)
    }

    fn entry(&self, index: usize, emitter: &mut Emitter<'_, '_>) -> Result<(), Reason> {
        let handler = self.flow.handler[index];
        if index == 0 {
            if handler {
                return Err(Reason::HandlerAtStart);
            }
            let checks = self.checked.contains(&true);
            let push = self.flow.calls || checks || !self.options.leaf;
            return self.subject.way_in.entry(emitter, push);
        }
        if handler { emitter.caught() } else { Ok(()) }
    }

    fn block_start(
        &self,
        block: &Block,
        checked: bool,
        emitter: &mut Emitter<'_, '_>,
    ) -> Result<(), Reason> {
        let returns = opcode::is_return(self.code.instructions[block.end - 1].opcode);
        if self.options.mode == Mode::Exact {
            if returns && !block.covered && !block.calls {
                return emitter.count_last(block.length());
            }
            return emitter.count(block.length(), block.throws || returns);
        }
        if returns && self.ends_at_start(block, checked) {
            return emitter.count_end(block.length());
        }
        let checks_at_end = returns && !self.options.leaf;
        let through = block.throws || checked || self.flow.mixed_handlers || checks_at_end;
        emitter.count(block.length(), through)?;
        if checked { emitter.check() } else { Ok(()) }
    }

    /// Whether the count of a block that returns is final at its start.
    fn ends_at_start(&self, block: &Block, checked: bool) -> bool {
        let in_place = self.subject.way_in.in_place();
        self.options.leaf && !in_place && !block.covered && !block.calls && !checked
    }

    fn instruction(&self, index: usize, emitter: &mut Emitter<'_, '_>) -> Result<(), Reason> {
        let opcode = self.code.instructions[index].opcode;
        match self.calls[index] {
            None | Some(Call::Pure) => {
                emitter.patches.end_before();
                emitter.patches.end_instead();
                Ok(())
            }
            Some(Call::Extended(slot)) => {
                emitter.arguments()?;
                emitter.patches.end_before();
                self.invoke(index, opcode, slot, emitter)?;
                emitter.patches.end_instead();
                emitter.returned()
            }
            Some(Call::Old) => {
                emitter.leave()?;
                emitter.patches.end_before();
                emitter.patches.end_instead();
                emitter.back()
            }
            Some(Call::Substituted(slot)) => {
                emitter.leave()?;
                emitter.patches.end_before();
                self.invoke(index, opcode::INVOKESTATIC, slot, emitter)?;
                emitter.patches.end_instead();
                emitter.back()
            }
        }
    }

    fn invoke(
        &self,
        index: usize,
        opcode: u8,
        slot: u16,
        emitter: &mut Emitter<'_, '_>,
    ) -> Result<(), Reason> {
        let more = emitter.runtime.parameter_slots() as u8;
        let out = &mut emitter.patches.bytes;
        out.u1(opcode);
        out.u2(slot);
        if opcode == opcode::INVOKEINTERFACE {
            let count = self.code.bytes_of(index)[3].checked_add(more);
            out.u1(count.ok_or(Reason::TooManySlots)?);
            out.u1(0);
        }
        Ok(())
    }

    /// In front of a `return` or `athrow`.
    fn method_end(
        &self,
        opcode: u8,
        block: &Block,
        checked: bool,
        emitter: &mut Emitter<'_, '_>,
    ) -> Result<(), Reason> {
        if self.options.mode == Mode::Sampling {
            let returns = opcode::is_return(opcode);
            let caught_here = !returns && block.covered;
            let done = returns && self.ends_at_start(block, checked);
            if !self.options.leaf || (caught_here && self.flow.calls) {
                emitter.check()?;
            } else if !caught_here && !done {
                emitter.end()?;
            }
        }
        if opcode::is_return(opcode) {
            self.subject.way_in.end(emitter)?;
        }
        Ok(())
    }
}

fn assemble<'a>(
    code: &Code<'a>,
    subject: &Subject<'_>,
    patches: &Patches,
    slots: u16,
    tools: &mut Tools<'_, 'a>,
) -> Result<Vec<u8>, Reason> {
    let inserted = tools.runtime.locals(tools.pool)?;
    let more: usize = inserted.iter().map(|one| one.slots()).sum();
    let shift = Shift {
        slot: slots,
        by: more as u16,
    };
    let mut layout = lay_out(code, patches, shift)?;
    let in_place = subject.way_in.in_place();
    let tail = if in_place {
        Some(append_tail(&mut layout, subject.way_in, slots, tools)?)
    } else {
        None
    };
    let mut class = |name: &[u8]| tools.pool.add_class(name);
    let old_entry = frames::parameters(subject.descriptor, subject.this, &mut class)?;
    let mut new_entry = old_entry.clone();
    if !in_place {
        new_entry.extend_from_slice(&inserted[..tools.runtime.parameter_types()]);
    }
    let locals = Locals {
        shift,
        inserted: &inserted,
        old_entry: &old_entry,
        new_entry: &new_entry,
        more: match tail {
            Some(at) if tools.major >= JAVA_6 => vec![Frame {
                at,
                // The parameters' variables may hold anything by then.
                locals: [vec![Type::Top; slots.into()], inserted.clone()].concat(),
                stack: vec![Type::Object(tools.pool.add_class(b"java/lang/Throwable")?)],
            }],
            _ => Vec::new(),
        },
    };
    let moved = Moved {
        code,
        layout: &layout,
        shift,
    };
    let mut attributes = tables::attributes(&moved, tools.pool, &locals)?;
    if !locals.more.is_empty() && !code.has_attribute(tools.pool, b"StackMapTable")? {
        let mut body = Vec::new();
        frames::encode(&locals.more, locals.new_entry, &mut body)?;
        attributes.push(Attribute {
            name: tools.pool.add_utf8(b"StackMapTable")?,
            body: Cow::Owned(body),
        });
    }
    let mut out = Vec::with_capacity(layout.bytes.len() + 64);
    out.u2(code.max_stack.checked_add(STACK).ok_or(Reason::TooMany)?);
    let max_locals = usize::from(code.max_locals.max(slots)) + more;
    out.count(max_locals)?;
    out.u4(layout.bytes.len() as u32);
    out.extend_from_slice(&layout.bytes);
    tables::handlers(&moved, tail, &mut out)?;
    write_attributes(&attributes, &mut out)?;
    Ok(out)
}

/// Behind the code of a method that keeps its signature: leaves what it entered when an exception ends it.
fn append_tail(
    layout: &mut Layout,
    way_in: WayIn,
    slots: u16,
    tools: &mut Tools<'_, '_>,
) -> Result<u32, Reason> {
    let at = layout.bytes.len() as u32;
    let mut emitter = Emitter {
        pool: tools.pool,
        runtime: tools.runtime,
        patches: Patches::default(),
        base: slots,
        id: 0,
    };
    way_in.end(&mut emitter)?;
    layout.bytes.extend_from_slice(&emitter.patches.bytes);
    layout.bytes.u1(opcode::ATHROW);
    if layout.bytes.len() > 0xffff {
        return Err(Reason::TooLarge);
    }
    Ok(at)
}
