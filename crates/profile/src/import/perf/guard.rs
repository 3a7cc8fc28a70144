//! Checks the lengths in a perf.data file before the crate that reads it allocates by them.

use std::io::{Read, Seek};

use linux_perf_event_reader::{RecordType, SampleFormat};

use super::compressed::{COMPRESSED, COMPRESSED2};
use super::file::{File, Part};
use crate::error::ImportError;

const AUXTRACE: u32 = 71;
const EVENT_DESC: u64 = 12;
/// Length of a file's header.
pub(super) const HEADER_LEN: u64 = 104;
/// Length of a pipe's header.
pub(super) const PIPE_LEN: u64 = 16;
/// Bit of a mapping that tells the file's build id, which is 20 bytes at most.
const MMAP_BUILD_ID: u16 = 1 << 14;

/// What of a file can be read.
pub(super) struct Layout {
    /// Offset of the end of the last whole record.
    pub(super) records_end: u64,
    /// Length of the records, for the file's header; a pipe has none there.
    pub(super) data_len: u64,
    /// True if what stands behind the records can be used: names of events, the clock, perf's version.
    pub(super) features: bool,
    /// True if records are compressed.
    pub(super) compressed: bool,
    /// What is damaged behind that, if something is.
    pub(super) damage: Option<ImportError>,
}

/// Finds out how much of a file can be trusted; fails if that is nothing. Only the little-endian file format is let
/// through: it is what every machine of today writes.
pub(super) fn check<R: Read + Seek>(file: &mut File<R>) -> Result<Layout, ImportError> {
    let whole = file.whole();
    let pipe = is_pipe(file);
    if !pipe {
        if file.u64(whole, 8)? != HEADER_LEN {
            return Err(whole.damaged(8, "a header of 104 bytes was expected"));
        }
        file.section(24)?; // attributes
        file.section(56)?; // event types
        if !(64..=4096).contains(&file.u64(whole, 16)?) {
            return Err(whole.damaged(16, "an attribute of 64 to 4096 bytes was expected"));
        }
    }
    let (data, cut) = records(file)?;
    let (len, compressed, damage) = whole_records(file, data);
    let damage = damage.or(cut);
    let features = match damage {
        None if !pipe => check_features(file, data.end()),
        _ => Ok(()),
    };
    Ok(Layout {
        records_end: data.start + len,
        data_len: len,
        features: pipe || (damage.is_none() && features.is_ok()),
        compressed,
        damage: damage.or(features.err()),
    })
}

/// The features' sections are listed behind the records.
fn check_features<R: Read + Seek>(file: &mut File<R>, list: u64) -> Result<(), ImportError> {
    let (whole, mut at) = (file.whole(), list);
    for feature in 0..256 {
        if file.u64(whole, 72 + feature / 64 * 8)? >> (feature % 64) & 1 == 1 {
            let section = file.section(at)?;
            at += 16;
            if feature == EVENT_DESC {
                check_event_desc(file, section)?;
            }
        }
    }
    Ok(())
}

/// True for what `perf record -o -` writes: a header of 16 bytes, then records until the end.
pub(super) fn is_pipe<R: Read + Seek>(file: &mut File<R>) -> bool {
    file.u64(file.whole(), 8).is_ok_and(|len| len == PIPE_LEN)
}

/// The records of the file, and why they may not be all. A recorder that was killed leaves a length of zero: then they
/// go on to the end, and there is nothing behind them.
pub(super) fn records<R: Read + Seek>(
    file: &mut File<R>,
) -> Result<(Part, Option<ImportError>), ImportError> {
    let whole = file.whole();
    let from = |start| Part {
        start,
        len: whole.len - start,
    };
    if is_pipe(file) {
        return Ok((from(PIPE_LEN), None));
    }
    let (start, announced) = (file.u64(whole, 40)?, file.u64(whole, 48)?);
    if start > whole.len {
        return Err(whole.damaged(40, "records inside the file were expected"));
    }
    let there = from(start);
    let cut = match announced {
        0 if there.len > 0 => {
            Some("the recorder did not end properly: it left no length of the records")
        }
        _ if announced > there.len => Some("more records were expected and the file breaks off"),
        _ => None,
    };
    Ok(match cut {
        Some(what) => (there, Some(whole.damaged(there.end(), what))),
        None => {
            let len = announced;
            (Part { start, len }, None)
        }
    })
}

