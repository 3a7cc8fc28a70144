//! Tells formats apart by their content.

use super::{Format, perf};

/// The format of (unpacked) bytes, if it is a known one.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"FLR\0") {
        return Some(Format::Jfr);
    }
    if bytes.starts_with(b"PERFILE2") {
        return Some(Format::PerfData);
    }
    if bytes.starts_with(b"DTiJ") || bytes.starts_with(b"JiTD") {
        return Some(Format::Jitdump);
    }
    detect_text(bytes)
}

/// Looks at the first lines only.
fn detect_text(bytes: &[u8]) -> Option<Format> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(64 * 1024)]);
    let mut lines = start
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next()?;
    if perf::is_script_header(first) {
        Some(Format::PerfScript)
    } else if is_perf_map(first) {
        Some(Format::PerfMap)
    } else {
        is_collapsed(first).then_some(Format::Collapsed)
    }
}

/// `start size name`, in hexadecimal.
fn is_perf_map(line: &str) -> bool {
    let hex = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).is_ok();
    let mut words = line.split(' ');
    let (start, size) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    start.len() >= 6 && hex(start) && hex(size) && words.next().is_some()
}

/// `anything weight`, and no control characters.
fn is_collapsed(line: &str) -> bool {
    let Some((stack, weight)) = line.rsplit_once(' ') else {
        return false;
    };
    !stack.is_empty() && weight.parse::<u64>().is_ok() && !line.contains(|c: char| c.is_control())
}
