//! The text of `perf script`.
//!
//! `comm pid[/tid] [cpu] seconds: [period] event:`, then one line per frame, `address symbol[+offset] (dso)`, leaf
//! first, then an empty line. Fields that `-F` leaves out may be missing.

use super::{Place, finish, frame};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::Format;
use crate::model::{Clock, FrameIdx, Loss, Profile, Sample, Thread};

/// Reads the whole text.
pub(in crate::import) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::new(&text);
    for (at, line) in text.lines().enumerate() {
        reader
            .line(line)
            .map_err(|what| ImportError::line(Format::PerfScript, at + 1, what))?;
    }
    reader.end_of_sample();
    let has_periods = reader.has_periods;
    finish(reader.builder, Format::PerfScript, has_periods)
}

/// True if the line starts a sample.
pub(in crate::import) fn is_header(line: &str) -> bool {
    !line.starts_with(char::is_whitespace)
        && Header::parse(line).is_some_and(|h| h.time_ns.is_some())
}

/// The first line of a sample.
#[derive(Debug, PartialEq)]
struct Header<'a> {
    comm: &'a str,
    tid: i64,
    time_ns: Option<i64>,
    period: Option<u64>,
    event: &'a str,
    /// With a single address per sample, the frame is on the same line.
    frame: &'a str,
}

impl<'a> Header<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (who, time_ns, rest) = match split_at_time(line) {
            Some((who, time, rest)) => (who, Some(time), rest),
            None => split_at_event(line).map(|(who, rest)| (who, None, rest))?,
        };
        let (comm, tid) = comm_and_tid(who)?;
        let (period, rest) = match rest.trim_start().split_once(' ') {
            Some((first, after)) if first.parse::<u64>().is_ok() => {
                (first.parse().ok(), after.trim_start())
            }
            _ => (None, rest.trim_start()),
        };
        let (event, frame) = match rest.split_once(char::is_whitespace) {
            Some((event, frame)) => (event, frame.trim()),
            None => (rest, ""),
        };
        Some(Self {
            comm,
            tid,
            time_ns,
            period,
            event: event.strip_suffix(':')?,
            frame,
        })
    }
}

/// Splits at `12.345678:`.
fn split_at_time(line: &str) -> Option<(&str, i64, &str)> {
    let mut from = 0;
    while let Some(colon) = line[from..]
        .find(": ")
        .or_else(|| line[from..].ends_with(':').then(|| line.len() - from - 1))
    {
        let end = from + colon;
        let start = line[..end].rfind(' ').map_or(0, |space| space + 1);
        if let Some(time) = seconds_to_ns(&line[start..end]) {
            return Some((line[..start].trim_end(), time, &line[end + 1..]));
        }
        from = end + 1;
    }
    None
}

/// Without a time, the event's word is the first that ends in a colon.
fn split_at_event(line: &str) -> Option<(&str, &str)> {
    let colon = line
        .find(": ")
        .or_else(|| line.ends_with(':').then(|| line.len() - 1))?;
    let start = line[..colon].rfind(' ')?;
    Some((line[..start].trim_end(), &line[start..]))
}

fn seconds_to_ns(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = u32::try_from(fraction.len())
        .ok()
        .filter(|&n| (1..=9).contains(&n))?;
    let fraction: i64 = fraction.parse::<u32>().ok()?.into();
    seconds
        .parse::<i64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(fraction * 10_i64.pow(9 - digits))
}

/// `comm pid`, `comm pid/tid` or `comm tid`, with `[cpu]` behind or not. The comm may hold spaces and brackets.
fn comm_and_tid(who: &str) -> Option<(&str, i64)> {
    let who = match who.rsplit_once(' ') {
        Some((before, last)) if last.starts_with('[') && last.ends_with(']') => before.trim_end(),
        _ => who,
    };
    let (comm, ids) = who.rsplit_once(' ')?;
    let tid = ids.rsplit('/').next()?;
    Some((comm.trim(), tid.parse().ok()?))
}

struct Reader {
    builder: Builder,
    sample: Option<Sample>,
    frames: Vec<FrameIdx>,
    has_periods: bool,
}

