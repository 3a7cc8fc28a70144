//! JProfiler's hot spots as XML: elements `hotspot` or `node` with attributes for class, method and times.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// True for a document with hot spots of JProfiler.
pub(super) fn is_xml(start: &str) -> bool {
    start
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && start.contains("<hotspot ")
}

/// Reads the `hotspot` elements; the trees of their callers are skipped.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut builder = Builder::new(Format::JProfiler, "JProfiler", "cpu");
    builder.head().unit = Unit::Nanoseconds;
    for (start, _) in text.match_indices("<hotspot ") {
        let line = text[..start].matches('\n').count() + 1;
        let element = &text[start..];
        let element = &element[..element.find('>').unwrap_or(element.len())];
        let row = hotspot(element).ok_or_else(|| {
            ImportError::line(Format::JProfiler, line, "a hotspot without method or time")
        })?;
        builder.table_row(row.0, FrameKind::Unknown, row.1, None);
    }
    let head = builder.head();
    if head.samples.is_empty() {
        return Err(ImportError::Empty {
            format: Format::JProfiler,
        });
    }
    head.overloads_merged = head.methods.iter().all(|m| m.descriptor.is_none());
    Ok(builder.finish())
}

/// Method and nanoseconds; JProfiler counts microseconds.
fn hotspot(element: &str) -> Option<(MethodId, f64)> {
    let class = attribute(element, "class")?;
    let name = attribute(element, "methodName")?;
    let signature = attribute(element, "methodSignature");
    let microseconds: f64 = attribute(element, "time")?.parse().ok()?;
    Some((
        MethodId::new(&class, &name, signature.as_deref()),
        microseconds * 1e3,
    ))
}

fn attribute(element: &str, name: &str) -> Option<String> {
    let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
    let value = element[start..].split('"').next()?;
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
