//! Methods and classes with sites.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::Write;
use crate::class::{ABSTRACT, Attribute, Class, JAVA_6, Member, NATIVE, STATIC, write_attributes};
use crate::code::Code;
use crate::frames::{self, Frame, Type};
use crate::layout::{Layout, Shift, lay_out};
use crate::opcode;
use crate::patches::Patches;
use crate::pool::Pool;
use crate::summary::text;
use crate::tables::{self, Locals, Moved};

use super::body::{self, Body};
use super::exits::exit_calls;
use super::lines::{line_at, line_table};
use super::place::{Ground, Part, Spot};
use super::{Placed, Refused, Site, Sited};

/// Longest method that HotSpot compiles if not told otherwise, bytes.
const LONGEST_COMPILED: usize = 8000;

/// Puts sites into a class. Methods that cannot take one stay as they are and are named. `exits` is the class whose
/// methods `exit(int)` and `exit(Runtime, int)` are called instead of `System.exit`, `Runtime.exit` and `Runtime.halt`,
/// in all methods of the class.
///
/// # Errors
/// When the bytes are no class file that can be read, or its constant pool is full.
pub fn insert_sites(bytes: &[u8], sites: &[Site], exits: Option<&str>) -> Result<Sited, Reason> {
    let mut class = Class::read(bytes)?;
    let mut sited = Sited::default();
    let mut found = vec![false; sites.len()];
    let mut changed = false;
    for at in 0..class.methods.len() {
        let (name, descriptor) = names(&class, &class.methods[at])?;
        let mut wanted = Vec::new();
        for (site, found) in sites.iter().zip(&mut found) {
            let same = site
                .descriptor
                .as_ref()
                .is_none_or(|one| *one == descriptor);
            if site.method == name && same {
                *found = true;
                wanted.push(site);
            }
        }
        changed |= method(&mut class, at, &wanted, exits, &mut sited)?;
    }
    for (site, _) in sites.iter().zip(found).filter(|(_, found)| !found) {
        sited.refused.push(Refused {
            index: site.index,
            descriptor: String::new(),
            reason: Reason::NoPlace("the class has no such method"),
        });
    }
    if changed {
        sited.bytes = Some(class.write(2 * bytes.len())?);
    }
    Ok(sited)
}

fn names(class: &Class<'_>, method: &Member<'_>) -> Result<(String, String), Reason> {
    let name = class.pool.utf8(method.name)?;
    let descriptor = class.pool.utf8(method.descriptor)?;
    Ok((text(name), text(descriptor)))
}

/// Rewrites one method; whether it was changed. One that cannot take its sites is rewritten without them.
fn method<'a>(
    class: &mut Class<'a>,
    at: usize,
    wanted: &[&Site],
    exits: Option<&str>,
    sited: &mut Sited,
) -> Result<bool, Reason> {
    let descriptor = names(class, &class.methods[at])?.1;
    let refuse = |reason: Reason, sited: &mut Sited| {
        sited.refused.extend(wanted.iter().map(|site| Refused {
            index: site.index,
            descriptor: descriptor.clone(),
            reason: reason.clone(),
        }));
    };
    if wanted.is_empty() && exits.is_none() {
        return Ok(false);
    }
    let Some(attribute) = class.methods[at].find(&class.pool, b"Code")? else {
        let what = match class.methods[at].access & (NATIVE | ABSTRACT) {
            NATIVE => "it is native: it has no bytecode",
            _ => "it is abstract: it has no bytecode",
        };
        refuse(Reason::NoPlace(what), sited);
        return Ok(false);
    };
    match rewritten(class, at, attribute, wanted, exits) {
        Ok(None) => Ok(false),
        Ok(Some((body, placed, refused))) => {
            let changes = !body.is_empty();
            if changes {
                class.methods[at].attributes[attribute].body = Cow::Owned(body);
            }
            sited.placed.extend(placed);
            sited.refused.extend(refused);
            Ok(changes)
        }
        Err(Reason::PoolFull) => Err(Reason::PoolFull),
        Err(reason) => {
            refuse(reason, sited);
            if wanted.is_empty() || exits.is_none() {
                return Ok(false);
            }
            // What would end the JVM is replaced all the same.
            method(class, at, &[], exits, sited)
        }
    }
}

/// New code (empty if it stays as it is), what is in it, what is not.
type Rewritten = (Vec<u8>, Vec<Placed>, Vec<Refused>);

fn rewritten<'a>(
    class: &mut Class<'a>,
    at: usize,
    attribute: usize,
    wanted: &[&Site],
    exits: Option<&str>,
) -> Result<Option<Rewritten>, Reason> {
    let method = class.methods[at].clone();
    let descriptor = class.pool.utf8(method.descriptor)?;
    let Cow::Borrowed(old) = method.attributes[attribute].body else {
        return Err(Reason::Malformed("code that was rewritten before"));
    };
    let code = Code::read(old)?;
    let leaving = match exits {
        Some(class_name) => exit_calls(&code, class_name, &mut class.pool)?,
        None => Vec::new(),
    };
    if wanted.is_empty() && leaving.is_empty() {
        return Ok(None);
    }
    if code
        .instructions
        .iter()
        .any(|one| matches!(one.opcode, opcode::JSR | opcode::JSR_W | opcode::RET))
    {
        return Err(Reason::Subroutines);
    }
    let this = match (method.access & STATIC, class.pool.utf8(method.name)?) {
        (0, b"<init>") => Some(Type::UninitializedThis),
        (0, _) => Some(Type::Object(class.this)),
        _ => None,
    };
    let entry = frames::parameters(descriptor, this, |name| class.pool.add_class(name))?;
    let ground = Ground::new(&code, entry.clone(), class.this, class.major, &class.pool)?;
    let mut spots = Vec::new();
    let mut refused = Vec::new();
    for &site in wanted {
        match ground.find(site.place, &class.pool) {
            Ok(spot) => spots.push((site, spot)),
            Err(reason) => refused.push(Refused {
                index: site.index,
                descriptor: text(descriptor),
                reason,
            }),
        }
    }
    if spots.is_empty() && leaving.is_empty() {
        return Ok(Some((Vec::new(), Vec::new(), refused)));
    }
    let edit = Edit {
        code: &code,
        entry: &entry,
        spots: &spots,
        leaving: &leaving,
        major: class.major,
    };
    let (body, positions) = edit.assemble(&mut class.pool)?;
    let lines = line_table(&code, &class.pool)?;
    let placed = spots
        .iter()
        .zip(positions)
        .map(|((site, spot), (begin, end))| Placed {
            index: site.index,
            descriptor: text(descriptor),
            line: line_at(&lines, code.instructions[spot.instruction].at),
            begin,
            end,
        });
    let placed = placed.collect();
    Ok(Some((body, placed, refused)))
}

/// What is done to one method.
struct Edit<'e, 'a> {
    code: &'e Code<'a>,
    entry: &'e [Type],
    spots: &'e [(&'e Site, Spot)],
    leaving: &'e [(usize, u16)],
    major: u16,
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
    fn assemble(&self, pool: &mut Pool<'a>) -> Result<Assembled, Reason> {
        let (patches, written) = self.patches(pool)?;
        let none = Shift { slot: 0, by: 0 };
        let layout = lay_out(self.code, &patches, none)?;
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
