//! The text of `perf script`.
//!
//! `comm pid[/tid] [cpu] seconds: [period] event:`, then one line per frame, `address symbol[+offset] (dso)`, leaf
//! first, then an empty line. Fields that `-F` leaves out may be missing.

use std::io::BufRead;

use super::script_header::{Header, split_at_time};
use super::{Place, finish, frame};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::text::Lines;
use crate::import::{Format, Options};
use crate::model::{Clock, FrameIdx, Loss, Profile, Sample, Thread};

/// Reads the text up to the first line that does not fit, with one line at a time in memory.
pub(in crate::import) fn import(
    source: impl BufRead,
    options: &Options,
) -> Result<Profile, ImportError> {
    let mut reader = Reader::new(options);
    let mut lines = Lines::new(source, options.max_unpacked);
    while let Some(line) = lines.next_line()? {
        if let Err(what) = reader.line(&line.text) {
            let error = ImportError::line(Format::PerfScript, &line, what);
            reader.builder.stopped(error)?;
            break;
        }
    }
    if lines.is_cut() && reader.sample.is_some() {
        reader
            .builder
            .remark("the last line has no end, so the file may be cut there");
    }
    reader.end_of_sample();
    let has_periods = reader.has_periods;
    finish(reader.builder, Format::PerfScript, has_periods)
}

struct Reader {
    builder: Builder,
    sample: Option<Sample>,
    frames: Vec<FrameIdx>,
    /// Whether the first sample was seen, which tells the main event and whether there are periods.
    begun: bool,
    has_periods: bool,
}

impl Reader {
    fn new(options: &Options) -> Self {
        let mut builder = Builder::new(Format::PerfScript, "perf", "unknown");
        if options.merge {
            builder.merge_samples();
        }
        builder.head().clock = Clock::Boot;
        Self {
            builder,
            sample: None,
            frames: Vec::new(),
            begun: false,
            has_periods: false,
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
            .ok_or_else(|| format!("`comm tid time: event:` was expected, not {line:?}"))?;
        if !self.begun {
            self.begun = true;
            self.has_periods = header.period.is_some();
            self.builder.head().events[0].name = header.event.to_owned();
        }
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
        self.builder.loss(Loss {
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
