//! The constant pool: the original bytes are kept, new constants are appended behind them.

use std::collections::HashMap;

use crate::Reason;
use crate::bytes::{Reader, Write, malformed};

pub(crate) const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const LONG: u8 = 5;
pub(crate) const CLASS: u8 = 7;
pub(crate) const FIELD: u8 = 9;
pub(crate) const METHOD: u8 = 10;
pub(crate) const INTERFACE_METHOD: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// Largest number of slots that a class file can have.
const SLOTS: usize = 0xffff;

/// A constant pool that can grow.
pub(crate) struct Pool<'a> {
    /// Entries of the file, as they were.
    original: &'a [u8],
    /// Offset of each slot's entry in `original`; `NONE` where there is no entry.
    offsets: Vec<u32>,
    appended: Vec<u8>,
    /// Content of appended entries (and of what was looked up) to slot.
    known: HashMap<Vec<u8>, u16>,
    slots: usize,
}

const NONE: u32 = u32::MAX;

/// A reference to a field or method, resolved to its names.
#[derive(Clone, Copy)]
pub(crate) struct MemberRef<'p> {
    pub(crate) tag: u8,
    pub(crate) class: u16,
    pub(crate) owner: &'p [u8],
    pub(crate) name: &'p [u8],
    pub(crate) descriptor: &'p [u8],
}

impl<'a> Pool<'a> {
    /// Reads the pool; the reader stands at `constant_pool_count`.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Reason> {
        let slots = usize::from(reader.u2()?);
        if slots == 0 {
            return malformed("an empty constant pool");
        }
        let mut offsets = vec![NONE; slots];
        let start = reader.at();
        let mut entries = reader.clone();
        let mut slot = 1;
        while slot < slots {
            offsets[slot] = (reader.at() - start) as u32;
            slot += skip_entry(reader)?;
        }
        if slot != slots {
            return malformed("a long or double constant at the end of the pool");
        }
        let original = entries.take(reader.at() - start)?;
        Ok(Self {
            original,
            offsets,
            appended: Vec::new(),
            known: HashMap::new(),
            slots,
        })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.u2(self.slots as u16);
        out.extend_from_slice(self.original);
        out.extend_from_slice(&self.appended);
    }

    /// Number of slots, the unused first one included.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Number of slots that the file had.
    pub(crate) fn original_slots(&self) -> usize {
        self.offsets.len()
    }

    fn entry(&self, slot: u16) -> Result<Reader<'a>, Reason> {
        match self.offsets.get(usize::from(slot)) {
            Some(&offset) if offset != NONE => Ok(Reader::new(&self.original[offset as usize..])),
            _ => malformed("a constant that does not exist"),
        }
    }

    /// Tag of a constant of the file.
    pub(crate) fn tag(&self, slot: u16) -> Result<u8, Reason> {
        self.entry(slot)?.u1()
    }

    /// Bytes (modified UTF-8) of a constant of the file.
    pub(crate) fn utf8(&self, slot: u16) -> Result<&'a [u8], Reason> {
        let mut entry = self.entry(slot)?;
        if entry.u1()? != UTF8 {
            return malformed("a name that is not text");
        }
        let length = entry.u2()?;
        entry.take(length.into())
    }

    /// Name of a class constant of the file.
    pub(crate) fn class(&self, slot: u16) -> Result<&'a [u8], Reason> {
        let mut entry = self.entry(slot)?;
        if entry.u1()? != CLASS {
            return malformed("a class that is another constant");
        }
        self.utf8(entry.u2()?)
    }

    /// A field or method reference of the file.
    pub(crate) fn member(&self, slot: u16) -> Result<MemberRef<'a>, Reason> {
        let mut entry = self.entry(slot)?;
        let tag = entry.u1()?;
        if !(FIELD..=INTERFACE_METHOD).contains(&tag) {
            return malformed("a member reference that is another constant");
        }
        let class = entry.u2()?;
        let mut pair = self.entry(entry.u2()?)?;
        if pair.u1()? != NAME_AND_TYPE {
            return malformed("a name and type that is another constant");
        }
        Ok(MemberRef {
            tag,
            class,
            owner: self.class(class)?,
            name: self.utf8(pair.u2()?)?,
            descriptor: self.utf8(pair.u2()?)?,
        })
    }

    fn append(&mut self, content: Vec<u8>, slots: usize) -> Result<u16, Reason> {
        if let Some(&slot) = self.known.get(&content) {
            return Ok(slot);
        }
        if self.slots + slots > SLOTS {
            return Err(Reason::PoolFull);
        }
        let slot = self.slots as u16;
        self.slots += slots;
        self.appended.extend_from_slice(&content);
        self.known.insert(content, slot);
        Ok(slot)
    }

    pub(crate) fn add_utf8(&mut self, text: &[u8]) -> Result<u16, Reason> {
        let mut content = vec![UTF8];
        content.count(text.len())?;
        content.extend_from_slice(text);
        self.append(content, 1)
    }

    pub(crate) fn add_class(&mut self, name: &[u8]) -> Result<u16, Reason> {
        let name = self.add_utf8(name)?;
        self.append(pair(CLASS, name, None), 1)
    }

    /// A field or method of the class in slot `class`.
    pub(crate) fn add_member(
        &mut self,
        tag: u8,
        class: u16,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, Reason> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        let both = self.append(pair(NAME_AND_TYPE, name, Some(descriptor)), 1)?;
        self.append(pair(tag, class, Some(both)), 1)
    }

    pub(crate) fn add_integer(&mut self, value: i32) -> Result<u16, Reason> {
        let mut content = vec![INTEGER];
        content.u4(value as u32);
        self.append(content, 1)
    }

    pub(crate) fn add_long(&mut self, value: i64) -> Result<u16, Reason> {
        let mut content = vec![LONG];
        content.extend_from_slice(&value.to_be_bytes());
        self.append(content, 2)
    }
}

fn pair(tag: u8, first: u16, second: Option<u16>) -> Vec<u8> {
    let mut content = vec![tag];
    content.u2(first);
    if let Some(second) = second {
        content.u2(second);
    }
    content
}

/// Skips one entry; the number of slots that it takes.
pub(crate) fn skip_entry(reader: &mut Reader<'_>) -> Result<usize, Reason> {
    let length = match reader.u1()? {
        UTF8 => reader.u2()?.into(),
        3 | 4 | 9..=12 | 17 | 18 => 4,
        5 | 6 => {
            reader.take(8)?;
            return Ok(2);
        }
        7 | 8 | 16 | 19 | 20 => 2,
        15 => 3,
        _ => return malformed("an unknown kind of constant"),
    };
    reader.take(length)?;
    Ok(1)
}
