//! Stack maps: decoded to absolute frames, edited, encoded again in the shortest form.

use crate::Reason;
use crate::bytes::{Reader, Write, malformed};
use crate::descriptor;

/// A verification type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// Slot of the class constant.
    Object(u16),
    /// Bytecode index of the `new`.
    Uninitialized(u16),
}

impl Type {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Reason> {
        Ok(match reader.u1()? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            7 => Self::Object(reader.u2()?),
            8 => Self::Uninitialized(reader.u2()?),
            _ => return malformed("an unknown type in a stack map"),
        })
    }

    fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Top => out.u1(0),
            Self::Integer => out.u1(1),
            Self::Float => out.u1(2),
            Self::Double => out.u1(3),
            Self::Long => out.u1(4),
            Self::Null => out.u1(5),
            Self::UninitializedThis => out.u1(6),
            Self::Object(class) => {
                out.u1(7);
                out.u2(class);
            }
            Self::Uninitialized(at) => {
                out.u1(8);
                out.u2(at);
            }
        }
    }

    pub(crate) fn slots(self) -> usize {
        match self {
            Self::Double | Self::Long => 2,
            _ => 1,
        }
    }
}

/// The types at one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Bytecode index.
    pub(crate) at: u32,
    pub(crate) locals: Vec<Type>,
    pub(crate) stack: Vec<Type>,
}

/// Types of the parameters, as at method entry. Classes are given by `class`.
pub(crate) fn parameters(
    descriptor: &[u8],
    this: Option<Type>,
    mut class: impl FnMut(&[u8]) -> Result<u16, Reason>,
) -> Result<Vec<Type>, Reason> {
    let mut locals = Vec::from_iter(this);
    for parameter in descriptor::parameters(descriptor)? {
        locals.push(match parameter {
            b"J" => Type::Long,
            b"D" => Type::Double,
            b"F" => Type::Float,
            [b'[', ..] => Type::Object(class(parameter)?),
            [b'L', name @ .., b';'] => Type::Object(class(name)?),
            _ => Type::Integer,
        });
    }
    Ok(locals)
}

/// Decodes a `StackMapTable`. `entry` are the locals at method entry.
pub(crate) fn decode(attribute: &[u8], entry: &[Type]) -> Result<Vec<Frame>, Reason> {
    let mut reader = Reader::new(attribute);
    let count = usize::from(reader.u2()?);
    let mut frames: Vec<Frame> = Vec::with_capacity(count.min(attribute.len()));
    for _ in 0..count {
        let previous = frames.last();
        let mut locals = previous.map_or(entry, |frame| &frame.locals).to_vec();
        let mut stack = Vec::new();
        let kind = reader.u1()?;
        let delta = match kind {
            0..=63 => kind.into(),
            64..=127 => {
                stack.push(Type::read(&mut reader)?);
                u16::from(kind) - 64
            }
            247..=255 => reader.u2()?,
            _ => return malformed("an unknown kind of frame"),
        };
        match kind {
            247 => stack.push(Type::read(&mut reader)?),
            248..=250 => match locals.len().checked_sub(251 - usize::from(kind)) {
                Some(length) => locals.truncate(length),
                None => return malformed("a frame that drops locals that are not there"),
            },
            252..=254 => {
                for _ in 251..kind {
                    locals.push(Type::read(&mut reader)?);
                }
            }
            255 => {
                locals = reader.table(Type::read)?;
                stack = reader.table(Type::read)?;
            }
            _ => {}
        }
        let at = match previous {
            Some(previous) => previous.at + u32::from(delta) + 1,
            None => delta.into(),
        };
        frames.push(Frame { at, locals, stack });
    }
    if !reader.is_empty() {
        return malformed("bytes behind the end of a stack map");
    }
    Ok(frames)
}

/// Encodes frames in increasing order of positions.
pub(crate) fn encode(frames: &[Frame], entry: &[Type], out: &mut Vec<u8>) -> Result<(), Reason> {
    out.count(frames.len())?;
    let mut locals = entry;
    let mut next = 0;
    for frame in frames {
        let delta = match frame.at.checked_sub(next).map(u16::try_from) {
            Some(Ok(delta)) => delta,
            _ => return malformed("two frames at one position"),
        };
        encode_one(frame, locals, delta, out)?;
        locals = &frame.locals;
        next = frame.at + 1;
    }
    Ok(())
}

fn encode_one(frame: &Frame, before: &[Type], delta: u16, out: &mut Vec<u8>) -> Result<(), Reason> {
    let short = u8::try_from(delta).ok().filter(|&delta| delta < 64);
    let common = frame.locals.len().min(before.len());
    let change = if frame.locals[..common] == before[..common] {
        frame.locals.len() as isize - before.len() as isize
    } else {
        isize::MAX
    };
    match (frame.stack.as_slice(), change) {
        ([], 0) => match short {
            Some(delta) => out.u1(delta),
            None => {
                out.u1(251);
                out.u2(delta);
            }
        },
        (&[one], 0) => {
            match short {
                Some(delta) => out.u1(64 + delta),
                None => {
                    out.u1(247);
                    out.u2(delta);
                }
            }
            one.write(out);
        }
        ([], -3..=3) => {
            out.u1((251 + change) as u8);
            out.u2(delta);
            for &local in &frame.locals[common..] {
                local.write(out);
            }
        }
        _ => {
            out.u1(255);
            out.u2(delta);
            for types in [&frame.locals, &frame.stack] {
                out.count(types.len())?;
                types.iter().for_each(|one| one.write(out));
            }
        }
    }
    Ok(())
}

/// Inserts `more` at local variable `slot`, padding locals that end before it.
///
/// # Errors
/// [`Reason::Straddles`] when a `long` or `double` lies across that slot.
pub(crate) fn insert(locals: &mut Vec<Type>, slot: usize, more: &[Type]) -> Result<(), Reason> {
    let mut slots = 0;
    let mut position = 0;
    while slots < slot {
        if position == locals.len() {
            locals.push(Type::Top);
        }
        slots += locals[position].slots();
        position += 1;
    }
    if slots != slot {
        return Err(Reason::Straddles);
    }
    locals.splice(position..position, more.iter().copied());
    Ok(())
}
