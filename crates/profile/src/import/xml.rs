//! XML of licensed profilers: JProfiler's hot spots, YourKit's list of methods or call tree.
//!
//! Both are flat enough to be read element by element: a start tag with attributes for method and own time is a row.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::{Format, Line};
use crate::model::*;

/// The format, if the text is a document with rows of one of them.
pub(super) fn format_of(start: &str) -> Option<Format> {
    let start = start.trim_start_matches('\u{feff}').trim_start();
    if !start.starts_with('<') {
        return None;
    }
    if start.contains("<hotspot ") {
        return Some(Format::JProfiler);
    }
    let yourkit = start.contains("<node ") && start.contains(" own_time_ms=\"");
    yourkit.then_some(Format::YourKit)
}

/// Reads the rows up to the first that does not fit; the trees of callers inside a JProfiler hot spot are skipped.
pub(super) fn import(bytes: &[u8], format: Format) -> Result<Profile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let (tag, tool, read): (_, _, RowReader) = match format {
        Format::YourKit => ("<node ", "YourKit", node),
        _ => ("<hotspot ", "JProfiler", hotspot),
    };
    let mut builder = Builder::new(format, tool, "cpu");
    builder.head().unit = Unit::Nanoseconds;
    let (mut number, mut counted) = (1, 0);
    for (start, _) in text.match_indices(tag) {
        number += text[counted..start].matches('\n').count();
        counted = start;
        let rest = &text[start..];
        let row = match rest.find('>') {
            Some(end) => read(&rest[..end]),
            None => Err("the end of the element was expected"),
        };
        match row {
            Ok(Some((method, own, total))) => builder.table_row(method, kind(rest), own, total),
            Ok(None) => {}
            Err(what) => {
                // What is no UTF-8 became longer.
                let (offset, text) = (start.min(bytes.len()) as u64, "".into());
                let line = Line {
                    number,
                    offset,
                    text,
                };
                builder.stopped(ImportError::line(format, &line, what))?;
                break;
            }
        }
    }
    if builder.head().samples.is_empty() {
        return Err(ImportError::Empty { format });
    }
    Ok(builder.finish())
}

/// Method, own and total nanoseconds.
type Row = (MethodId, f64, Option<f64>);

/// Reads the attributes of one element; `None` if it is no method.
type RowReader = fn(&str) -> Result<Option<Row>, &'static str>;

fn kind(element: &str) -> FrameKind {
    let tag = element.split('>').next().unwrap_or(element);
    if tag.contains("(native)") {
        FrameKind::Native
    } else {
        FrameKind::Unknown
    }
}

/// JProfiler counts microseconds.
fn hotspot(element: &str) -> Result<Option<Row>, &'static str> {
    let expected = "a hotspot was expected to have class, methodName and time";
    let class = attribute(element, "class").ok_or(expected)?;
    let name = attribute(element, "methodName").ok_or(expected)?;
    let signature = attribute(element, "methodSignature");
    let time = attribute(element, "time").ok_or(expected)?;
    let microseconds = number(&time).ok_or("a number was expected as time")?;
    let method = MethodId::new(&class, &name, signature.as_deref());
    Ok(Some((method, microseconds * 1e3, None)))
}

/// YourKit counts milliseconds. The rows of threads and of sums name no method and have no own time.
fn node(element: &str) -> Result<Option<Row>, &'static str> {
    let names = ["name", "call_tree", "method"];
    let name = names.iter().find_map(|name| attribute(element, name));
    let Some(own) = attribute(element, "own_time_ms") else {
        return Ok(None);
    };
    let name = name.ok_or("a node was expected to have name or call_tree")?;
    let own = number(&own).ok_or("a number was expected as own_time_ms")?;
    let total = attribute(element, "time_ms").and_then(|time| number(&time));
    let total = total.filter(|_| !element.contains(" call_tree=\""));
    Ok(MethodId::parse(&name).map(|method| (method, own * 1e6, total.map(|ms| ms * 1e6))))
}

fn number(text: &str) -> Option<f64> {
    let number = text.replace(',', "").parse::<f64>().ok();
    number.filter(|value| value.is_finite() && *value >= 0.0)
}

fn attribute(element: &str, name: &str) -> Option<String> {
    let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
    let (value, _) = element[start..].split_once('"')?;
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    Some(plain.iter().fold(value.to_owned(), |text, (code, sign)| {
        text.replace(code, sign)
    }))
}
