//! One chunk of a recording: header, types, constant pools, events.

use std::collections::{HashMap, HashSet};

use super::cursor::{Broken, Cursor};
use super::metadata::{self, Types};
use super::value::{self, Value};

/// Bytes before the first event.
pub(super) const HEADER_LEN: usize = 68;
const METADATA: i64 = 0;
const POOL: i64 = 1;

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
    pools_at: usize,
    metadata_at: usize,
    start_ns: i64,
    start_ticks: i64,
    ticks_per_second: i64,
    compressed: bool,
}

impl Header {
    /// Reads the header at the start of `data`, which may be longer than the chunk.
    ///
    /// If the chunk is longer than `data`, what the header says of places may lie behind the end.
    fn read(data: &[u8]) -> Result<Self, Broken> {
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

/// A chunk with its types and constants read.
pub(super) struct Chunk<'a> {
    data: &'a [u8],
    pub(super) header: Header,
    pub(super) types: Types,
    pools: HashMap<(i64, i64), Value>,
    /// Where the file breaks off inside the chunk, if it does.
    pub(super) cut: Option<Broken>,
}

impl<'a> Chunk<'a> {
    /// Reads the chunk at the start of `data`.
    pub(super) fn read(data: &'a [u8]) -> Result<Self, Broken> {
        let header = Header::read(data)?;
        if header.len > data.len() {
            return Self::read_cut(data, header);
        }
        let data = &data[..header.len];
        let mut chunk = Self {
            data,
            header,
            types: Types::new(),
            pools: HashMap::new(),
            cut: None,
        };
        chunk.types = metadata::read(&mut chunk.cursor(header.metadata_at))?;
        chunk.read_pools()?;
        Ok(chunk)
    }

    /// Reads a chunk whose end is missing. The JDK writes metadata and constants every second, so those of the part
    /// that is there can be found among the events.
    fn read_cut(data: &'a [u8], header: Header) -> Result<Self, Broken> {
        let cut = Broken {
            offset: data.len(),
            what: "more of the chunk was expected and the file ends",
        };
        let mut chunk = Self {
            data,
            header,
            types: Types::new(),
            pools: HashMap::new(),
            cut: Some(cut),
        };
        let (mut metadata_at, mut pools) = (None, Vec::new());
        let _ = chunk.walk(|class, begin| {
            match class {
                METADATA => metadata_at = Some(begin),
                POOL => pools.push(begin),
                _ => {}
            }
            Ok(())
        });
        chunk.types = metadata::read(&mut chunk.cursor(metadata_at.ok_or(cut)?))?;
        let mut cursor = chunk.cursor(HEADER_LEN);
        for at in pools {
            cursor.seek(at);
            chunk.read_pool(&mut cursor)?;
        }
        Ok(chunk)
    }

    /// Length of what is there of the chunk.
    pub(super) fn bytes_len(&self) -> usize {
        self.data.len()
    }

    fn cursor(&self, at: usize) -> Cursor<'a> {
        Cursor::new(self.data, at, self.header.compressed)
    }

    /// Pools are events that each tell the distance to the next one.
    fn read_pools(&mut self) -> Result<(), Broken> {
        let mut visited = HashSet::new();
        let mut at = self.header.pools_at;
        let mut cursor = Cursor::new(self.data, at, self.header.compressed);
        while visited.insert(at) {
            cursor.seek(at);
            let delta = self.read_pool(&mut cursor)?;
            if delta == 0 {
                return Ok(());
            }
            let next = i64::try_from(at).ok().and_then(|at| at.checked_add(delta));
            at = next
                .and_then(|next| usize::try_from(next).ok())
                .filter(|&next| next >= HEADER_LEN && next < self.data.len())
                .ok_or(
                    cursor.broken("the distance to a constant pool inside the chunk was expected"),
                )?;
        }
        Err(cursor.broken("the end of the constant pools was expected, and they form a circle"))
    }

