//! Tells formats apart by their content.

use super::{Format, async_text, callgrind, firefox, gmon, gperftools, honest};
use super::{perf, pprof, speedscope, table, xml};

/// Lines of text that say of what format they are.
const LOOKED_AT: usize = 32;

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
    if gperftools::is_profile(bytes) {
        return Some(Format::Gperftools);
    }
    if gmon::is_gmon(bytes) {
        return Some(Format::Gmon);
    }
    let control = bytes.first().is_some_and(|&byte| byte < 0x20);
    if control && honest::is_log(bytes) {
        return Some(Format::Honest);
    }
    if pprof::is_pprof(bytes) {
        return Some(Format::Pprof);
    }
    detect_text(bytes)
}

/// Looks at the first lines only, except for JSON.
fn detect_text(bytes: &[u8]) -> Option<Format> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(64 * 1024)]);
    if start.trim_start().starts_with('{') {
        return detect_json(bytes);
    }
    if let Some(format) = xml::format_of(&start) {
        return Some(format);
    }
    let lines = || {
        start
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
    };
    if lines().next().is_some_and(crate::counted::is_head) {
        return Some(Format::Count);
    }
    if lines().take(8).any(callgrind::is_head) {
        return Some(Format::Callgrind);
    }
    if lines().next().is_some_and(async_text::is_head) {
        return Some(Format::AsyncText);
    }
    let own: Vec<&str> = lines()
        .filter(|line| !line.starts_with('#'))
        .take(LOOKED_AT)
        .collect();
    // What a shell or a logger wrote in front of stacks does not make them something else.
    let stacks = || own.iter().filter(|line| is_collapsed(line));
    let mostly = stacks().count() * 2 > own.len() && stacks().any(|line| line.contains(';'));
    detect_line(own.first()?).or_else(|| mostly.then_some(Format::Collapsed))
}

/// JSON that breaks off is told by its first keys.
fn detect_json(bytes: &[u8]) -> Option<Format> {
    let Ok(json) = serde_json::from_slice(bytes) else {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
        let has = |key: &str| start.contains(&format!("\"{key}\""));
        if start.contains("speedscope.app/file-format-schema") {
            return Some(Format::Speedscope);
        }
        return match (has("meta"), has("Runtimes")) {
            (true, _) => Some(Format::Firefox),
            (false, true) => Some(Format::Study),
            (false, false) => None,
        };
    };
    if firefox::is_profile(&json) {
        return Some(Format::Firefox);
    }
    if speedscope::is_profile(&json) {
        return Some(Format::Speedscope);
    }
    crate::study::is_study(&json).then_some(Format::Study)
}

/// Says whether a line is of a format.
type LineTest = fn(&str) -> bool;

fn detect_line(line: &str) -> Option<Format> {
    let known: [(LineTest, Format); 5] = [
        (perf::is_script_header, Format::PerfScript),
        (crate::rebench::is_line, Format::ReBench),
        (table::is_head, Format::Table),
        (is_perf_map, Format::PerfMap),
        (is_collapsed, Format::Collapsed),
    ];
    known
        .iter()
        .find(|(fits, _)| fits(line))
        .map(|&(_, format)| format)
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
