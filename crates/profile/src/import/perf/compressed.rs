//! Records that `perf record -z` compressed, unpacked before anything else reads them.
//!
//! perf writes one zstd frame for the whole file, a piece of it in each record of the kind `COMPRESSED`, and does not
//! end it.

use std::io::Cursor;

use super::file::{File, Part};
use super::guard::{PIPE_LEN, is_pipe, record_len, records, whole_records};
use super::inflate::{Piece, inflate};
use crate::error::ImportError;

/// Holds a piece and nothing else.
pub(super) const COMPRESSED: u32 = 81;
/// Tells the length of what it holds, which may be shorter than the record.
pub(super) const COMPRESSED2: u32 = 83;

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

/// The file without compressed records, of which it must have one. `limit` is the most bytes that they may unpack to.
///
/// # Errors
/// If the file has no records.
pub(super) fn unpack(bytes: &[u8], limit: u64) -> Result<Unpacked, ImportError> {
    let mut file = File::new(Cursor::new(bytes))?;
    let (pipe, whole) = (is_pipe(&mut file), file.whole());
    let (records, cut) = records(&mut file)?;
    let sorted = Sorted::of(bytes, &mut file, records);
    let first = sorted.pieces.first().map_or(0, |piece| piece.offset);
    let (mut unpacked, damage) = inflate(&sorted.pieces, limit);
    let mut plain = File::new(Cursor::new(&unpacked[..]))?;
    let all = plain.whole();
    let (sound, _, partial) = whole_records(&mut plain, all);
    unpacked.truncate(sound as usize);
    let damage = damage.map(|(offset, what)| whole.damaged(offset as u64, &what));
    let damage = damage.or(sorted.damage).or(cut);
    let damage = damage.or_else(|| {
        partial.map(|_| {
            let what = "the rest of a record was expected in the compressed records";
            records.damaged(records.len, what)
        })
    });
    let features = match pipe {
        true => Some(&[][..]),
        false => features(bytes, records),
    };
    let damage = damage.or_else(|| {
        features.is_none().then(|| {
            let what = "the list of features was expected behind the records";
            whole.damaged(whole.len, what)
        })
    });
    let all = [sorted.before, &unpacked, &sorted.behind];
    Ok(Unpacked {
        bytes: match pipe {
            true => [&[&bytes[..PIPE_LEN as usize]], &all[..]].concat().concat(),
            false => with_records(bytes, all, features.filter(|_| damage.is_none())),
        },
        damage,
        first: first as u64,
        base: if pipe { PIPE_LEN } else { whole.len },
    })
}

/// The list of features, which follows the records.
fn features(file: &[u8], records: Part) -> Option<&[u8]> {
    let bits: u32 = file[FEATURES].iter().map(|byte| byte.count_ones()).sum();
    let list = usize::try_from(records.end()).ok()?;
    file.get(list..list.saturating_add(16 * bits as usize))
}

/// The file with other records behind its end, and the list of features behind them, if it shall have one.
fn with_records(file: &[u8], all: [&[u8]; 3], features: Option<&[u8]>) -> Vec<u8> {
    let [before, unpacked, behind] = all;
    let len = before.len() + unpacked.len() + behind.len();
    let mut out = [file, before, unpacked, behind, features.unwrap_or_default()].concat();
    let place = [file.len() as u64, len as u64].map(u64::to_le_bytes);
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
    fn of(bytes: &'a [u8], file: &mut File<Cursor<&[u8]>>, records: Part) -> Self {
        let (start, end) = (records.start as usize, records.end() as usize);
        let bytes = &bytes[start..end];
        let mut sorted = Self {
            before: &bytes[..0],
            pieces: Vec::new(),
            behind: Vec::new(),
            damage: None,
        };
        let mut at = 0;
        while at < bytes.len() {
            match record_len(file, records, at as u64) {
                Ok((len, kind)) => {
                    let end = at + len as usize;
                    sorted.add(kind, &bytes[at..end], start + at);
                    at = end;
                    if sorted.pieces.is_empty() {
                        sorted.before = &bytes[..at];
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

    fn add(&mut self, kind: u32, record: &'a [u8], offset: usize) {
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
