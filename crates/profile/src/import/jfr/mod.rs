//! JDK Flight Recorder files, as the JDK and async-profiler write them.
//!
//! An own reader: the format describes its types itself, and what is damaged or hostile must end in an error, which
//! the crates at hand do not promise. Events that are not wanted are skipped by their length.

mod chunk;
mod cursor;
mod metadata;
mod samples;
mod settings;
mod value;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::Format;
use crate::model::{Clock, Profile, Unit};

use chunk::Chunk;
use cursor::Broken;
use samples::Recorder;

/// Reads every chunk until the end or the first damage. What came before a damage is kept.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let mut builder = Builder::new(Format::Jfr, "JFR", "jdk.ExecutionSample");
    let mut intervals = settings::Intervals::default();
    let mut at = 0;
    while at < bytes.len() {
        match read_chunk(&bytes[at..], &mut builder, &mut intervals) {
            Ok(len) => at += len,
            Err(broken) => {
                stopped(&mut builder, at, broken)?;
                break;
            }
        }
    }
    finish(builder, &intervals)
}

/// Reads one chunk and returns its length.
fn read_chunk(
    data: &[u8],
    builder: &mut Builder,
    intervals: &mut settings::Intervals,
) -> Result<usize, Broken> {
    let chunk = Chunk::read(data)?;
    if chunk
        .types
        .values()
        .any(|t| t.name.starts_with("profiler."))
    {
        builder.head().tool = "async-profiler".to_owned();
    }
    let mut recorder = Recorder::new(&chunk, builder);
    chunk.events(Recorder::wants, |name, event| match name {
        settings::EVENT => intervals.note(&chunk, event),
        _ => recorder.event(name, event),
    })?;
    Ok(chunk.header.len)
}

/// Notes a damage, or makes it an error if nothing was read before it.
fn stopped(builder: &mut Builder, chunk_at: usize, broken: Broken) -> Result<(), ImportError> {
    let offset = (chunk_at + broken.offset) as u64;
    let head = builder.head();
    if head.samples.is_empty() && head.marks.is_empty() {
        return Err(ImportError::damaged(Format::Jfr, offset, broken.what));
    }
    head.incomplete = true;
    builder.remark(format!(
        "the recording is damaged at byte {offset} ({}); only what comes before was read",
        broken.what
    ));
    Ok(())
}

fn finish(mut builder: Builder, intervals: &settings::Intervals) -> Result<Profile, ImportError> {
    let head = builder.head();
    if head.samples.is_empty() && head.losses.is_empty() && head.marks.is_empty() {
        return Err(ImportError::Empty {
            format: Format::Jfr,
        });
    }
    head.unit = Unit::Samples;
    head.clock = Clock::Epoch;
    head.marks.sort_by_key(|mark| mark.begin_ns);
    for event in &mut head.events {
        event.interval_ns = intervals.of(&event.name);
    }
    samples::put_main_event_first(head);
    Ok(builder.finish())
}
