//! The code of a method with sites.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::Write;
use crate::class::{Attribute, JAVA_6, write_attributes};
use crate::code::Code;
use crate::frames::{self, Frame, Type};
use crate::layout::{Layout, Shift, lay_out};
use crate::opcode;
use crate::patches::Patches;
use crate::pool::Pool;
use crate::tables::{self, Locals, Moved};

use super::Site;
use super::body::{self, Body};
use super::place::{Part, Spot};

/// Longest method that HotSpot compiles if not told otherwise, bytes.
const LONGEST_COMPILED: usize = 8000;
/// Of a method that no class file could hold with its sites.
const TOO_LARGE: Reason =
    Reason::NoPlace("with a site it would exceed 65,535 bytes, the most that a method can have");

/// What is done to one method.
pub(super) struct Edit<'e, 'a> {
    pub(super) code: &'e Code<'a>,
    /// Types of its parameters.
    pub(super) entry: &'e [Type],
    /// Sites, and where they go.
    pub(super) spots: &'e [(&'e Site, Spot)],
    /// Calls that would end the JVM, and what is called instead.
    pub(super) leaving: &'e [(usize, u16)],
    /// Version of the class file.
    pub(super) major: u16,
}

/// A `Code` attribute, and begin and end of each site's loop in it.
type Assembled = (Vec<u8>, Vec<(u16, u16)>);

/// Where a site's code begins in its part of the patch, and its own positions.
type Written = (usize, Body);

/// Patches in the making, and what was written of each site.
struct Draft {
    patches: Patches,
    written: Vec<Option<Written>>,
}

