//! Lines of tab-separated fields, and errors that say where and what.

use std::str::FromStr;

use crate::error::EventsError;

/// Longest part of a wrong field that an error shows, in characters.
const SHOWN: usize = 60;

/// One line.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// Number, from 1.
    pub number: usize,
    fields: Vec<&'a str>,
    whole: &'a str,
}

impl<'a> Line<'a> {
    /// All lines of a text; a carriage return before the end of a line is not part of it.
    pub fn all(text: &'a str) -> impl Iterator<Item = Line<'a>> {
        text.lines().enumerate().map(|(at, whole)| Line {
            number: at + 1,
            fields: whole.split('\t').collect(),
            whole,
        })
    }

    /// First field: what kind of line it is.
    pub fn kind(&self) -> &'a str {
        self.fields[0]
    }

    /// Fields behind the first one.
    pub fn rest(&self) -> &[&'a str] {
        &self.fields[1..]
    }

    /// The line is not what it must be.
    pub fn wrong(&self, expected: impl Into<String>) -> EventsError {
        self.wrong_field(self.whole, expected)
    }

    fn wrong_field(&self, found: &str, expected: impl Into<String>) -> EventsError {
        let clean: String = found
            .chars()
            .take(SHOWN)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let cut = if found.chars().count() > SHOWN {
            "..."
        } else {
            ""
        };
        EventsError::Line {
            line: self.number,
            expected: expected.into(),
            found: format!("{clean}{cut}"),
        }
    }

    /// Field `at`, the kind being field 0.
    pub fn field(&self, at: usize, what: &str) -> Result<&'a str, EventsError> {
        self.fields
            .get(at)
            .copied()
            .ok_or_else(|| self.wrong(format!("{what} in field {at} of '{}'", self.kind())))
    }

    /// Field `at` as a number.
    pub fn number<T: FromStr>(&self, at: usize, what: &str) -> Result<T, EventsError> {
        self.parse(self.field(at, what)?, what)
    }

    /// A part of the line as a number.
    pub fn parse<T: FromStr>(&self, text: &str, what: &str) -> Result<T, EventsError> {
        text.parse().map_err(|_| self.wrong_field(text, what))
    }

    /// A part of the line as a number, none for `-`.
    pub fn optional<T: FromStr>(&self, text: &str, what: &str) -> Result<Option<T>, EventsError> {
        match text {
            "-" => Ok(None),
            text => self.parse(text, what).map(Some),
        }
    }

    /// The number of a counter or another index: so large that memory could not hold it is wrong.
    pub fn index(&self, text: &str, what: &str) -> Result<usize, EventsError> {
        let index: usize = self.parse(text, what)?;
        if index > u32::MAX as usize {
            return Err(self.wrong_field(text, what));
        }
        Ok(index)
    }
}
