//! One chunk of a recording: header, types, constant pools, events.

mod lookup;

use std::collections::HashSet;

use super::cursor::{Broken, Cursor};
use super::header::{HEADER_LEN, Header};
use super::metadata::{self, Types};
use super::value::{self, Value};
use crate::hash::Numbered;

/// Types of constants that samples refer to.
const NEEDED: [&str; 7] = [
    "jdk.types.StackTrace",
    "jdk.types.Method",
    "java.lang.Class",
    "jdk.types.Symbol",
    "java.lang.String",
    "java.lang.Thread",
    "jdk.types.FrameType",
];
const METADATA: i64 = 0;
const POOL: i64 = 1;

/// A chunk with its types and constants read.
pub(super) struct Chunk<'a> {
    data: &'a [u8],
    pub(super) header: Header,
    pub(super) types: Types,
    pools: Numbered<(i64, i64), Value>,
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
            types: Types::default(),
            pools: Numbered::default(),
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
            types: Types::default(),
            pools: Numbered::default(),
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
            let known = self
                .types
                .get(&class)
                .is_some_and(|ty| NEEDED.contains(&&*ty.name));
            for _ in 0..cursor.count()? {
                let index = cursor.long()?;
                if !known {
                    value::skip(cursor, class, &self.types, 0)?;
                    continue;
                }
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
        let wanted: Numbered<i64, &str> = self
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
}
