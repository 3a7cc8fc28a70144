//! Ways to damage a file.

use crate::numbers::Numbers;

/// Values that length fields and numbers do not like.
const EXTREMES: [u64; 10] = [
    0,
    1,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    i64::MAX as u64,
    u64::MAX,
];

const WORDS: [&[u8]; 12] = [
    b"0",
    b"-1",
    b"18446744073709551616",
    b"1e999",
    b"NaN",
    b"999999999999",
    b"",
    b" ",
    b";",
    b"\"",
    b"<",
    b"\xff\xfe",
];

/// A file and where its parts (chunks, records, fields, lines) begin.
pub struct Seed {
    /// The sound bytes.
    pub bytes: Vec<u8>,
    /// Offsets of parts, ascending.
    pub parts: Vec<usize>,
    /// Bytes at the start that most mutations leave alone, so that the file is still recognised.
    pub magic: usize,
}

/// A damaged copy: one to four mutations.
pub fn damaged(seed: &Seed, numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.bytes.clone();
    let keep = if numbers.below(8) == 0 { 0 } else { seed.magic };
    for _ in 0..1 + numbers.below(4) {
        if bytes.len() > keep {
            mutate(&mut bytes, keep, &seed.parts, numbers);
        }
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, keep: usize, parts: &[usize], numbers: &mut Numbers) {
    let place = |numbers: &mut Numbers, len: usize| keep + numbers.below(len - keep);
    let at = place(numbers, bytes.len());
    match numbers.below(11) {
        0 => bytes[at] ^= 1 << numbers.below(8),
        1 => bytes[at] = [0, 0xff, 0x7f, 0x80][numbers.below(4)],
        2 => bytes[at] = numbers.below(256) as u8,
        3 => overwrite_number(bytes, at, numbers),
        4 => bytes.truncate(at),
        5 => duplicate(bytes, slice(bytes.len(), keep, parts, numbers), at),
        6 => swap(bytes, keep, parts, numbers),
        7 => drop(bytes.drain(slice(bytes.len(), keep, parts, numbers))),
        8 => long_varint(bytes, at, numbers),
        9 => replace_word(bytes, at, numbers),
        _ => {
            let end = (at + 1 + numbers.below(16)).min(bytes.len());
            bytes[at..end].fill_with(|| numbers.below(256) as u8);
        }
    }
}

/// A number of 1, 2, 4 or 8 bytes becomes extreme, or a little wrong.
fn overwrite_number(bytes: &mut [u8], at: usize, numbers: &mut Numbers) {
    let width = 1 << numbers.below(4);
    let Some(field) = bytes.get_mut(at..at + width) else {
        return;
    };
    let value = match numbers.below(3) {
        0 => field.len() as u64 + numbers.below(1 << 20) as u64,
        _ => EXTREMES[numbers.below(EXTREMES.len())],
    };
    match numbers.below(2) {
        0 => field.copy_from_slice(&value.to_le_bytes()[..width]),
        _ => field.copy_from_slice(&value.to_be_bytes()[8 - width..]),
    }
}

/// A part of the file, or any slice.
fn slice(
    len: usize,
    keep: usize,
    parts: &[usize],
    numbers: &mut Numbers,
) -> std::ops::Range<usize> {
    let inside: Vec<usize> = parts
        .iter()
        .copied()
        .filter(|p| (keep..len).contains(p))
        .collect();
    if inside.is_empty() || numbers.below(2) == 0 {
        let begin = keep + numbers.below(len - keep);
        return begin..(begin + 1 + numbers.below(64)).min(len);
    }
    let at = numbers.below(inside.len());
    let end = inside.get(at + 1 + numbers.below(3)).copied();
    inside[at]..end.unwrap_or(len)
}

fn duplicate(bytes: &mut Vec<u8>, part: std::ops::Range<usize>, at: usize) {
    let copy = bytes[part.clone()].to_vec();
    let at = if at.is_multiple_of(2) { part.end } else { at };
    bytes.splice(at..at, copy);
}

fn swap(bytes: &mut Vec<u8>, keep: usize, parts: &[usize], numbers: &mut Numbers) {
    let (a, b) = (
        slice(bytes.len(), keep, parts, numbers),
        slice(bytes.len(), keep, parts, numbers),
    );
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first.end <= second.start {
        let middle = bytes[first.end..second.start].to_vec();
        let swapped = [&bytes[second.clone()], &middle, &bytes[first.clone()]].concat();
        bytes.splice(first.start..second.end, swapped);
    }
}

/// A varint that goes on for too long, or ends too early.
fn long_varint(bytes: &mut Vec<u8>, at: usize, numbers: &mut Numbers) {
    let count = 1 + numbers.below(12);
    match numbers.below(3) {
        0 => _ = bytes.splice(at..at, vec![0xff; count]),
        1 => {
            let end = (at + count).min(bytes.len());
            bytes[at..end].iter_mut().for_each(|byte| *byte |= 0x80);
        }
        _ => {
            let end = (at + count).min(bytes.len());
            bytes[at..end].iter_mut().for_each(|byte| *byte &= 0x7f);
        }
    }
}

/// The word or number around `at` becomes another.
fn replace_word(bytes: &mut Vec<u8>, at: usize, numbers: &mut Numbers) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    let begin = bytes[..at]
        .iter()
        .rposition(|b| !is_word(b))
        .map_or(0, |b| b + 1);
    let len = bytes[at..].iter().position(|b| !is_word(b));
    let end = len.map_or(bytes.len(), |len| at + len);
    let word = WORDS[numbers.below(WORDS.len())];
    bytes.splice(begin.min(end)..end, word.iter().copied());
}
