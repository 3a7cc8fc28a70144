//! Values of counters, snapshot by snapshot.

use std::collections::{BTreeMap, HashMap};

use super::line::Line;
use crate::error::EventsError;

/// First line of the file.
const HEADER: [&str; 2] = ["proofmark-counters", "1"];

/// All counters at one moment, between two iterations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// Begin of the iteration before it, ns of CLOCK_MONOTONIC; of no meaning in the first one.
    pub begin_ns: u64,
    /// End of that iteration.
    pub end_ns: u64,
    /// CPU time of the iteration's thread, ns.
    pub cpu_ns: u64,
    /// Counters that changed since the snapshot before, with what was added.
    pub added: HashMap<usize, i64>,
}

/// What one run counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshots {
    /// One per iteration, in order.
    pub iterations: Vec<Snapshot>,
    /// Counters given out.
    pub used: u64,
    /// Bytes of the counters given out.
    pub bytes: u64,
    /// Bytes of counters that every thread has of its own; 0 if all threads share them.
    pub page_bytes: u64,
    /// Threads at the end.
    pub threads: u64,
    /// What all iterations together added to counters of the compiler's own (Graal's `BenchmarkCounters`), by name;
    /// empty where they are switched off.
    pub compiler: BTreeMap<String, i64>,
}

impl Snapshots {
    /// What all iterations together added to a counter.
    #[must_use]
    pub fn added(&self, counter: usize) -> i64 {
        let of = |snapshot: &Snapshot| snapshot.added.get(&counter).copied().unwrap_or(0);
        self.iterations.iter().map(of).sum()
    }
}

/// Reads the file.
///
/// # Errors
/// When it is another format or not complete, with the line and what had to stand there.
pub fn read_counters(text: &str) -> Result<Snapshots, EventsError> {
    let mut lines = Line::all(text);
    let mut last = 1;
    let header = lines.next().ok_or(EventsError::Truncated { line: 0 })?;
    if header.kind() != HEADER[0] || header.rest() != [HEADER[1]] {
        return Err(header.wrong("'proofmark-counters' and version 1"));
    }
    let mut run = Snapshots::default();
    let mut values: HashMap<usize, i64> = HashMap::new();
    let mut now: Option<Snapshot> = None;
    let mut first = true;
    for line in lines {
        last = line.number;
        match line.kind() {
            "snapshot" => {
                finish(&mut run, now.take(), &mut first);
                now = Some(snapshot(&line)?);
            }
            "used" => run.used = line.number(1, "a number of counters")?,
            "bytes" => run.bytes = line.number(1, "a number of bytes")?,
            "page" => run.page_bytes = line.number(1, "a number of bytes")?,
            "threads" => run.threads = line.number(1, "a number of threads")?,
            "compiler" => {
                let name = line.field(1, "the name of a counter of the compiler")?;
                let value = line.number(2, "the counter's value")?;
                run.compiler.insert(name.to_owned(), value);
            }
            "end" => {
                finish(&mut run, now.take(), &mut first);
                return Ok(run);
            }
            counter => {
                let Some(now) = now.as_mut() else {
                    return Err(line.wrong("'snapshot'"));
                };
                let counter = line.index(
                    counter,
                    "a counter, 'snapshot', 'used', 'bytes', 'page', 'threads', 'compiler' or 'end'",
                )?;
                let value: i64 = line.number(1, "the counter's value")?;
                let before = values.insert(counter, value).unwrap_or(0);
                *now.added.entry(counter).or_default() += value.wrapping_sub(before);
            }
        }
    }
    Err(EventsError::Truncated { line: last })
}

/// The first snapshot is what was there before the first iteration.
fn finish(run: &mut Snapshots, now: Option<Snapshot>, first: &mut bool) {
    if let Some(now) = now
        && !std::mem::replace(first, false)
    {
        run.iterations.push(now);
    }
}

fn snapshot(line: &Line<'_>) -> Result<Snapshot, EventsError> {
    Ok(Snapshot {
        begin_ns: line.number(2, "the iteration's begin in ns")?,
        end_ns: line.number(3, "the iteration's end in ns")?,
        cpu_ns: line.number(4, "the iteration's CPU time in ns")?,
        added: HashMap::new(),
    })
}
