//! Reads the values of a log.

use proofmark_rewrite::from_modified_utf8;

/// A position in a log.
pub(super) struct Input<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Input<'_> {
    /// The kind of the next record. A memory-mapped log has zeros behind its end.
    pub(super) fn kind(&mut self) -> Option<u8> {
        let kind = *self.bytes.get(self.at)?;
        if kind == 0 && self.bytes[self.at..].iter().all(|&byte| byte == 0) {
            return None;
        }
        self.at += 1;
        Some(kind)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    pub(super) fn int(&mut self) -> Option<i32> {
        self.array().map(i32::from_be_bytes)
    }

    pub(super) fn long(&mut self) -> Option<i64> {
        self.array().map(i64::from_be_bytes)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let len = usize::try_from(self.int()?).ok()?;
        let text = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(from_modified_utf8(text).into_owned())
    }
}
