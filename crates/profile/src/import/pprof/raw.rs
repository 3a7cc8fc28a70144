//! A pprof message, its tables put in order.

use std::collections::HashMap;

use super::wire::fields;

/// A profile as it is stored.
#[derive(Default)]
pub(super) struct Raw<'a> {
    /// Type and unit of each value, as strings' numbers.
    pub(super) types: Vec<(u64, u64)>,
    pub(super) samples: Vec<&'a [u8]>,
    pub(super) locations: HashMap<u64, Vec<(u64, u64)>>,
    pub(super) functions: HashMap<u64, u64>,
    pub(super) strings: Vec<String>,
    pub(super) period: u64,
    pub(super) default_type: u64,
}

impl<'a> Raw<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, usize> {
        let mut raw = Self::default();
        for field in fields(bytes) {
            let (number, value) = field?;
            match number {
                1 => raw.types.push(pair(value.bytes(), 1, 2)?),
                2 => raw.samples.push(value.bytes()),
                4 => raw.location(value.bytes())?,
                5 => {
                    let (id, name) = pair(value.bytes(), 1, 2)?;
                    raw.functions.insert(id, name);
                }
                6 => raw
                    .strings
                    .push(String::from_utf8_lossy(value.bytes()).into_owned()),
                12 => raw.period = value.number(),
                14 => raw.default_type = value.number(),
                _ => {}
            }
        }
        Ok(raw)
    }

    /// A location has one line per function that is inlined there, innermost first.
    fn location(&mut self, bytes: &[u8]) -> Result<(), usize> {
        let (mut id, mut lines) = (0, Vec::new());
        for field in fields(bytes) {
            match field? {
                (1, value) => id = value.number(),
                (4, value) => lines.push(pair(value.bytes(), 1, 2)?),
                _ => {}
            }
        }
        self.locations.insert(id, lines);
        Ok(())
    }

    pub(super) fn string(&self, index: u64) -> &str {
        usize::try_from(index)
            .ok()
            .and_then(|i| self.strings.get(i))
            .map_or("", String::as_str)
    }

    /// Which of the values counts.
    pub(super) fn value_index(&self) -> usize {
        let named = self
            .types
            .iter()
            .position(|t| self.default_type != 0 && t.0 == self.default_type);
        named.unwrap_or(self.types.len().saturating_sub(1))
    }
}

/// Two numbers of a message.
fn pair(bytes: &[u8], first: u64, second: u64) -> Result<(u64, u64), usize> {
    let mut pair = (0, 0);
    for field in fields(bytes) {
        match field? {
            (number, value) if number == first => pair.0 = value.number(),
            (number, value) if number == second => pair.1 = value.number(),
            _ => {}
        }
    }
    Ok(pair)
}
