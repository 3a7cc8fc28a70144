//! From the bytes of a ring buffer to samples and losses: pure.

use std::ops::{AddAssign, Range};

use perf_event_open_sys::bindings as sys;
use serde::{Deserialize, Serialize};

use crate::error::SamplerError;

/// Bytes of a sample record as the ring holds it: header, IP, PID and TID, TIME.
pub(crate) const SAMPLE_RECORD_BYTES: usize = 32;

const HEADER_BYTES: usize = 8;

/// One sample of the thread in user mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Instruction pointer as the kernel gave it, uncorrected for skid.
    pub ip: u64,
    /// Time in ns of `CLOCK_MONOTONIC`, the clock of Java's `System.nanoTime`.
    pub time_ns: u64,
    /// Which of the two events took it: 0 the faster, 1 the slower.
    pub stream: u8,
}

/// What the sampler missed; part of every result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Samples that found the ring buffer full.
    pub lost: u64,
    /// Times that the kernel stopped an event until its next scheduler tick because it fired too often.
    pub throttled: u64,
}

impl Loss {
    /// Whether nothing was missed.
    pub fn is_none(&self) -> bool {
        *self == Loss::default()
    }
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.lost += more.lost;
        self.throttled += more.throttled;
    }
}

/// Where the bytes between tail and head lie in a ring of `size` bytes (a power of two): up to its end, then from its start.
///
/// Tail and head count bytes ever read and written. `None` if more lies between them than the ring holds.
pub(crate) fn unread_spans(tail: u64, head: u64, size: usize) -> Option<[Range<usize>; 2]> {
    let unread = usize::try_from(head.wrapping_sub(tail))
        .ok()
        .filter(|unread| *unread <= size)?;
    let start = (tail & (size as u64 - 1)) as usize;
    let before_end = unread.min(size - start);
    Some([start..start + before_end, 0..unread - before_end])
}

/// Appends the samples of whole records to `samples` and returns what the records say was missed.
///
/// Records of kinds that are not sampling, for example of later kernels, are stepped over.
///
/// # Errors
/// [`SamplerError::Corrupt`] at the first record that is shorter than its kind or longer than the bytes; the samples before it are kept.
pub(crate) fn parse_records(
    bytes: &[u8],
    stream: u8,
    samples: &mut Vec<Sample>,
) -> Result<Loss, SamplerError> {
    let mut loss = Loss::default();
    let mut offset = 0;
    while offset < bytes.len() {
        let corrupt = SamplerError::Corrupt {
            offset,
            length: bytes.len(),
        };
        let Some((kind, body)) = record_at(bytes, offset) else {
            return Err(corrupt);
        };
        let understood = match kind {
            sys::PERF_RECORD_SAMPLE => sample(body, stream).map(|sample| samples.push(sample)),
            // The id of the event comes first.
            sys::PERF_RECORD_LOST => word(body, 1).map(|lost| loss.lost += lost),
            sys::PERF_RECORD_LOST_SAMPLES => word(body, 0).map(|lost| loss.lost += lost),
            sys::PERF_RECORD_THROTTLE => {
                loss.throttled += 1;
                Some(())
            }
            _ => Some(()),
        };
        if understood.is_none() {
            return Err(corrupt);
        }
        offset += HEADER_BYTES + body.len();
    }
    Ok(loss)
}

/// Kind and body of the record at an offset: `u32` kind, `u16` flags, `u16` size with header.
fn record_at(bytes: &[u8], offset: usize) -> Option<(u32, &[u8])> {
    let header: &[u8; HEADER_BYTES] = bytes.get(offset..)?.first_chunk()?;
    let [k0, k1, k2, k3, _, _, s0, s1] = *header;
    let size = usize::from(u16::from_ne_bytes([s0, s1]));
    let body = bytes.get(offset + HEADER_BYTES..offset.checked_add(size)?)?;
    Some((u32::from_ne_bytes([k0, k1, k2, k3]), body))
}

fn sample(body: &[u8], stream: u8) -> Option<Sample> {
    Some(Sample {
        ip: word(body, 0)?,
        time_ns: word(body, 2)?,
        stream,
    })
}

fn word(body: &[u8], index: usize) -> Option<u64> {
    body.as_chunks::<8>()
        .0
        .get(index)
        .map(|word| u64::from_ne_bytes(*word))
}

#[cfg(test)]
#[path = "records_test.rs"]
mod tests;
