//! `gmon.out`, which programs built with `-pg` leave: numbers of samples by address. The names are in the program.

use std::ops::Range;

use crate::error::ImportError;
use crate::import::Format;

/// What such a file begins with.
const MAGIC: &[u8] = b"gmon";
/// Magic, version and 12 free bytes.
const HEAD: usize = 20;
/// Bytes of a call between two functions: two addresses and a number.
const CALL: usize = 20;
/// Bytes of a basic block and how often it ran.
const BLOCK: usize = 16;
/// Bytes that name the unit of the counts.
const UNIT: usize = 16;

/// Samples in a stretch of code. Addresses are those of the program's file, also where it was loaded elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GmonHistogram {
    /// First address.
    pub low: u64,
    /// First address behind.
    pub high: u64,
    /// Samples per second of CPU time.
    pub rate_hz: u32,
    /// Samples of pieces of the same length.
    pub counts: Vec<u16>,
}

impl GmonHistogram {
    /// Pieces with samples: addresses, and how many.
    pub fn pieces(&self) -> impl Iterator<Item = (Range<u64>, u16)> {
        let (all, length) = (self.counts.len() as u128, u128::from(self.high - self.low));
        let border = move |at: usize| self.low + (length * at as u128 / all) as u64;
        let counts = self.counts.iter().enumerate();
        let seen = counts.filter(|(_, count)| **count > 0);
        seen.map(move |(at, count)| (border(at)..border(at + 1), *count))
    }
}

/// Reads all histograms of a file; calls and blocks are passed over.
///
/// # Errors
/// When the file is damaged or has no histogram.
pub fn gmon_histograms(bytes: &[u8]) -> Result<Vec<GmonHistogram>, ImportError> {
    let wrong = |at: usize, what| ImportError::damaged(Format::Gmon, at as u64, what);
    let mut input = Input { bytes, at: HEAD };
    if !is_gmon(bytes) || bytes.len() < HEAD {
        return Err(wrong(0, "a head of version 1 was expected"));
    }
    let mut all = Vec::new();
    while input.at < bytes.len() {
        let at = input.at;
        let read = input.record(&mut all);
        read.ok_or_else(|| wrong(at, "a whole record of kind 0, 1 or 2 was expected"))?;
    }
    match all.is_empty() {
        true => Err(ImportError::Empty {
            format: Format::Gmon,
        }),
        false => Ok(all),
    }
}

/// True if the bytes begin as such a file does.
pub(super) fn is_gmon(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && bytes.get(4..8) == Some(&[1, 0, 0, 0][..])
}

/// A position in the file.
struct Input<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Input<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(*self.take(8)?.first_chunk()?))
    }

    fn int(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.take(4)?.first_chunk()?))
    }

    fn record(&mut self, all: &mut Vec<GmonHistogram>) -> Option<()> {
        match self.take(1)? {
            [0] => all.push(self.histogram()?),
            [1] => _ = self.take(CALL)?,
            [2] => {
                let blocks = usize::try_from(self.int()?).ok()?;
                self.take(blocks.checked_mul(BLOCK)?)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn histogram(&mut self) -> Option<GmonHistogram> {
        let (low, high) = (self.long()?, self.long()?);
        let (length, rate_hz) = (usize::try_from(self.int()?).ok()?, self.int()?);
        self.take(UNIT)?;
        let counts = self.take(length.checked_mul(2)?)?.chunks_exact(2);
        let counts = counts.map(|two| u16::from_le_bytes([two[0], two[1]]));
        (low < high).then(|| GmonHistogram {
            low,
            high,
            rate_hz,
            counts: counts.collect(),
        })
    }
}
