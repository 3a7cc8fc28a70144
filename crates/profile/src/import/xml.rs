//! XML of licensed profilers: JProfiler's hot spots, YourKit's list of methods or call tree.
//!
//! Both are flat enough to be read element by element: a start tag with attributes for method and own time is a row.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

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
        Format::YourKit => ("node", "YourKit", node),
        _ => ("hotspot", "JProfiler", hotspot),
    };
    let mut builder = Builder::new(format, tool, "cpu");
    builder.head().unit = Unit::Nanoseconds;
    let mut reader = Reader::from_str(&text);
    // Only elements matter: what is wrong between them is no reason to know less.
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        let start = reader.buffer_position() as usize;
        let row = match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(Event::Start(element) | Event::Empty(element)) if element.name().as_ref() == tag => {
                let element = Element::of(&element);
                read(&element).map(|row| row.map(|row| (row, element.kind())))
            }
            Ok(_) => continue,
            Err(_) => Err("the end of the element was expected"),
        };
        match row {
            Ok(Some(((method, own, total), kind))) => builder.table_row(method, kind, own, total),
            Ok(None) => {}
            Err(what) => {
                // What is no UTF-8 became longer.
                let (offset, number) = (start.min(bytes.len()) as u64, line_number(&text, start));
                let line = Line {
                    number,
                    offset,
                    text: "".into(),
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

fn line_number(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
}

/// Method, own and total nanoseconds.
type Row = (MethodId, f64, Option<f64>);

/// Reads the attributes of one element; `None` if it is no method.
type RowReader = fn(&Element) -> Result<Option<Row>, &'static str>;

/// Names and values of an element's attributes, up to the first that is none.
struct Element(Vec<(String, String)>);

impl Element {
    fn of(start: &BytesStart<'_>) -> Self {
        let plain = |value: &str| unescape(value).map_or(value.to_owned(), Cow::into_owned);
        let mut attributes = start.attributes();
        let known = attributes.with_checks(false).map_while(Result::ok);
        let pairs = known.map(|one| (one.key.as_ref().to_owned(), plain(&one.value)));
        Element(pairs.collect())
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    fn kind(&self) -> FrameKind {
        if self.0.iter().any(|(_, value)| value.contains("(native)")) {
            FrameKind::Native
        } else {
            FrameKind::Unknown
        }
    }
}

/// JProfiler counts microseconds.
fn hotspot(element: &Element) -> Result<Option<Row>, &'static str> {
    let expected = "a hotspot was expected to have class, methodName and time";
    let class = element.attribute("class").ok_or(expected)?;
    let name = element.attribute("methodName").ok_or(expected)?;
    let signature = element.attribute("methodSignature");
    let time = element.attribute("time").ok_or(expected)?;
    let microseconds = number(time).ok_or("a number was expected as time")?;
    let method = MethodId::new(class, name, signature);
    Ok(Some((method, microseconds * 1e3, None)))
}

/// YourKit counts milliseconds. The rows of threads and of sums name no method and have no own time.
fn node(element: &Element) -> Result<Option<Row>, &'static str> {
    let names = ["name", "call_tree", "method"];
    let name = names.iter().find_map(|name| element.attribute(name));
    let Some(own) = element.attribute("own_time_ms") else {
        return Ok(None);
    };
    let name = name.ok_or("a node was expected to have name or call_tree")?;
    let own = number(own).ok_or("a number was expected as own_time_ms")?;
    let total = element.attribute("time_ms").and_then(number);
    let total = total.filter(|_| element.attribute("call_tree").is_none());
    Ok(MethodId::parse(name).map(|method| (method, own * 1e6, total.map(|ms| ms * 1e6))))
}

fn number(text: &str) -> Option<f64> {
    let number = text.replace(',', "").parse::<f64>().ok();
    number.filter(|value| value.is_finite() && *value >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;

    #[test]
    fn rows_are_elements_whatever_is_in_their_attributes() {
        let text = "<hotspots>\n<!-- <hotspot class=\"a.B\" methodName=\"no\" time=\"5\"/> -->\n\
                    <hotspot class='a.B' methodName=\"&lt;init>\" methodSignature='(I)V' time=\"1,000\">\n\
                    text & <node/></no></hotspot>";
        let profile = import(text.as_bytes(), Format::JProfiler).unwrap();
        let shares = profile.by_method(&Filter::default());
        assert_eq!(shares.weight(), 1e6);
        let method = MethodId::parse("a.B.<init>(I)V").unwrap();
        assert_eq!(shares.methods[&method].self_weight, 1e6);
    }
}
