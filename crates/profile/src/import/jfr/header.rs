//! The head of a chunk.

use super::cursor::Broken;

/// Bytes before the first event.
pub(super) const HEADER_LEN: usize = 68;
/// The length that a chunk's header tells; 0 if there is none.
pub(super) fn announced_len(header: &[u8]) -> u64 {
    let is_chunk = header.starts_with(b"FLR\0");
    let len = header.get(8..16).filter(|_| is_chunk);
    len.map_or(0, |len| {
        u64::from_be_bytes(len.try_into().expect("8 bytes"))
    })
}

/// The fixed head of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// Length of the chunk in bytes, header included.
    pub(super) len: usize,
    /// Offset of the last constant pool.
    pub(super) pools_at: usize,
    /// Offset of the metadata.
    pub(super) metadata_at: usize,
    start_ns: i64,
    start_ticks: i64,
    ticks_per_second: i64,
    /// Whether whole numbers take as few bytes as they can.
    pub(super) compressed: bool,
}

impl Header {
    /// Reads the header at the start of `data`, which may be longer than the chunk.
    ///
    /// If the chunk is longer than `data`, what the header says of places may lie behind the end.
    pub(super) fn read(data: &[u8]) -> Result<Self, Broken> {
        let broken = |offset, what| Broken { offset, what };
        if data.len() < HEADER_LEN {
            return Err(broken(
                data.len(),
                "a chunk header of 68 bytes was expected and the file ends",
            ));
        }
        let long = |at: usize| i64::from_be_bytes(data[at..at + 8].try_into().expect("8 bytes"));
        let offset = |at: usize| usize::try_from(long(at)).ok();
        if &data[..4] != b"FLR\0" {
            return Err(broken(0, "a chunk was expected to begin here with FLR"));
        }
        if !matches!(data[5], 1 | 2) || data[4] != 0 {
            return Err(broken(4, "version 1 or 2 of the format was expected"));
        }
        let len = offset(8)
            .filter(|&len| len >= HEADER_LEN)
            .ok_or(broken(8, "a chunk length of 68 bytes or more was expected"))?;
        let inside = |at: usize| offset(at).filter(|&o| o >= HEADER_LEN && o < len).ok_or(at);
        let pools_at = inside(16).map_err(|at| {
            broken(
                at,
                "the place of a constant pool inside the chunk was expected",
            )
        })?;
        let metadata_at = inside(24).map_err(|at| {
            broken(
                at,
                "the place of the metadata inside the chunk was expected",
            )
        })?;
        Ok(Self {
            len,
            pools_at,
            metadata_at,
            start_ns: long(32),
            start_ticks: long(48),
            ticks_per_second: long(56).max(1),
            compressed: data[67] & 1 != 0,
        })
    }

    /// Nanoseconds since 1970 of a tick.
    pub(super) fn epoch_ns(&self, ticks: i64) -> i64 {
        let since_start = i128::from(ticks) - i128::from(self.start_ticks);
        saturate(i128::from(self.start_ns) + self.scale(since_start))
    }

    /// Nanoseconds of a number of ticks.
    pub(super) fn duration_ns(&self, ticks: i64) -> i64 {
        saturate(self.scale(i128::from(ticks)))
    }

    fn scale(&self, ticks: i128) -> i128 {
        ticks * 1_000_000_000 / i128::from(self.ticks_per_second)
    }
}

fn saturate(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}
