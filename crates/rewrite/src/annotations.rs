//! Type annotations inside code: positions and local variables in them are moved with the code.

use crate::Reason;
use crate::bytes::{Reader, Write, malformed};

/// Depth of nested annotations that is followed.
const DEPTH: usize = 64;

/// How positions move.
pub(crate) trait Moves {
    /// Start and length of a range of code, local variable.
    fn range(&self, start: u16, length: u16) -> Result<(u16, u16), Reason>;
    fn local(&self, local: u16) -> Result<u16, Reason>;
    /// Position of an instruction.
    fn instruction(&self, at: u16) -> Result<u16, Reason>;
}

/// Copies a `Runtime(In)VisibleTypeAnnotations` attribute of a `Code` attribute.
pub(crate) fn relocate(attribute: &[u8], moves: &dyn Moves) -> Result<Vec<u8>, Reason> {
    let mut reader = Reader::new(attribute);
    let mut out = Vec::with_capacity(attribute.len());
    let count = reader.u2()?;
    out.u2(count);
    for _ in 0..count {
        let kind = reader.u1()?;
        out.u1(kind);
        match kind {
            0x40 | 0x41 => {
                let rows = reader.u2()?;
                out.u2(rows);
                for _ in 0..rows {
                    let (start, length) = moves.range(reader.u2()?, reader.u2()?)?;
                    out.u2(start);
                    out.u2(length);
                    out.u2(moves.local(reader.u2()?)?);
                }
            }
            0x42 => out.u2(reader.u2()?),
            0x43..=0x46 => out.u2(moves.instruction(reader.u2()?)?),
            0x47..=0x4b => {
                out.u2(moves.instruction(reader.u2()?)?);
                out.u1(reader.u1()?);
            }
            _ => return malformed("a type annotation that does not belong into code"),
        }
        let start = reader.at();
        let steps = reader.u1()?;
        reader.take(2 * usize::from(steps))?;
        skip(&mut reader)?;
        out.extend_from_slice(&attribute[start..reader.at()]);
    }
    Ok(out)
}

/// Skips one annotation.
pub(crate) fn skip(reader: &mut Reader<'_>) -> Result<(), Reason> {
    skip_annotation(reader, DEPTH)
}

fn skip_annotation(reader: &mut Reader<'_>, depth: usize) -> Result<(), Reason> {
    reader.u2()?;
    for _ in 0..reader.u2()? {
        reader.u2()?;
        skip_value(reader, depth)?;
    }
    Ok(())
}

fn skip_value(reader: &mut Reader<'_>, depth: usize) -> Result<(), Reason> {
    let Some(depth) = depth.checked_sub(1) else {
        return malformed("annotations nested too deeply");
    };
    match reader.u1()? {
        b'e' => reader.take(4).map(drop),
        b'@' => skip_annotation(reader, depth),
        b'[' => {
            for _ in 0..reader.u2()? {
                skip_value(reader, depth)?;
            }
            Ok(())
        }
        _ => reader.take(2).map(drop),
    }
}