impl Reader {
    fn new(text: &str) -> Self {
        let first = text.lines().find_map(Header::parse);
        let event = first.as_ref().map_or("unknown", |header| header.event);
        let mut builder = Builder::new(Format::PerfScript, "perf", event);
        builder.head().clock = Clock::Boot;
        let has_periods = first.is_some_and(|header| header.period.is_some());
        Self {
            builder,
            sample: None,
            frames: Vec::new(),
            has_periods,
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.trim().is_empty() || line.starts_with('#') {
            self.end_of_sample();
            return Ok(());
        }
        if line.starts_with([' ', '\t']) && self.sample.is_some() {
            self.frame(line.trim());
            return Ok(());
        }
        self.end_of_sample();
        self.header(line)
    }

    fn header(&mut self, line: &str) -> Result<(), String> {
        if let Some((before, lost)) = line.split_once("PERF_RECORD_LOST") {
            self.lost(lost, split_at_time(before).map(|(_, time, _)| time));
            return Ok(());
        }
        if line.contains("PERF_RECORD_") {
            return Ok(());
        }
        let header = Header::parse(line.trim_start())
            .ok_or_else(|| format!("{line:?} does not start a sample"))?;
        let name = Some(header.comm.to_owned());
        let thread = Some(self.builder.thread(Thread {
            name,
            os_id: Some(header.tid),
            java_id: None,
        }));
        let weight = if self.has_periods {
            header.period.unwrap_or(1) as f64
        } else {
            1.0
        };
        let event = self.builder.event(header.event);
        let stack = self.builder.stack(&[]);
        self.sample = Some(Sample {
            thread,
            time_ns: header.time_ns,
            weight,
            stack,
            event,
            failure: None,
        });
        if !header.frame.is_empty() {
            self.frame(header.frame);
        }
        Ok(())
    }

    fn lost(&mut self, rest: &str, time_ns: Option<i64>) {
        let samples = rest
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .next_back()
            .unwrap_or(0);
        let reason = "PERF_RECORD_LOST".to_owned();
        self.builder.head().losses.push(Loss {
            thread: None,
            time_ns,
            samples,
            reason,
        });
    }

    fn frame(&mut self, line: &str) {
        let (symbol, dso) = match line.strip_suffix(')').and_then(|l| l.rsplit_once(" (")) {
            Some((symbol, dso)) => (symbol, dso),
            None => (line, ""),
        };
        let symbol = match symbol.split_once(' ') {
            Some((address, symbol)) if u64::from_str_radix(address, 16).is_ok() => symbol,
            _ => symbol,
        };
        let frame = frame(&mut self.builder, without_offset(symbol), Place::of(dso));
        self.frames.push(frame);
    }

    fn end_of_sample(&mut self) {
        if let Some(mut sample) = self.sample.take() {
            sample.stack = self.builder.stack(&self.frames);
            self.builder.sample(sample);
        }
        self.frames.clear();
    }
}

fn without_offset(symbol: &str) -> &str {
    match symbol.rsplit_once("+0x") {
        Some((name, offset)) if u64::from_str_radix(offset, 16).is_ok() => name,
        _ => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn headers_with_and_without_fields() {
        let header = Header::parse(
            "C1 [x] Thre  9482/9492 [003]   1048.416492:    1001001 cpu-clock:pppH: ",
        )
        .expect("a header");
        assert_eq!(
            (header.comm, header.tid, header.time_ns),
            ("C1 [x] Thre", 9492, Some(1_048_416_492_000))
        );
        assert_eq!(
            (header.period, header.event),
            (Some(1_001_001), "cpu-clock:pppH")
        );
        let short =
            Header::parse("java 7 1.000000001: cycles:  7f00 f (/lib/a.so)").expect("a header");
        assert_eq!(
            (short.tid, short.time_ns, short.period),
            (7, Some(1_000_000_001), None)
        );
        assert_eq!((short.event, short.frame), ("cycles", "7f00 f (/lib/a.so)"));
        let timeless = Header::parse("java 7 cpu-clock:").expect("a header");
        assert_eq!(
            (timeless.comm, timeless.time_ns, timeless.event),
            ("java", None, "cpu-clock")
        );
        assert_eq!(Header::parse("no sample at all"), None);
    }
}
