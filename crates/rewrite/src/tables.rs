//! The tables of a `Code` attribute, moved with the code.

use std::borrow::Cow;

use crate::Reason;
use crate::annotations::{self, Moves};
use crate::bytes::{Reader, Write, malformed};
use crate::class::Attribute;
use crate::code::Code;
use crate::frames::{self, Frame, Type};
use crate::layout::{Layout, Shift};
use crate::pool::Pool;

/// Locals at method entry, before and after the edit, and what is inserted at the border.
pub(crate) struct Locals<'l> {
    pub(crate) shift: Shift,
    pub(crate) inserted: &'l [Type],
    pub(crate) old_entry: &'l [Type],
    pub(crate) new_entry: &'l [Type],
    /// Frames behind the code.
    pub(crate) more: Vec<Frame>,
}

/// Code, its new layout and the way from one to the other.
pub(crate) struct Moved<'m, 'a> {
    pub(crate) code: &'m Code<'a>,
    pub(crate) layout: &'m Layout,
    pub(crate) shift: Shift,
}

impl Moved<'_, '_> {
    /// New position of what begins at a bytecode index. A position inside an instruction counts as its start: the
    /// JVM does not check debug tables.
    fn start(&self, at: u16) -> Result<u16, Reason> {
        let mut at = usize::from(at);
        loop {
            match self.code.find(at) {
                Ok(index) => return Ok(self.layout.start[index] as u16),
                Err(_) if at > 0 && at < self.code.bytes.len() => at -= 1,
                Err(reason) => return Err(reason),
            }
        }
    }
}

impl Moves for Moved<'_, '_> {
    fn range(&self, start: u16, length: u16) -> Result<(u16, u16), Reason> {
        let Some(end) = start.checked_add(length) else {
            return malformed("a range that ends behind the code");
        };
        let (start, end) = (self.start(start)?, self.start(end)?);
        Ok((start, end - start))
    }

    fn local(&self, local: u16) -> Result<u16, Reason> {
        self.shift.apply(local)
    }

    fn instruction(&self, at: u16) -> Result<u16, Reason> {
        let index = self.code.find_instruction(at.into())?;
        Ok(self.layout.instruction[index] as u16)
    }
}

/// Writes the exception table. `tail` is a handler behind the code that covers all of it.
pub(crate) fn handlers(
    moved: &Moved<'_, '_>,
    tail: Option<u32>,
    out: &mut Vec<u8>,
) -> Result<(), Reason> {
    out.count(moved.code.handlers.len() + usize::from(tail.is_some()))?;
    for handler in &moved.code.handlers {
        // Not the entry part: the method's own sets the inserted variables.
        let Some(&start) = moved.layout.label.get(handler.start) else {
            return malformed("an exception handler for nothing");
        };
        out.u2(start as u16);
        out.u2(moved.layout.start[handler.end] as u16);
        out.u2(moved.layout.start[handler.target] as u16);
        out.u2(handler.catch);
    }
    if let Some(tail) = tail {
        for at in [moved.layout.label[0], tail, tail, 0] {
            out.u2(at as u16);
        }
    }
    Ok(())
}

/// The attributes of the code. Unknown ones are dropped: they may hold positions.
pub(crate) fn attributes<'a>(
    moved: &Moved<'_, 'a>,
    pool: &Pool<'a>,
    locals: &Locals<'_>,
) -> Result<Vec<Attribute<'a>>, Reason> {
    let mut kept = Vec::with_capacity(moved.code.attributes.len());
    for attribute in &moved.code.attributes {
        let body = &attribute.body;
        let new = match pool.utf8(attribute.name)? {
            b"LineNumberTable" => line_numbers(body, moved)?,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => local_variables(body, moved)?,
            b"StackMapTable" => stack_map(body, moved, locals)?,
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                annotations::relocate(body, moved)?
            }
            _ => continue,
        };
        kept.push(Attribute {
            name: attribute.name,
            body: Cow::Owned(new),
        });
    }
    Ok(kept)
}

fn line_numbers(body: &[u8], moved: &Moved<'_, '_>) -> Result<Vec<u8>, Reason> {
    let mut reader = Reader::new(body);
    let mut out = Vec::with_capacity(body.len());
    let count = reader.u2()?;
    out.u2(count);
    for _ in 0..count {
        out.u2(moved.start(reader.u2()?)?);
        out.u2(reader.u2()?);
    }
    Ok(out)
}

fn local_variables(body: &[u8], moved: &Moved<'_, '_>) -> Result<Vec<u8>, Reason> {
    let mut reader = Reader::new(body);
    let mut out = Vec::with_capacity(body.len());
    let count = reader.u2()?;
    out.u2(count);
    for _ in 0..count {
        let (start, length) = moved.range(reader.u2()?, reader.u2()?)?;
        out.u2(start);
        out.u2(length);
        out.extend_from_slice(reader.take(4)?);
        out.u2(moved.local(reader.u2()?)?);
    }
    Ok(out)
}

fn stack_map(body: &[u8], moved: &Moved<'_, '_>, locals: &Locals<'_>) -> Result<Vec<u8>, Reason> {
    let mut frames = Vec::new();
    for mut frame in frames::decode(body, locals.old_entry)? {
        let index = moved.code.find_instruction(frame.at as usize)?;
        if !locals.inserted.is_empty() {
            let border = locals.shift.slot.into();
            frames::insert(&mut frame.locals, border, locals.inserted)?;
        }
        for one in frame.locals.iter_mut().chain(&mut frame.stack) {
            if let Type::Uninitialized(at) = one {
                *at = moved.instruction(*at)?;
            }
        }
        let (start, label) = (moved.layout.start[index], moved.layout.label[index]);
        for &(island, _) in islands_to(moved.layout, index) {
            frames.push(Frame {
                at: island,
                ..frame.clone()
            });
        }
        // The method's own entry part is no target: only handlers come to an entry part.
        if start != label && moved.code.is_handler(index) {
            frames.push(Frame {
                at: start,
                ..frame.clone()
            });
        }
        frame.at = label;
        frames.push(frame);
    }
    frames.extend(locals.more.iter().cloned());
    frames.sort_by_key(|frame| frame.at);
    let mut out = Vec::with_capacity(body.len() + 16);
    frames::encode(&frames, locals.new_entry, &mut out)?;
    Ok(out)
}

fn islands_to(layout: &Layout, target: usize) -> impl Iterator<Item = &(u32, usize)> {
    layout
        .islands
        .iter()
        .filter(move |island| island.1 == target)
}