/// Length of the sound records, whether some are compressed, and what is wrong behind them. Records follow each other
/// without gaps; an auxtrace record is followed by as much data as it says.
pub(super) fn whole_records<R: Read + Seek>(
    file: &mut File<R>,
    data: Part,
) -> (u64, bool, Option<ImportError>) {
    let (mut at, mut compressed) = (0, false);
    while at < data.len {
        match record_len(file, data, at) {
            Ok((len, kind)) => {
                at += len;
                compressed |= matches!(kind, COMPRESSED | COMPRESSED2);
            }
            Err(error) => return (at, compressed, Some(error)),
        }
    }
    (at, compressed, None)
}

/// Length of the record at `at`, with the data behind it, and its kind.
pub(super) fn record_len<R: Read + Seek>(
    file: &mut File<R>,
    data: Part,
    at: u64,
) -> Result<(u64, u32), ImportError> {
    let head = file.u64(data, at)?;
    let (kind, size) = (head as u32, head >> 48);
    if size < 8 {
        return Err(data.damaged(at, "a record of 8 bytes or more was expected"));
    }
    let payload = match kind {
        AUXTRACE => file.u64(data, at + 8)?,
        _ => 0,
    };
    let len = size.saturating_add(payload);
    data.fits(at, len)?;
    Ok((len, kind))
}

/// `nr, attr_size`, then per event the attribute, a number of ids, a string and the ids.
fn check_event_desc<R: Read + Seek>(file: &mut File<R>, desc: Part) -> Result<(), ImportError> {
    let (count, attr_len) = (file.u32(desc, 0)?, u64::from(file.u32(desc, 4)?));
    desc.fits(8, attr_len.saturating_mul(count.into()))?;
    let mut at = 8;
    for _ in 0..count {
        desc.fits(at, attr_len)?;
        at += attr_len;
        let ids = u64::from(file.u32(desc, at)?);
        let name_len = u64::from(file.u32(desc, at + 4)?);
        at += 8;
        desc.fits(at, name_len + 8 * ids)?;
        at += name_len + 8 * ids;
    }
    Ok(())
}

/// True if the lengths in a record's body can be trusted.
pub(super) fn record_is_sound(
    kind: RecordType,
    misc: u16,
    body: &[u8],
    format: SampleFormat,
) -> bool {
    match kind {
        RecordType::SAMPLE => chain_fits(body, format),
        RecordType::MMAP2 if misc & MMAP_BUILD_ID != 0 => {
            body.get(32).is_some_and(|&len| len <= 20)
        }
        _ => true,
    }
}

/// True if the call chain of a sample is no longer than the sample. Samples that hold counter values, whose layout
/// varies, are let through.
fn chain_fits(sample: &[u8], format: SampleFormat) -> bool {
    if !format.contains(SampleFormat::CALLCHAIN) || format.contains(SampleFormat::READ) {
        return true;
    }
    let before = SampleFormat::IDENTIFIER
        | SampleFormat::IP
        | SampleFormat::TID
        | SampleFormat::TIME
        | SampleFormat::ADDR
        | SampleFormat::ID
        | SampleFormat::STREAM_ID
        | SampleFormat::CPU
        | SampleFormat::PERIOD;
    let at = 8 * (format & before).bits().count_ones() as usize;
    let chain = sample.get(at..).unwrap_or(&[]);
    let count = chain
        .first_chunk()
        .map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes));
    count <= (chain.len() as u64).saturating_sub(8) / 8
}
