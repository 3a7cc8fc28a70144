//! The constant pool: the original bytes are kept, new constants are appended behind them.

use foldhash::{HashMap, HashMapExt};

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
const INVOKE_DYNAMIC: u8 = 18;

/// Largest number of slots that a class file can have.
const SLOTS: usize = 0xffff;

/// A constant pool that can grow.
pub(crate) struct Pool<'a> {
    /// Entries of the file, as they were.
    original: &'a [u8],
    /// Offset of each slot's entry in `original`; `NONE` where there is no entry.
    offsets: Vec<u32>,
    appended: Vec<u8>,
    /// Appended texts and their slots.
    texts: HashMap<Box<[u8]>, u16>,
    /// Other appended entries (tag and content) and their slots.
    others: HashMap<(u8, u64), u16>,
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
            texts: HashMap::new(),
            others: HashMap::new(),
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

    /// Descriptor of a call site that is linked at run time.
    pub(crate) fn dynamic_descriptor(&self, slot: u16) -> Result<&'a [u8], Reason> {
        let mut entry = self.entry(slot)?;
        if entry.u1()? != INVOKE_DYNAMIC {
            return malformed("a call site that is another constant");
        }
        entry.u2()?;
        let mut pair = self.entry(entry.u2()?)?;
        if pair.u1()? != NAME_AND_TYPE {
            return malformed("a name and type that is another constant");
        }
        pair.u2()?;
        self.utf8(pair.u2()?)
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

    /// The next free slot, taken by a constant of so many slots.
    fn take(&mut self, slots: usize) -> Result<u16, Reason> {
        if self.slots + slots > SLOTS {
            return Err(Reason::PoolFull);
        }
        let slot = self.slots as u16;
        self.slots += slots;
        Ok(slot)
    }

    /// Appends an entry whose content is the last `bytes` bytes of a number.
    fn append(&mut self, tag: u8, content: u64, bytes: usize) -> Result<u16, Reason> {
        if let Some(&slot) = self.others.get(&(tag, content)) {
            return Ok(slot);
        }
        let slot = self.take(if tag == LONG { 2 } else { 1 })?;
        self.appended.u1(tag);
        self.appended
            .extend_from_slice(&content.to_be_bytes()[8 - bytes..]);
        self.others.insert((tag, content), slot);
        Ok(slot)
    }

    pub(crate) fn add_utf8(&mut self, text: &[u8]) -> Result<u16, Reason> {
        if let Some(&slot) = self.texts.get(text) {
            return Ok(slot);
        }
        let length = u16::try_from(text.len()).map_err(|_| Reason::TooMany)?;
        let slot = self.take(1)?;
        self.appended.u1(UTF8);
        self.appended.u2(length);
        self.appended.extend_from_slice(text);
        self.texts.insert(text.into(), slot);
        Ok(slot)
    }

    pub(crate) fn add_class(&mut self, name: &[u8]) -> Result<u16, Reason> {
        let name = self.add_utf8(name)?;
        self.append(CLASS, name.into(), 2)
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
        let both = self.append(NAME_AND_TYPE, pair(name, descriptor), 4)?;
        self.append(tag, pair(class, both), 4)
    }

    pub(crate) fn add_integer(&mut self, value: i32) -> Result<u16, Reason> {
        self.append(INTEGER, u64::from(value as u32), 4)
    }

    pub(crate) fn add_long(&mut self, value: i64) -> Result<u16, Reason> {
        self.append(LONG, value as u64, 8)
    }
}

fn pair(first: u16, second: u16) -> u64 {
    u64::from(first) << 16 | u64::from(second)
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
