//! Tells formats apart by their content.

use super::Format;

/// The format of (unpacked) bytes, if it is a known one.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"FLR\0") {
        return Some(Format::Jfr);
    }
    detect_text(bytes)
}

/// Looks at the first lines only.
fn detect_text(bytes: &[u8]) -> Option<Format> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(64 * 1024)]);
    let first = start
        .lines()
        .map(str::trim_end)
        .find(|line| !line.is_empty())?;
    is_collapsed(first).then_some(Format::Collapsed)
}

/// `anything weight`, and no control characters.
fn is_collapsed(line: &str) -> bool {
    let Some((stack, weight)) = line.rsplit_once(' ') else {
        return false;
    };
    !stack.is_empty() && weight.parse::<u64>().is_ok() && !line.contains(|c: char| c.is_control())
}
