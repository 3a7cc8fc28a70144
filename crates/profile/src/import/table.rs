//! Tables of methods that commercial profilers export: YourKit (CSV), JProfiler (CSV), VTune (CSV, tab-separated).
//!
//! Which tool it was, is told by the words of the head line.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::text::{is_cut, lines};
use crate::import::{Format, Line};
use crate::model::*;

/// Columns with the method, the most telling first.
const NAMES: [&str; 8] = [
    "function (full)",
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

impl Column {
    fn unit(self) -> Unit {
        match self {
            Self::Time(_) => Unit::Nanoseconds,
            Self::Samples => Unit::Samples,
            Self::Percent => Unit::Percent,
        }
    }

    fn scale(self) -> f64 {
        match self {
            Self::Time(scale) => scale,
            Self::Samples | Self::Percent => 1.0,
        }
    }
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
        let position = |name: &str| cells.iter().position(|c| c == name);
        let name = NAMES.iter().find_map(|name| position(name))?;
        let (own, column) = OWN
            .iter()
            .find_map(|&(head, column)| Some((position(head)?, column)))?;
        let tool = match cells[name].as_str() {
            "hot spot" => "JProfiler",
            "name" | "method" if cells.iter().any(|c| c.contains("own ") || c == "time (ms)") => {
                "YourKit"
            }
            "function" | "function (full)" | "function / call stack" | "function stack" => "VTune",
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

/// Reads the table up to the first row that does not fit; rows that name no method (sums, threads) are kept as
/// symbols.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let mut rows = lines(bytes).filter(|line| !line.text.trim().is_empty());
    let empty = ImportError::Empty {
        format: Format::Table,
    };
    let Some(first) = rows.next() else {
        return Err(empty);
    };
    let expected = "a line was expected that names columns with a method and its own time";
    let head = Head::parse(&first.text)
        .ok_or_else(|| ImportError::line(Format::Table, &first, expected))?;
    let mut builder = Builder::new(Format::Table, head.tool, "cpu");
    builder.head().unit = head.column.unit();
    for row in rows {
        let last = row.offset + row.text.len() as u64 == bytes.len() as u64;
        if let Err(what) = add(&mut builder, &head, &row) {
            builder.stopped(ImportError::line(Format::Table, &row, what))?;
            break;
        }
        if last && is_cut(bytes) {
            builder.remark("the last row has no end, so the file may be cut there");
        }
    }
    if builder.head().samples.is_empty() {
        return Err(empty);
    }
    Ok(builder.finish())
}

/// Adds one row.
fn add(builder: &mut Builder, head: &Head, row: &Line<'_>) -> Result<(), String> {
    let cells = split(&row.text, head.delimiter);
    let (Some(name), Some(own)) = (cells.get(head.name), cells.get(head.own)) else {
        return Err(format!(
            "as many columns as in the head line were expected, at least {}; there are {}",
            head.name.max(head.own) + 1,
            cells.len()
        ));
    };
    let own =
        number(own).ok_or_else(|| format!("a number was expected as own time, not {own:?}"))?;
    method_row(builder, name, own * head.column.scale());
    Ok(())
}

/// JProfiler and YourKit put the time into the name of a tree's row: `92.9% - 1,234 ms - a.B.c`.
fn method_row(builder: &mut Builder, name: &str, own: f64) {
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
        return text.is_empty().then_some(0.0);
    }
    let number = digits.parse().ok();
    number.filter(|value: &f64| value.is_finite() && *value >= 0.0)
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
        for wrong in ["x1y2", "-3", "1e999"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn quotes() {
        assert_eq!(
            split(r#""a.B.c(int, long)",3,"say ""hi""""#, ','),
            ["a.B.c(int, long)", "3", "say \"hi\""]
        );
    }
}