    fn read_pool(&mut self, cursor: &mut Cursor<'_>) -> Result<i64, Broken> {
        cursor.int()?; // size
        if cursor.long()? != 1 {
            return Err(cursor.broken("a constant pool was expected here"));
        }
        cursor.long()?; // start
        cursor.long()?; // duration
        let delta = cursor.long()?;
        cursor.byte()?; // kind of checkpoint
        for _ in 0..cursor.count()? {
            cursor.spend()?;
            let class = cursor.long()?;
            for _ in 0..cursor.count()? {
                let index = cursor.long()?;
                let constant = value::read(cursor, class, &self.types)?;
                self.pools.insert((class, index), constant);
            }
        }
        Ok(delta)
    }

    /// Calls `handle` with type name and value of every event that `wanted` names, until one is damaged. An event that
    /// breaks off at the end of a cut chunk is no damage.
    pub(super) fn events(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut handle: impl FnMut(&str, &Value),
    ) -> Result<(), Broken> {
        let wanted: HashMap<i64, &str> = self
            .types
            .iter()
            .filter(|(class, ty)| **class > POOL && wanted(&ty.name))
            .map(|(class, ty)| (*class, &*ty.name))
            .collect();
        let mut cursor = self.cursor(HEADER_LEN);
        let walked = self.walk(|class, begin| {
            if let Some(name) = wanted.get(&class) {
                cursor.seek(begin);
                cursor.int()?; // size
                cursor.long()?; // class
                handle(name, &value::read(&mut cursor, class, &self.types)?);
            }
            Ok(())
        });
        walked.or_else(|broken| self.cut.map(|_| ()).ok_or(broken))
    }

    /// Calls `visit` with class and offset of every event.
    fn walk(&self, mut visit: impl FnMut(i64, usize) -> Result<(), Broken>) -> Result<(), Broken> {
        let mut cursor = self.cursor(HEADER_LEN);
        while cursor.pos() < self.data.len() {
            let begin = cursor.pos();
            let size = usize::try_from(cursor.int()?).unwrap_or(0);
            let end = begin
                .checked_add(size)
                .filter(|&end| end > cursor.pos() && end <= self.data.len());
            let end = end.ok_or(Broken {
                offset: begin,
                what: "the length of an event inside the chunk was expected",
            })?;
            visit(cursor.long()?, begin)?;
            cursor.seek(end);
        }
        Ok(())
    }

    /// The field of a structure, looked up in its pool if need be.
    pub(super) fn get<'v>(&'v self, value: &'v Value, name: &str) -> Option<&'v Value> {
        self.raw(value, name).map(|v| self.resolve(v))
    }

    /// The field of a structure as it is stored.
    pub(super) fn raw<'v>(&'v self, value: &'v Value, name: &str) -> Option<&'v Value> {
        let Value::Object(class, fields) = self.resolve(value) else {
            return None;
        };
        let at = self
            .types
            .get(class)?
            .fields
            .iter()
            .position(|f| *f.name == *name)?;
        fields.get(at)
    }

    /// Follows references to constants; one that is not there is [`Value::Null`].
    pub(super) fn resolve<'v>(&'v self, value: &'v Value) -> &'v Value {
        let mut value = value;
        for _ in 0..4 {
            let Value::Ref { class, index } = value else {
                return value;
            };
            value = self.pools.get(&(*class, *index)).unwrap_or(&Value::Null);
        }
        &Value::Null
    }

    /// A whole-number field.
    pub(super) fn int(&self, value: &Value, name: &str) -> Option<i64> {
        match self.get(value, name)? {
            Value::Int(v) => Some(*v),
            _ => None,
        }
    }

    /// A text field; symbols are structures with one string.
    pub(super) fn text<'v>(&'v self, value: &'v Value, name: &str) -> Option<&'v str> {
        match self.get(value, name)? {
            Value::Text(text) => Some(text),
            symbol @ Value::Object(..) => match self.get(symbol, "string")? {
                Value::Text(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}
