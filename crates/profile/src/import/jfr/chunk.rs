//! One chunk of a recording: header, types, constant pools, events.

use std::collections::{HashMap, HashSet};

use super::cursor::{Broken, Cursor};
use super::metadata::{self, Types};
use super::value::{self, Value};

const HEADER_LEN: usize = 68;

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
    fn read(data: &[u8]) -> Result<Self, Broken> {
        let broken = |offset, what| Broken { offset, what };
        if data.len() < HEADER_LEN {
            return Err(broken(data.len(), "the chunk breaks off in its header"));
        }
        let long = |at: usize| i64::from_be_bytes(data[at..at + 8].try_into().expect("8 bytes"));
        let offset = |at: usize| usize::try_from(long(at)).ok();
        if &data[..4] != b"FLR\0" {
            return Err(broken(0, "no chunk begins here"));
        }
        if !matches!(data[5], 1 | 2) || data[4] != 0 {
            return Err(broken(4, "a version of the format that is not known"));
        }
        let len = offset(8)
            .filter(|&len| len >= HEADER_LEN)
            .ok_or(broken(8, "impossible chunk length"))?;
        if len > data.len() {
            return Err(broken(data.len(), "the chunk is longer than the file"));
        }
        let inside = |at: usize| offset(at).filter(|&o| o >= HEADER_LEN && o < len).ok_or(at);
        let pools_at = inside(16).map_err(|at| broken(at, "constant pool outside the chunk"))?;
        let metadata_at = inside(24).map_err(|at| broken(at, "metadata outside the chunk"))?;
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
}

impl<'a> Chunk<'a> {
    /// Reads the chunk at the start of `data`.
    pub(super) fn read(data: &'a [u8]) -> Result<Self, Broken> {
        let header = Header::read(data)?;
        let data = &data[..header.len];
        let types = metadata::read(&mut Cursor::new(
            data,
            header.metadata_at,
            header.compressed,
        ))?;
        let mut chunk = Self {
            data,
            header,
            types,
            pools: HashMap::new(),
        };
        chunk.read_pools()?;
        Ok(chunk)
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
                .ok_or(cursor.broken("the next constant pool lies outside the chunk"))?;
        }
        Err(cursor.broken("constant pools form a circle"))
    }

    fn read_pool(&mut self, cursor: &mut Cursor<'_>) -> Result<i64, Broken> {
        cursor.int()?; // size
        if cursor.long()? != 1 {
            return Err(cursor.broken("no constant pool where one is announced"));
        }
        cursor.long()?; // start
        cursor.long()?; // duration
        let delta = cursor.long()?;
        cursor.byte()?; // kind of checkpoint
        for _ in 0..cursor.count()? {
            let class = cursor.long()?;
            for _ in 0..cursor.count()? {
                let index = cursor.long()?;
                let constant = value::read(cursor, class, &self.types)?;
                self.pools.insert((class, index), constant);
            }
        }
        Ok(delta)
    }

    /// Calls `handle` with type name and value of every event that `wanted` names, until one is damaged.
    pub(super) fn events(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut handle: impl FnMut(&str, &Value),
    ) -> Result<(), Broken> {
        let mut cursor = Cursor::new(self.data, HEADER_LEN, self.header.compressed);
        while cursor.pos() < self.data.len() {
            let begin = cursor.pos();
            let size = usize::try_from(cursor.int()?).unwrap_or(0);
            let end = begin
                .checked_add(size)
                .filter(|&end| end > cursor.pos() && end <= self.data.len());
            let end = end.ok_or(Broken {
                offset: begin,
                what: "impossible event length",
            })?;
            let class = cursor.long()?;
            if let Some(ty) = self
                .types
                .get(&class)
                .filter(|ty| class > 1 && wanted(&ty.name))
            {
                let event = value::read(&mut cursor, class, &self.types)?;
                handle(&ty.name, &event);
            }
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
            .position(|f| f.name == name)?;
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