impl<'a> Edit<'_, 'a> {
    /// The new `Code` attribute, and begin and end of each site's loop in it.
    pub(super) fn assemble(&self, pool: &mut Pool<'a>) -> Result<Assembled, Reason> {
        let (patches, written) = self.patches(pool)?;
        let none = Shift { slot: 0, by: 0 };
        let layout = lay_out(self.code, &patches, none).map_err(|reason| match reason {
            Reason::TooLarge => TOO_LARGE,
            other => other,
        })?;
        if layout.bytes.len() > LONGEST_COMPILED && self.code.bytes.len() <= LONGEST_COMPILED {
            return Err(Reason::NoPlace(
                "with a site it would exceed 8,000 bytes, and the JVM would no longer compile it",
            ));
        }
        let moved = Moved {
            code: self.code,
            layout: &layout,
            shift: none,
        };
        let starts: Vec<u32> = (self.spots.iter().zip(&written))
            .map(|((_, spot), (inside, _))| part_start(&layout, spot) + *inside as u32)
            .collect();
        let mut more = Vec::new();
        if self.major >= JAVA_6 {
            let all = self.spots.iter().zip(&written).zip(&starts);
            for (((_, spot), (_, body)), &start) in all.filter(|((_, one), _)| one.1.branches()) {
                more.extend(self.frames(&spot.frame, body, start, &moved)?);
            }
        }
        let locals = Locals {
            shift: none,
            inserted: &[],
            old_entry: self.entry,
            new_entry: self.entry,
            more,
        };
        let mut attributes = tables::attributes(&moved, pool, &locals)?;
        if !locals.more.is_empty() && !self.code.has_attribute(pool, b"StackMapTable")? {
            let mut frames = locals.more.clone();
            frames.sort_by_key(|frame| frame.at);
            let mut body = Vec::new();
            frames::encode(&frames, self.entry, &mut body)?;
            attributes.push(Attribute {
                name: pool.add_utf8(b"StackMapTable")?,
                body: Cow::Owned(body),
            });
        }
        let out = self.write(&moved, &attributes)?;
        let ranges = starts
            .iter()
            .zip(&written)
            .map(|(start, (_, body))| ((start + body.head) as u16, (start + body.end) as u16));
        Ok((out, ranges.collect()))
    }

    fn write(
        &self,
        moved: &Moved<'_, 'a>,
        attributes: &[Attribute<'_>],
    ) -> Result<Vec<u8>, Reason> {
        let bytes = &moved.layout.bytes;
        let mut out = Vec::with_capacity(bytes.len() + 64);
        let (stack, locals) = match self.spots {
            [] => (0, 0),
            _ => (body::STACK, body::LOCALS),
        };
        out.u2(self
            .code
            .max_stack
            .checked_add(stack)
            .ok_or(Reason::TooMany)?);
        out.u2(self
            .code
            .max_locals
            .checked_add(locals)
            .ok_or(Reason::TooMany)?);
        out.u4(bytes.len() as u32);
        out.extend_from_slice(bytes);
        tables::handlers(moved, None, &mut out)?;
        write_attributes(attributes, &mut out)?;
        Ok(out)
    }

    /// The patches, and for each site what was written of it.
    fn patches(&self, pool: &mut Pool<'a>) -> Result<(Patches, Vec<Written>), Reason> {
        let mut draft = Draft {
            patches: Patches::default(),
            written: vec![None; self.spots.len()],
        };
        for index in 0..self.code.instructions.len() {
            self.part(index, Part::Entry, pool, &mut draft)?;
            draft.patches.end_entry();
            self.part(index, Part::Before, pool, &mut draft)?;
            draft.patches.end_before();
            if let Some((_, slot)) = self.leaving.iter().find(|(at, _)| *at == index) {
                draft.patches.bytes.u1(opcode::INVOKESTATIC);
                draft.patches.bytes.u2(*slot);
            }
            draft.patches.end_instead();
            self.part(index, Part::After, pool, &mut draft)?;
            draft.patches.end();
        }
        let written = draft.written.into_iter().flatten().collect();
        Ok((draft.patches, written))
    }

    fn part(
        &self,
        index: usize,
        part: Part,
        pool: &mut Pool<'a>,
        draft: &mut Draft,
    ) -> Result<(), Reason> {
        let out = &mut draft.patches.bytes;
        let begin = out.len();
        for ((site, spot), written) in self.spots.iter().zip(&mut draft.written) {
            if spot.instruction == index && spot.part == part {
                let inside = out.len() - begin;
                let first = self.code.max_locals;
                first.checked_add(body::LOCALS).ok_or(Reason::TooMany)?;
                let body = body::write(site, first, pool, out)?;
                *written = Some((inside, body));
            }
        }
        Ok(())
    }

    /// The frames of a site: at the loop's head, behind the loop, at the end, and at the head of a loop inside of a turn.
    fn frames(
        &self,
        around: &Frame,
        body: &Body,
        start: u32,
        moved: &Moved<'_, '_>,
    ) -> Result<Vec<Frame>, Reason> {
        let mut outside = around.clone();
        for one in outside.locals.iter_mut().chain(&mut outside.stack) {
            if let Type::Uninitialized(at) = one {
                *at = moved.layout.instruction[self.code.find_instruction((*at).into())?] as u16;
            }
        }
        let with = |variables: u16| -> Result<Frame, Reason> {
            let mut frame = outside.clone();
            let types = vec![Type::Integer; variables.into()];
            frames::insert(&mut frame.locals, self.code.max_locals.into(), &types)?;
            Ok(frame)
        };
        let at = |frame: &Frame, position: u32| Frame {
            at: start + position,
            ..frame.clone()
        };
        let inside = with(body::HELD)?;
        let mut all = vec![
            at(&inside, body.head),
            at(&inside, body.end),
            at(&outside, body.last),
        ];
        if let Some(inner) = body.inner {
            all.push(at(&with(body::LOCALS)?, inner));
        }
        Ok(all)
    }
}

/// Where the part of a patch begins in the new code.
fn part_start(layout: &Layout, spot: &Spot) -> u32 {
    match spot.part {
        Part::Entry => layout.start[spot.instruction],
        Part::Before => layout.label[spot.instruction],
        // Sites stand behind calls of constructors, which have three bytes.
        Part::After => layout.instruction[spot.instruction] + 3,
    }
}
