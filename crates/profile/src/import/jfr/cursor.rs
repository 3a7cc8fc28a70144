//! Reads the primitive values of a chunk; never past its end, never more than the input can pay for.

use std::borrow::Cow;

use proofmark_rewrite::from_modified_utf8;

/// Where a chunk stops making sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Offset in the chunk.
    pub(super) offset: usize,
    /// What is wrong.
    pub(super) what: &'static str,
}

/// A string as it is stored.
pub(super) enum Text<'a> {
    Null,
    Here(Cow<'a, str>),
    /// An index into the pool of strings.
    Pooled(i64),
}

/// A position in a chunk.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    pos: usize,
    compressed: bool,
    /// Values that may still be read. Hostile metadata can describe values that take no bytes, in huge numbers.
    fuel: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at `pos` of the chunk `data`.
    pub(super) fn new(data: &'a [u8], pos: usize, compressed: bool) -> Self {
        Self {
            data,
            pos,
            compressed,
            fuel: data.len().saturating_mul(8).saturating_add(4096),
        }
    }

    /// Offset in the chunk.
    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// Moves to an offset in the chunk; what was used up stays used up.
    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    pub(super) fn broken(&self, what: &'static str) -> Broken {
        Broken {
            offset: self.pos,
            what,
        }
    }

    /// Counts one value.
    pub(super) fn spend(&mut self) -> Result<(), Broken> {
        let left = self.fuel.checked_sub(1);
        self.fuel =
            left.ok_or(self.broken("fewer values were expected: the bytes cannot hold so many"))?;
        Ok(())
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Broken> {
        let end = self
            .pos
            .checked_add(len)
            .filter(|&end| end <= self.data.len());
        let end = end.ok_or(self.broken("a value was expected and the chunk ends"))?;
        let bytes = &self.data[self.pos..end];
        self.pos = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        self.take(N)
            .map(|bytes| bytes.try_into().expect("take gives N bytes"))
    }

    pub(super) fn byte(&mut self) -> Result<u8, Broken> {
        self.array().map(|[b]| b)
    }

    /// A `short`.
    pub(super) fn short(&mut self) -> Result<i64, Broken> {
        if self.compressed {
            self.varint()
        } else {
            self.array().map(|b| i64::from(i16::from_be_bytes(b)))
        }
    }

    /// An `int`.
    pub(super) fn int(&mut self) -> Result<i64, Broken> {
        if self.compressed {
            self.varint().map(|v| i64::from(v as i32))
        } else {
            self.array().map(|b| i64::from(i32::from_be_bytes(b)))
        }
    }

    /// A `long`.
    pub(super) fn long(&mut self) -> Result<i64, Broken> {
        if self.compressed {
            self.varint()
        } else {
            self.array().map(i64::from_be_bytes)
        }
    }

    pub(super) fn float(&mut self) -> Result<f64, Broken> {
        self.array().map(|b| f64::from(f32::from_be_bytes(b)))
    }

    pub(super) fn double(&mut self) -> Result<f64, Broken> {
        self.array().map(f64::from_be_bytes)
    }

    /// Seven bits a byte, low first; a ninth byte holds eight.
    fn varint(&mut self) -> Result<i64, Broken> {
        let (mut value, mut shift) = (0_u64, 0);
        while let Some(&byte) = self.data.get(self.pos) {
            self.pos += 1;
            if shift == 56 {
                return Ok((value | u64::from(byte) << 56) as i64);
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value as i64);
            }
            shift += 7;
        }
        Err(self.broken("a value was expected and the chunk ends"))
    }

    /// A number of things that take a byte each at least.
    pub(super) fn count(&mut self) -> Result<usize, Broken> {
        let count = self.int()?;
        let left = self.data.len() - self.pos;
        match usize::try_from(count) {
            Ok(count) if count <= left => Ok(count),
            _ => Err(self.broken("a number of entries was expected that the bytes left can hold")),
        }
    }

    pub(super) fn string(&mut self) -> Result<Text<'a>, Broken> {
        Ok(match self.byte()? {
            0 => Text::Null,
            1 => Text::Here(Cow::Borrowed("")),
            2 => Text::Pooled(self.long()?),
            3 => {
                let len = self.count()?;
                // The JVM writes names as it has them.
                Text::Here(from_modified_utf8(self.take(len)?))
            }
            4 => Text::Here(self.utf16()?.into()),
            5 => {
                let len = self.count()?;
                Text::Here(latin1(self.take(len)?))
            }
            _ => return Err(self.broken("a string in one of the encodings 0 to 5 was expected")),
        })
    }

    fn utf16(&mut self) -> Result<String, Broken> {
        let len = self.count()?;
        let mut units = Vec::with_capacity(len);
        for _ in 0..len {
            units.push(self.short()? as u16);
        }
        Ok(String::from_utf16_lossy(&units))
    }
}

fn latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        let read = |bytes: &[u8]| Cursor::new(bytes, 0, true).long();
        assert_eq!(read(&[0x85, 0xb0, 0x03]), Ok(55301));
        assert_eq!(read(&[0xff; 9]), Ok(-1));
        assert!(read(&[0x80, 0x80]).is_err(), "runs past the end");
    }

    #[test]
    fn names_as_the_jvm_has_them() {
        let bytes = b"\x03\x07\xed\xa0\xb5\xed\xb2\x9cb";
        match Cursor::new(bytes, 0, true).string() {
            Ok(Text::Here(text)) => assert_eq!(text, "\u{1d49c}b"),
            _ => panic!("no text"),
        }
    }

    #[test]
    fn a_count_beyond_the_end_is_refused() {
        assert!(
            Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x07, 0, 0], 0, true)
                .count()
                .is_err()
        );
        assert_eq!(Cursor::new(&[2, 0, 0], 0, true).count(), Ok(2));
        assert!(
            Cursor::new(&[3, 0, 0], 0, true).count().is_err(),
            "one too many"
        );
        assert!(
            Cursor::new(&(-1_i32).to_be_bytes(), 0, false)
                .count()
                .is_err(),
            "negative"
        );
    }
}
