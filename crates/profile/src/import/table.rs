//! Tables of methods that commercial profilers export: YourKit (CSV), JProfiler (CSV), VTune (CSV, tab-separated).
//!
//! Which tool it was, is told by the words of the head line.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

const NAMES: [&str; 7] = [
    "name",
    "method",
    "hot spot",
    "function",
    "function / call stack",
    "function stack",
    "symbol",
];

/// Columns with the time of the method itself, best first, and the unit of what they hold.
const OWN: [(&str, Column); 13] = [
    ("own time (ms)", Column::Time(1e6)),
    ("self time (ms)", Column::Time(1e6)),
    ("self time (microseconds)", Column::Time(1e3)),
    ("self time (us)", Column::Time(1e3)),
    ("cpu time:self", Column::Time(1e9)),
    ("cpu time", Column::Time(1e9)),
    ("self time", Column::Time(1e6)),
    ("time (ms)", Column::Time(1e6)),
    ("own samples", Column::Samples),
    ("samples", Column::Samples),
    ("self time (%)", Column::Percent),
    ("own time (%)", Column::Percent),
    ("percent", Column::Percent),
];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    /// Time; the factor to nanoseconds.
    Time(f64),
    Samples,
    Percent,
}

/// The head line, understood.
#[derive(Debug, PartialEq)]
struct Head {
    delimiter: char,
    name: usize,
    own: usize,
    column: Column,
    tool: &'static str,
}

impl Head {
    fn parse(line: &str) -> Option<Self> {
        let delimiter = ['\t', ';', ','].into_iter().find(|&c| line.contains(c))?;
        let cells: Vec<String> = split(line, delimiter)
            .iter()
            .map(|c| c.trim().to_lowercase())
            .collect();
        let name = cells.iter().position(|c| NAMES.contains(&c.as_str()))?;
        let (own, column) = OWN
            .iter()
            .find_map(|&(head, column)| Some((cells.iter().position(|c| c == head)?, column)))?;
        let tool = match cells[name].as_str() {
            "hot spot" => "JProfiler",
            "name" | "method" if cells.iter().any(|c| c.contains("own ") || c == "time (ms)") => {
                "YourKit"
            }
            "function" | "function / call stack" | "function stack" => "VTune",
            _ => "table",
        };
        Some(Self {
            delimiter,
            name,
            own,
            column,
            tool,
        })
    }
}

/// True if the line heads such a table.
pub(super) fn is_head(line: &str) -> bool {
    Head::parse(line.trim_start_matches('\u{feff}')).is_some()
}

/// Reads the table; rows that name no method (sums, threads) are kept as symbols.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty());
    let head = lines.next().and_then(|(_, line)| Head::parse(line));
    let head = head.ok_or_else(|| {
        ImportError::line(
            Format::Table,
            1,
            "no column names a method and its own time",
        )
    })?;
    let mut builder = Builder::new(Format::Table, head.tool, "cpu");
    builder.head().unit = match head.column {
        Column::Time(_) => Unit::Nanoseconds,
        Column::Samples => Unit::Samples,
        Column::Percent => Unit::Percent,
    };
    for (at, line) in lines {
        let cells = split(line, head.delimiter);
        let (Some(name), Some(own)) = (cells.get(head.name), cells.get(head.own)) else {
            return Err(ImportError::line(
                Format::Table,
                at + 1,
                "fewer columns than the head line",
            ));
        };
        let own = number(own).ok_or_else(|| {
            ImportError::line(Format::Table, at + 1, format!("{own:?} is no number"))
        })?;
        let scale = if let Column::Time(scale) = head.column {
            scale
        } else {
            1.0
        };
        add(&mut builder, name, own * scale);
    }
    let profile = builder.head();
    if profile.samples.is_empty() {
        return Err(ImportError::Empty {
            format: Format::Table,
        });
    }
    profile.overloads_merged = profile.methods.iter().all(|m| m.descriptor.is_none());
    Ok(builder.finish())
}

/// JProfiler and YourKit put the time into the name of a tree's row: `92.9% - 1,234 ms - a.B.c`.
fn add(builder: &mut Builder, name: &str, own: f64) {
    let name = name.rsplit(" - ").next().unwrap_or(name).trim();
    let native = name.ends_with("(native)");
    let kind = if native {
        FrameKind::Native
    } else {
        FrameKind::Unknown
    };
    match MethodId::parse(name) {
        Some(method) => builder.table_row(method, kind, own, None),
        None => builder.table_row(MethodId::symbol(name), FrameKind::Native, own, None),
    }
}

/// `1,234.5`, `12 %`, `0.030s`, `1 234 ms`.
fn number(text: &str) -> Option<f64> {
    let text: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ',' && *c != '\u{a0}')
        .collect();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    if digits.is_empty() {
        text.is_empty().then_some(0.0)
    } else {
        digits.parse().ok()
    }
}

/// Cells of a line; quotes protect delimiters, two quotes are one.
fn split(line: &str, delimiter: char) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            c if c == delimiter && !quoted => cells.push(String::new()),
            c => cells.last_mut().expect("never empty").push(c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_tools() {
        for (text, value) in [
            ("1,234.5", 1234.5),
            ("12 %", 12.0),
            ("0.030s", 0.03),
            ("", 0.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert_eq!(number("x1y2"), None);
    }

    #[test]
    fn quotes() {
        assert_eq!(
            split(r#""a.B.c(int, long)",3,"say ""hi""""#, ','),
            ["a.B.c(int, long)", "3", "say \"hi\""]
        );
    }
}
