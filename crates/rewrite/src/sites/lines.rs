//! Lines of a method.

use crate::Reason;
use crate::bytes::Reader;
use crate::code::Code;
use crate::pool::Pool;

/// Bytecode indices and lines, in the order of the class file.
pub(super) fn line_table(code: &Code<'_>, pool: &Pool<'_>) -> Result<Vec<(u16, u16)>, Reason> {
    let mut lines = Vec::new();
    for attribute in &code.attributes {
        if pool.utf8(attribute.name)? == b"LineNumberTable" {
            let mut reader = Reader::new(&attribute.body);
            lines.extend(reader.table(|reader| Ok((reader.u2()?, reader.u2()?)))?);
        }
    }
    Ok(lines)
}

/// The line of a bytecode index.
pub(super) fn line_at(lines: &[(u16, u16)], at: u32) -> Option<u16> {
    let before = lines.iter().filter(|(start, _)| u32::from(*start) <= at);
    before
        .max_by_key(|(start, _)| *start)
        .map(|(_, line)| *line)
}
