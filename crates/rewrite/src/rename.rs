//! Changing texts of a class file's constant pool, such as the names of the runtime's own classes.

use crate::Reason;
use crate::bytes::{Reader, Write, malformed};
use crate::pool::{UTF8, skip_entry};

/// Replaces every text constant for which `replace` gives a new one. Texts are modified UTF-8.
///
/// # Errors
/// [`Reason::Malformed`] if the bytes are no class file, [`Reason::TooMany`] if a new text exceeds 65,535 bytes.
pub fn replace_texts(
    class: &[u8],
    replace: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
) -> Result<Vec<u8>, Reason> {
    let mut reader = Reader::new(class);
    if reader.u4()? != 0xcafe_babe {
        return malformed("not a class file");
    }
    reader.u4()?;
    let slots = usize::from(reader.u2()?);
    let mut out = Vec::with_capacity(class.len() + 256);
    out.extend_from_slice(&class[..reader.at()]);
    let mut slot = 1;
    while slot < slots {
        let start = reader.at();
        slot += skip_entry(&mut reader)?;
        let entry = &class[start..reader.at()];
        match replace_entry(entry, replace) {
            Some(text) => {
                out.u1(UTF8);
                out.count(text.len())?;
                out.extend_from_slice(&text);
            }
            None => out.extend_from_slice(entry),
        }
    }
    out.extend_from_slice(&class[reader.at()..]);
    Ok(out)
}

fn replace_entry(entry: &[u8], replace: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    match entry {
        [UTF8, _, _, text @ ..] => replace(text),
        _ => None,
    }
}
