//! Method descriptors: parameters, their slots, the return type.

use crate::Reason;
use crate::bytes::malformed;

/// Slots that a method's parameters may take, `this` included.
pub(crate) const SLOTS: usize = 255;

/// The parameters of a descriptor, each as its own text (`I`, `[J`, `Lx/Y;`).
pub(crate) fn parameters(descriptor: &[u8]) -> Result<Vec<&[u8]>, Reason> {
    let mut found = Vec::new();
    each(descriptor, |one| found.push(one))?;
    Ok(found)
}

fn each<'d>(descriptor: &'d [u8], mut one: impl FnMut(&'d [u8])) -> Result<(), Reason> {
    let mut at = 1;
    if descriptor.first() != Some(&b'(') {
        return malformed("a method descriptor without parameters");
    }
    loop {
        let start = at;
        match descriptor.get(at) {
            Some(b')') => return Ok(()),
            Some(_) => at = end_of_type(descriptor, at)?,
            None => return malformed("a method descriptor that does not end"),
        }
        one(&descriptor[start..at]);
    }
}

fn end_of_type(descriptor: &[u8], mut at: usize) -> Result<usize, Reason> {
    while descriptor.get(at) == Some(&b'[') {
        at += 1;
    }
    match descriptor.get(at) {
        Some(b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z') => Ok(at + 1),
        Some(b'L') => match descriptor[at..].iter().position(|&byte| byte == b';') {
            Some(length) => Ok(at + length + 1),
            None => malformed("a class in a descriptor that does not end"),
        },
        _ => malformed("an unknown type in a descriptor"),
    }
}

/// Text behind the closing parenthesis: the return type.
pub(crate) fn result(descriptor: &[u8]) -> &[u8] {
    let end = descriptor.iter().rposition(|&byte| byte == b')');
    end.map_or(&[], |end| &descriptor[end + 1..])
}

/// Slots of one parameter or result.
pub(crate) fn slots_of(one: &[u8]) -> usize {
    match one {
        b"J" | b"D" => 2,
        b"V" => 0,
        _ => 1,
    }
}

/// Slots of all parameters, without `this`.
pub(crate) fn slots(descriptor: &[u8]) -> Result<usize, Reason> {
    let mut slots = 0;
    each(descriptor, |one| slots += slots_of(one))?;
    Ok(slots)
}

/// The descriptor with more parameters at the end.
pub(crate) fn with_parameters(descriptor: &[u8], more: &[u8]) -> Vec<u8> {
    let end = descriptor
        .iter()
        .rposition(|&byte| byte == b')')
        .unwrap_or(0);
    [&descriptor[..end], more, &descriptor[end..]].concat()
}
