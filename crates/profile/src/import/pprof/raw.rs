//! A pprof message, its tables put in order.

use std::collections::HashMap;

use proofmark_rewrite::from_modified_utf8;

use super::wire::{Wire, field, fields};

/// A profile as it is stored.
#[derive(Default)]
pub(super) struct Raw<'a> {
    /// Type and unit of each value, as strings' numbers.
    pub(super) types: Vec<(u64, u64)>,
    /// Offset and bytes of each.
    pub(super) samples: Vec<(usize, &'a [u8])>,
    pub(super) locations: HashMap<u64, Location>,
    /// Name of each mapping, as a string's number.
    mappings: HashMap<u64, u64>,
    /// Name and source file of each, as strings' numbers.
    pub(super) functions: HashMap<u64, (u64, u64)>,
    pub(super) strings: Vec<String>,
    period: u64,
    /// Type and unit of the period, as strings' numbers, where told.
    period_type: Option<(u64, u64)>,
    pub(super) default_type: u64,
    /// The first comments, as strings' numbers.
    pub(super) comments: Vec<u64>,
}

/// More comments say nothing more.
const MOST_COMMENTS: usize = 20;

/// What is at an address.
#[derive(Default)]
pub(super) struct Location {
    mapping: u64,
    /// Function and line of each function that is inlined there, innermost first.
    pub(super) lines: Vec<(u64, u64)>,
}

/// What could be read of a message.
pub(super) struct Reading<'a> {
    pub(super) raw: Raw<'a>,
    /// Offset of the first field that is damaged, if one is.
    pub(super) damaged_at: Option<usize>,
    /// Number of fields before that.
    pub(super) fields: usize,
}

impl<'a> Raw<'a> {
    /// Reads up to the first damage.
    pub(super) fn read(bytes: &'a [u8]) -> Reading<'a> {
        let mut reading = Reading {
            raw: Self::default(),
            damaged_at: None,
            fields: 0,
        };
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = bytes.len() - rest.len();
            let read = field(&mut rest).and_then(|field| reading.raw.add(at, field).ok());
            if read.is_none() {
                reading.damaged_at = Some(at);
                break;
            }
            reading.fields += 1;
        }
        reading
    }

    /// Takes the field at an offset.
    fn add(&mut self, at: usize, (number, value): (u64, Wire<'a>)) -> Result<(), usize> {
        match number {
            1 => self.types.push(pair(value.bytes(), 1, 2)?),
            2 => self.samples.push((at, value.bytes())),
            3 => {
                let (id, name) = pair(value.bytes(), 1, 5)?;
                self.mappings.insert(id, name);
            }
            4 => self.location(value.bytes())?,
            5 => self.function(value.bytes())?,
            6 => self
                .strings
                .push(from_modified_utf8(value.bytes()).into_owned()),
            11 => self.period_type = Some(pair(value.bytes(), 1, 2)?),
            12 => self.period = value.number(),
            14 => self.default_type = value.number(),
            13 if self.comments.len() < MOST_COMMENTS => {
                let room = MOST_COMMENTS - self.comments.len();
                self.comments.extend(value.numbers().into_iter().take(room));
            }
            7..=10 | 13 | 15 => {}
            _ => return Err(0),
        }
        Ok(())
    }

    /// True if every function has its name: what names stand for usually comes last.
    pub(super) fn has_names(&self) -> bool {
        let known =
            |&(name, _): &(u64, u64)| usize::try_from(name).is_ok_and(|at| at < self.strings.len());
        !self.functions.is_empty() && self.functions.values().all(known)
    }

    fn function(&mut self, bytes: &[u8]) -> Result<(), usize> {
        let (mut id, mut name, mut file) = (0, 0, 0);
        for field in fields(bytes) {
            match field? {
                (1, value) => id = value.number(),
                (2, value) => name = value.number(),
                (4, value) => file = value.number(),
                _ => {}
            }
        }
        self.functions.insert(id, (name, file));
        Ok(())
    }

    fn location(&mut self, bytes: &[u8]) -> Result<(), usize> {
        let (mut id, mut location) = (0, Location::default());
        for field in fields(bytes) {
            match field? {
                (1, value) => id = value.number(),
                (2, value) => location.mapping = value.number(),
                (4, value) => location.lines.push(pair(value.bytes(), 1, 2)?),
                _ => {}
            }
        }
        self.locations.insert(id, location);
        Ok(())
    }

    /// Name of the mapping that a location lies in; empty if it lies in none.
    pub(super) fn mapping(&self, location: &Location) -> &str {
        let name = self.mappings.get(&location.mapping);
        name.map_or("", |&name| self.string(name))
    }

    pub(super) fn string(&self, index: u64) -> &str {
        usize::try_from(index)
            .ok()
            .and_then(|i| self.strings.get(i))
            .map_or("", String::as_str)
    }

    /// The period in nanoseconds, if it is one of time. A file that does not tell the period's type means the unit of its
    /// values; `of_values` is how many nanoseconds that is.
    pub(super) fn period_ns(&self, of_values: Option<u64>) -> Option<u64> {
        let told = self.period_type.map(|(_, unit)| self.string(unit));
        let unit_ns = match told.filter(|unit| !unit.is_empty()) {
            Some(unit) => time_unit_ns(unit)?,
            None => of_values?,
        };
        (self.period > 0).then(|| self.period.saturating_mul(unit_ns))
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

/// Nanoseconds of a unit of time.
pub(super) fn time_unit_ns(unit: &str) -> Option<u64> {
    Some(match unit {
        "nanoseconds" | "ns" => 1,
        "microseconds" | "us" => 1_000,
        "milliseconds" | "ms" => 1_000_000,
        "seconds" | "s" => 1_000_000_000,
        _ => return None,
    })
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
