//! Reading and writing big-endian bytes. Every read is checked: damaged files give an error, never a panic.

use crate::Reason;

/// Why the bytes are not a class file.
pub(crate) const fn malformed<T>(what: &'static str) -> Result<T, Reason> {
    Err(Reason::Malformed(what))
}

/// A cursor over bytes.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let end = self.at.checked_add(length);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at += length;
                Ok(taken)
            }
            None => malformed("the file ends too early"),
        }
    }

    pub(crate) fn u1(&mut self) -> Result<u8, Reason> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u2(&mut self) -> Result<u16, Reason> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(crate) fn u4(&mut self) -> Result<u32, Reason> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A table: a `u2` count, then as many entries.
    pub(crate) fn table<T>(
        &mut self,
        mut entry: impl FnMut(&mut Self) -> Result<T, Reason>,
    ) -> Result<Vec<T>, Reason> {
        let count = usize::from(self.u2()?);
        // A damaged count is above what can follow.
        let mut entries = Vec::with_capacity(count.min(self.bytes.len() - self.at));
        for _ in 0..count {
            entries.push(entry(self)?);
        }
        Ok(entries)
    }
}

/// Appending big-endian numbers.
pub(crate) trait Write {
    fn u1(&mut self, value: u8);
    fn u2(&mut self, value: u16);
    fn u4(&mut self, value: u32);
    /// A count that the class-file format limits to 16 bits.
    fn count(&mut self, value: usize) -> Result<(), Reason>;
}

impl Write for Vec<u8> {
    fn u1(&mut self, value: u8) {
        self.push(value);
    }

    fn u2(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn u4(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn count(&mut self, value: usize) -> Result<(), Reason> {
        self.u2(u16::try_from(value).map_err(|_| Reason::TooMany)?);
        Ok(())
    }
}
