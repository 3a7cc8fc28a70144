//! Unpacks zstd in bounded memory: the window of a frame is bounded, and so is what a byte may unpack to.

use std::io::Read;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Largest window: that of zstd's level 19. perf uses level 1 unless told otherwise.
const MOST_WINDOW: u64 = 8 << 20;
/// Records unpack to no more than this, and this per compressed byte.
const MOST_UNPACKED: u64 = 1 << 20;
const MOST_PER_BYTE: u64 = 256;
/// An empty last block and a checksum: ends a frame that has no end.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// What a compressed record holds.
pub(super) struct Piece<'a> {
    /// A part of the frame.
    pub(super) data: &'a [u8],
    /// Offset of the record in the file.
    pub(super) offset: usize,
}

/// The pieces one after the other.
struct Joined<'a> {
    pieces: &'a [Piece<'a>],
    /// How much of the first piece was read.
    at: usize,
}

impl Joined<'_> {
    /// Goes on to the next piece that has something.
    fn is_empty(&mut self) -> bool {
        while let [piece, rest @ ..] = self.pieces
            && self.at == piece.data.len()
            && !rest.is_empty()
        {
            (self.pieces, self.at) = (rest, 0);
        }
        self.pieces.iter().all(|piece| self.at == piece.data.len())
    }

    /// Offset of the record that is being read.
    fn offset(&self) -> usize {
        self.pieces.first().map_or(0, |piece| piece.offset)
    }
}

impl Read for Joined<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.is_empty() {
            return Ok(0);
        }
        let rest = &self.pieces[0].data[self.at..];
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len;
        Ok(len)
    }
}

/// What the pieces unpack to; and where that ends too early, and why, if it does.
pub(super) fn inflate(pieces: &[Piece<'_>], limit: u64) -> (Vec<u8>, Option<(usize, String)>) {
    let packed: u64 = pieces.iter().map(|piece| piece.data.len() as u64).sum();
    let limit = limit.min(MOST_UNPACKED.saturating_add(packed.saturating_mul(MOST_PER_BYTE)));
    let (mut source, mut out) = (Joined { pieces, at: 0 }, Vec::new());
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MOST_WINDOW);
    while !source.is_empty() {
        if let Err(error) = decoder.init(&mut source) {
            let what = format!("the begin of compressed records was expected: {error}");
            return (out, Some((source.offset(), what)));
        }
        while !decoder.is_finished() {
            let ended = source.is_empty();
            let offset = source.offset();
            let step = BlockDecodingStrategy::UptoBlocks(1);
            let outcome = match ended {
                true => decoder.decode_blocks(&END[..], step),
                false => decoder.decode_blocks(&mut source, step),
            };
            if let Err(error) = outcome {
                // What was unpacked before is still in the decoder.
                if decoder
                    .decode_blocks(&END[..], BlockDecodingStrategy::UptoBlocks(1))
                    .is_ok()
                {
                    out.extend(decoder.collect().unwrap_or_default());
                }
                let what = format!("sound compressed records were expected: {error}");
                return (out, Some((offset, what)));
            }
            out.extend(decoder.collect().unwrap_or_default());
            if out.len() as u64 > limit {
                let what = format!("records that unpack to {limit} bytes at most were expected");
                return (Vec::new(), Some((offset, what)));
            }
        }
    }
    (out, None)
}
