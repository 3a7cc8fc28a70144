//! Checks the lengths in a perf.data file before the crate that reads it allocates by them.

use linux_perf_event_reader::{RecordType, SampleFormat};

use crate::error::ImportError;
use crate::import::Format;

const AUXTRACE: u32 = 71;
const EVENT_DESC: usize = 12;
const HEADER_LEN: u64 = 104;
/// Bit of a mapping that tells the file's build id, which is 20 bytes at most.
const MMAP_BUILD_ID: u16 = 1 << 14;

/// What of a file can be read.
pub(super) struct Layout {
    /// Offset of the end of the last whole record.
    pub(super) records_end: usize,
    /// Length of the records, for the file's header; a pipe has none there.
    pub(super) data_len: u64,
    /// True if what stands behind the records can be used: names of events, the clock, perf's version.
    pub(super) features: bool,
    /// What is damaged behind that, if something is.
    pub(super) damage: Option<ImportError>,
}

/// Finds out how much of a file can be trusted; fails if that is nothing. Only the little-endian file format is let
/// through: it is what every machine of today writes.
pub(super) fn check(bytes: &[u8]) -> Result<Layout, ImportError> {
    let file = Bytes { bytes, start: 0 };
    if is_pipe(bytes) {
        let start = 16.min(bytes.len());
        let records = Bytes {
            bytes: &bytes[start..],
            start,
        };
        let (len, damage) = whole_records(&records);
        return Ok(Layout {
            records_end: start + len,
            data_len: len as u64,
            features: true,
            damage,
        });
    }
    if file.u64(8)? != HEADER_LEN {
        return Err(file.damaged(8, "a header of 104 bytes was expected"));
    }
    file.section(24)?; // attributes
    file.section(56)?; // event types
    if !(64..=4096).contains(&file.u64(16)?) {
        return Err(file.damaged(16, "an attribute of 64 to 4096 bytes was expected"));
    }
    let (data, cut) = file.data()?;
    let (len, damage) = whole_records(&data);
    let damage = damage.or(cut);
    let features = match damage {
        Some(_) => Ok(()),
        None => check_features(&file, data.start + data.bytes.len()),
    };
    Ok(Layout {
        records_end: data.start + len,
        data_len: len as u64,
        features: damage.is_none() && features.is_ok(),
        damage: damage.or(features.err()),
    })
}

/// The features' sections are listed behind the records.
fn check_features(file: &Bytes<'_>, list: usize) -> Result<(), ImportError> {
    let mut at = list;
    for feature in 0..256 {
        if file.u64(72 + feature / 64 * 8)? >> (feature % 64) & 1 == 1 {
            let section = file.section(at)?;
            at += 16;
            if feature == EVENT_DESC {
                check_event_desc(&section)?;
            }
        }
    }
    Ok(())
}

/// True for what `perf record -o -` writes: a header of 16 bytes, then records until the end.
pub(super) fn is_pipe(bytes: &[u8]) -> bool {
    bytes.get(8..16) == Some(&16_u64.to_le_bytes())
}

/// A part of the file.
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    /// Its offset in the file.
    pub(super) start: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn damaged(&self, at: usize, what: &str) -> ImportError {
        ImportError::damaged(
            Format::PerfData,
            self.start.saturating_add(at.min(self.bytes.len())) as u64,
            what,
        )
    }

    fn slice(&self, at: usize, len: usize) -> Result<&'a [u8], ImportError> {
        let end = at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| {
            let what = format!("{len} bytes were expected and the file breaks off");
            self.damaged(at, &what)
        })?;
        Ok(&self.bytes[at..end])
    }

    fn u32(&self, at: usize) -> Result<u32, ImportError> {
        self.slice(at, 4)
            .map(|b| u32::from_le_bytes(b.try_into().expect("4 bytes")))
    }

    fn u64(&self, at: usize) -> Result<u64, ImportError> {
        self.slice(at, 8)
            .map(|b| u64::from_le_bytes(b.try_into().expect("8 bytes")))
    }

    /// The records of the file. A recorder that was killed leaves a length of zero: then they go on to the end, and
    /// there is nothing behind them.
    pub(super) fn data(&self) -> Result<(Bytes<'a>, Option<ImportError>), ImportError> {
        let start = usize::try_from(self.u64(40)?).unwrap_or(usize::MAX);
        let announced = usize::try_from(self.u64(48)?).unwrap_or(usize::MAX);
        let there = self.bytes.len().checked_sub(start);
        let there =
            there.ok_or_else(|| self.damaged(40, "records inside the file were expected"))?;
        let cut = match announced {
            0 if there > 0 => {
                Some("the recorder did not end properly: it left no length of the records")
            }
            _ if announced > there => Some("more records were expected and the file breaks off"),
            _ => None,
        };
        let len = if cut.is_some() { there } else { announced };
        let bytes = self.slice(start, len)?;
        let cut = cut.map(|what| self.damaged(start + len, what));
        Ok((Bytes { bytes, start }, cut))
    }

    /// The section whose offset and size stand at `at`.
    fn section(&self, at: usize) -> Result<Bytes<'a>, ImportError> {
        let number = |at| {
            self.u64(at)
                .map(|v| usize::try_from(v).unwrap_or(usize::MAX))
        };
        let start = number(at)?;
        let bytes = self.slice(start, number(at + 8)?)?;
        Ok(Bytes { bytes, start })
    }
}

/// Length of the sound records, and what is wrong behind them. Records follow each other without gaps; an auxtrace
/// record is followed by as much data as it says.
pub(super) fn whole_records(data: &Bytes<'_>) -> (usize, Option<ImportError>) {
    let mut at = 0;
    while at < data.bytes.len() {
        match record_len(data, at) {
            Ok(len) => at += len,
            Err(error) => return (at, Some(error)),
        }
    }
    (at, None)
}

/// Length of the record at `at`, with the data behind it.
pub(super) fn record_len(data: &Bytes<'_>, at: usize) -> Result<usize, ImportError> {
    let head = data.slice(at, 8)?;
    let kind = u32::from_le_bytes(head[..4].try_into().expect("4 bytes"));
    let size = usize::from(u16::from_le_bytes(head[6..].try_into().expect("2 bytes")));
    if size < 8 {
        return Err(data.damaged(at, "a record of 8 bytes or more was expected"));
    }
    let payload = if kind == AUXTRACE {
        data.u64(at + 8)?
    } else {
        0
    };
    let payload = usize::try_from(payload).unwrap_or(usize::MAX);
    data.slice(at, size.saturating_add(payload))
        .map(<[u8]>::len)
}

/// `nr, attr_size`, then per event the attribute, a number of ids, a string and the ids.
fn check_event_desc(desc: &Bytes<'_>) -> Result<(), ImportError> {
    let (count, attr_len) = (desc.u32(0)?, desc.u32(4)? as usize);
    desc.slice(8, attr_len.saturating_mul(count as usize))?;
    let mut at = 8;
    for _ in 0..count {
        desc.slice(at, attr_len)?;
        at += attr_len;
        let ids = desc.u32(at)? as usize;
        let name_len = desc.u32(at + 4)? as usize;
        desc.slice(at + 8, name_len)?;
        at += 8 + name_len;
        desc.slice(at, ids.saturating_mul(8))?;
        at += ids * 8;
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
