//! Records that `perf record -z` compressed, unpacked before anything else reads them.
//!
//! perf writes one zstd frame for the whole file, a piece of it in each record of the kind `COMPRESSED`, and does not
//! end it.

use super::guard::{Bytes, is_pipe, record_len, whole_records};
use super::inflate::{Piece, inflate};
use crate::error::ImportError;

const COMPRESSED: u32 = 81;
/// Tells the length of what it holds, which may be shorter than the record.
const COMPRESSED2: u32 = 83;

const HEADER_LEN: usize = 104;
/// Where the header tells the records' place and length, and which features there are.
const RECORDS: std::ops::Range<usize> = 40..56;
const FEATURES: std::ops::Range<usize> = 72..104;

/// A file whose compressed records were unpacked.
pub(super) struct Unpacked {
    /// The file, and behind its end all its records, none of them compressed.
    pub(super) bytes: Vec<u8>,
    /// What is damaged in or behind the compressed records, if something is.
    pub(super) damage: Option<ImportError>,
    /// Offset of the first compressed record.
    first: u64,
    /// Offset of the unpacked records in `bytes`.
    base: u64,
}

impl Unpacked {
    /// The error with a place in the file that the user has.
    pub(super) fn placed(&self, error: ImportError) -> ImportError {
        match error {
            ImportError::Damaged {
                format,
                offset,
                what,
            } if offset >= self.base => {
                let into = offset - self.base;
                let what = format!("{what}, {into} bytes into the unpacked records");
                ImportError::damaged(format, self.first, what)
            }
            other => other,
        }
    }
}

/// The file without compressed records; none if it has none, or no records at all. `limit` is the most bytes that they
/// may unpack to.
pub(super) fn unpack(bytes: &[u8], limit: u64) -> Option<Unpacked> {
    let file = Bytes { bytes, start: 0 };
    let (records, cut) = if is_pipe(bytes) {
        let records = Bytes {
            bytes: bytes.get(16..)?,
            start: 16,
        };
        (records, None)
    } else {
        bytes.get(..HEADER_LEN)?;
        file.data().ok()?
    };
    let sorted = Sorted::of(&records);
    let first = sorted.pieces.first()?.offset;
    let (mut unpacked, damage) = inflate(&sorted.pieces, limit);
    let (whole, partial) = whole_records(&Bytes {
        bytes: &unpacked,
        start: 0,
    });
    unpacked.truncate(whole);
    let damage = damage.map(|(offset, what)| records.damaged(offset - records.start, &what));
    let damage = damage.or(sorted.damage).or(cut);
    let damage = damage.or_else(|| {
        partial.map(|_| {
            let what = "the rest of a record was expected in the compressed records";
            records.damaged(records.bytes.len(), what)
        })
    });
    let features = features(bytes, &records);
    let damage = damage.or_else(|| {
        features.is_none().then(|| {
            let what = "the list of features was expected behind the records";
            file.damaged(bytes.len(), what)
        })
    });
    let base = bytes.len() as u64;
    let all = [sorted.before, &unpacked, &sorted.behind].concat();
    Some(Unpacked {
        bytes: with_records(bytes, &all, features.filter(|_| damage.is_none())),
        damage,
        first: first as u64,
        base: if is_pipe(bytes) { 16 } else { base },
    })
}

/// The list of features, which follows the records; a pipe has none.
fn features<'a>(file: &'a [u8], records: &Bytes<'_>) -> Option<&'a [u8]> {
    if is_pipe(file) {
        return Some(&[]);
    }
    let bits: u32 = file[FEATURES].iter().map(|byte| byte.count_ones()).sum();
    let list = records.start + records.bytes.len();
    file.get(list..list.saturating_add(16 * bits as usize))
}

/// The file with other records behind its end, and the list of features behind them, if it shall have one.
fn with_records(file: &[u8], all: &[u8], features: Option<&[u8]>) -> Vec<u8> {
    if is_pipe(file) {
        return [&file[..16], all].concat();
    }
    let mut out = [file, all, features.unwrap_or_default()].concat();
    let place = [file.len() as u64, all.len() as u64].map(u64::to_le_bytes);
    out[RECORDS].copy_from_slice(&place.concat());
    if features.is_none() {
        out[FEATURES].fill(0);
    }
    out
}

/// Records, told apart.
struct Sorted<'a> {
    /// Plain records before the first compressed one: what was there when the recording began.
    before: &'a [u8],
    pieces: Vec<Piece<'a>>,
    /// Plain records behind it. Among them are marks up to which records can be sorted by time; they come last, so that
    /// they cover all.
    behind: Vec<u8>,
    damage: Option<ImportError>,
}

impl<'a> Sorted<'a> {
    fn of(records: &Bytes<'a>) -> Self {
        let mut sorted = Self {
            before: &records.bytes[..0],
            pieces: Vec::new(),
            behind: Vec::new(),
            damage: None,
        };
        let mut at = 0;
        while at < records.bytes.len() {
            match record_len(records, at) {
                Ok(len) => {
                    sorted.add(&records.bytes[at..at + len], records.start + at);
                    at += len;
                    if sorted.pieces.is_empty() {
                        sorted.before = &records.bytes[..at];
                    }
                }
                Err(error) => {
                    sorted.damage = Some(error);
                    break;
                }
            }
        }
        sorted
    }

    fn add(&mut self, record: &'a [u8], offset: usize) {
        let kind = u32::from_le_bytes(record[..4].try_into().expect("a record has 8 bytes"));
        let data = match kind {
            COMPRESSED => &record[8..],
            COMPRESSED2 => {
                let body = record.get(16..).unwrap_or_default();
                let len = record.get(8..16).unwrap_or(&[0; 8]);
                let len = u64::from_le_bytes(len.try_into().expect("8 bytes"));
                &body[..body.len().min(usize::try_from(len).unwrap_or(usize::MAX))]
            }
            _ if self.pieces.is_empty() => return,
            _ => return self.behind.extend_from_slice(record),
        };
        self.pieces.push(Piece { data, offset });
    }
}
