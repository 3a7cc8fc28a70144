//! The text that async-profiler prints: `traces` (stacks with their weight), `flat` (a table of methods) or both.
//!
//! Both list the heaviest only; the head tells how many samples there were in all. Stacks are read where there are
//! some, else the table.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::Format;
use crate::import::collapsed::{GUESSED, is_annotated, stack_of, thread_frame};
use crate::import::text::lines;
use crate::model::{EventIdx, Profile, ThreadIdx, Unit};

const EVENT: EventIdx = EventIdx(0);

/// True for the line that such a text starts with.
pub(super) fn is_head(line: &str) -> bool {
    line.starts_with("--- ") && line.ends_with(" profile ---")
}

/// Reads the text up to the first line that does not fit.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let mut reader = Reader::new(is_annotated(bytes));
    for line in lines(bytes) {
        if let Err(what) = reader.line(line.text.trim_end()) {
            reader.end_of_trace();
            let error = ImportError::line(Format::AsyncText, &line, what);
            reader.builder.stopped(error)?;
            break;
        }
    }
    reader.end_of_trace();
    reader.finish()
}

/// What the lines at hand are.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Head,
    Trace,
    Table,
}

struct Reader {
    builder: Builder,
    annotated: bool,
    part: Part,
    /// Weight and frames, leaf first, of the trace at hand.
    trace: Option<(f64, Vec<String>)>,
    has_traces: bool,
    /// Samples in all, as the head tells, and in what was read.
    announced: Option<u64>,
    listed: u64,
}

impl Reader {
    fn new(annotated: bool) -> Self {
        Self {
            builder: Builder::new(Format::AsyncText, "async-profiler", "cpu"),
            annotated,
            part: Part::Head,
            trace: None,
            has_traces: false,
            announced: None,
            listed: 0,
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() {
            self.end_of_trace();
        } else if is_head(line) {
            self.part = Part::Head;
        } else if let Some(trace) = line.strip_prefix("--- ") {
            self.begin_trace(trace)?;
        } else if line.trim_start().starts_with("----") {
            self.part = Part::Table;
        } else if self.part == Part::Trace && line.starts_with("  [") {
            self.frame(line)?;
        } else if self.part == Part::Table && !self.has_traces {
            self.row(line)?;
        } else {
            self.head(line);
        }
        Ok(())
    }

    /// `Total samples : 211`, and the names of the table's columns, the first of which is the unit. Lines on failures
    /// and buffers are not needed.
    fn head(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if let (Some(unit), Some("percent")) = (words.next(), words.next()) {
            self.unit(unit);
        }
        if let Some(("Total samples", count)) = line.split_once(':').map(|(k, v)| (k.trim(), v)) {
            self.announced = count.trim().parse().ok();
        }
    }

    /// `271000000 ns (31.92%), 82 samples`.
    fn begin_trace(&mut self, text: &str) -> Result<(), String> {
        self.end_of_trace();
        let expected = || format!("`weight unit (percent), n samples` was expected, not {text:?}");
        let (weight, rest) = text.split_once(' ').ok_or_else(expected)?;
        let (unit, rest) = rest.split_once(' ').ok_or_else(expected)?;
        let samples = rest.split_once("), ").ok_or_else(expected)?.1;
        let samples = samples
            .split(' ')
            .next()
            .and_then(|n| n.parse::<u64>().ok());
        let weight: u64 = weight.parse().map_err(|_| expected())?;
        self.unit(unit);
        self.listed = self.listed.saturating_add(samples.ok_or_else(expected)?);
        self.trace = Some((weight as f64, Vec::new()));
        (self.part, self.has_traces) = (Part::Trace, true);
        Ok(())
    }

    /// `  [ 0] name`.
    fn frame(&mut self, line: &str) -> Result<(), String> {
        let name = line.split_once("] ").map(|(_, name)| name.to_owned());
        let name = name.ok_or_else(|| format!("`[number] frame` was expected, not {line:?}"))?;
        if let Some((_, names)) = &mut self.trace {
            names.push(name);
        }
        Ok(())
    }

    /// `weight percent samples name`.
    fn row(&mut self, line: &str) -> Result<(), String> {
        let expected = || format!("`weight percent samples name` was expected, not {line:?}");
        let mut rest = line;
        let mut word = || {
            let (word, after) = rest.trim_start().split_once(' ')?;
            rest = after;
            Some(word)
        };
        let (weight, percent, samples) = (word(), word(), word());
        let weight = weight.and_then(|w| w.parse::<u64>().ok());
        let samples = samples.and_then(|n| n.parse::<u64>().ok());
        let (Some(weight), Some(samples), true) =
            (weight, samples, percent.is_some_and(|p| p.ends_with('%')))
        else {
            return Err(expected());
        };
        self.listed = self.listed.saturating_add(samples);
        let walked = stack_of(&mut self.builder, &[rest.trim()], self.annotated);
        walked.add(&mut self.builder, (None, EVENT), weight as f64);
        Ok(())
    }

    fn unit(&mut self, unit: &str) {
        self.builder.head().unit = match unit {
            "ns" => Unit::Nanoseconds,
            _ => Unit::Count,
        };
    }

    fn end_of_trace(&mut self) {
        let Some((weight, names)) = self.trace.take() else {
            return;
        };
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        let thread = names.last().and_then(|name| thread_frame(name));
        let thread: Option<ThreadIdx> = thread.map(|thread| self.builder.thread(thread));
        if thread.is_some() {
            names.pop();
        }
        let walked = stack_of(&mut self.builder, &names, self.annotated);
        walked.add(&mut self.builder, (thread, EVENT), weight);
    }

    fn finish(mut self) -> Result<Profile, ImportError> {
        if self.builder.head().samples.is_empty() {
            return Err(ImportError::Empty {
                format: Format::AsyncText,
            });
        }
        if !self.annotated {
            self.builder.remark(GUESSED);
        }
        let (listed, announced) = (self.listed, self.announced.unwrap_or(self.listed));
        if listed < announced {
            self.builder.remark(format!(
                "the text lists the heaviest only: {listed} of {announced} samples"
            ));
        }
        Ok(self.builder.finish())
    }
}
