//! JDK Flight Recorder files, as the JDK and async-profiler write them.
//!
//! An own reader: the format describes its types itself, and what is damaged or hostile must end in an error, which
//! the crates at hand do not promise. Events that are not wanted are skipped by their length.

mod chunk;
mod cursor;
mod growing;
mod header;
mod metadata;
mod samples;
mod settings;
mod value;

use std::io::Read;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::import::{Format, Options};
use crate::model::{Clock, Profile, Unit};

use chunk::Chunk;
use cursor::Broken;
pub use growing::GrowingJfr;
use header::HEADER_LEN;
use samples::Recorder;

/// Reads every chunk until the end or the first damage. What came before a damage is kept.
pub(super) fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let mut importer = Importer::new(options);
    while importer.at < bytes.len() {
        if !importer.chunk(&bytes[importer.at..])? {
            break;
        }
    }
    importer.finish()
}

/// The same, with one chunk at a time in memory.
pub(super) fn import_from(source: impl Read, options: &Options) -> Result<Profile, ImportError> {
    let mut importer = Importer::new(options);
    importer.read(source, options.max_unpacked)?;
    importer.finish()
}

struct Importer {
    builder: Builder,
    intervals: settings::Intervals,
    /// Where the next chunk begins.
    at: usize,
    /// Where the one before it began, with its header.
    last: Option<(usize, [u8; HEADER_LEN])>,
}

impl Importer {
    fn new(options: &Options) -> Self {
        let mut builder = Builder::new(Format::Jfr, "JFR", "jdk.ExecutionSample");
        if options.merge {
            builder.merge_samples();
        }
        Self {
            builder,
            intervals: settings::Intervals::default(),
            at: 0,
            last: None,
        }
    }

    /// Reads every chunk of a source until its end or the first damage, with one of them of so many bytes at most in memory.
    fn read(&mut self, mut source: impl Read, most: u64) -> Result<(), ImportError> {
        let mut chunk = Vec::new();
        loop {
            chunk.clear();
            let mut read =
                |len: u64, chunk: &mut Vec<u8>| source.by_ref().take(len).read_to_end(chunk);
            let mut outcome = read(HEADER_LEN as u64, &mut chunk);
            if outcome.is_ok() {
                let rest = header::announced_len(&chunk).saturating_sub(chunk.len() as u64);
                outcome = read(rest.min(most), &mut chunk).map(|_| chunk.len());
            }
            match outcome {
                Ok(0) => return Ok(()),
                Ok(_) => {
                    if !self.chunk(&chunk)? {
                        return Ok(());
                    }
                }
                Err(error) => return self.broken_source(&error),
            }
        }
    }

    /// Reads the chunk that `data` begins with; false if reading stops there.
    fn chunk(&mut self, data: &[u8]) -> Result<bool, ImportError> {
        match read_chunk(data, &mut self.builder, &mut self.intervals) {
            Ok(len) => {
                self.last = data.first_chunk().map(|header| (self.at, *header));
                self.at += len;
                Ok(true)
            }
            Err(broken) => {
                let offset = (self.at + broken.offset) as u64;
                let error = ImportError::damaged(Format::Jfr, offset, broken.what);
                self.builder.stopped(error)?;
                Ok(false)
            }
        }
    }

    /// The source failed behind the last chunk, for example in compressed data that breaks off.
    fn broken_source(&mut self, error: &std::io::Error) -> Result<(), ImportError> {
        let what = format!("a chunk was expected and its source failed: {error}");
        let error = ImportError::damaged(Format::Jfr, self.at as u64, what);
        self.builder.stopped(error)
    }

    fn finish(self) -> Result<Profile, ImportError> {
        completed(self.builder.finish(), &self.intervals)
    }

    /// What [`Self::finish`] gives if nothing follows.
    fn so_far(&self) -> Result<Profile, ImportError> {
        completed(self.builder.so_far(), &self.intervals)
    }
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
    chunk.events(Recorder::wants, |name, event| {
        match name {
            settings::EVENT => intervals.note(&chunk, event),
            samples::CPU_TIME => intervals.sample(&chunk, event),
            _ => {}
        }
        recorder.event(name, event);
    })?;
    if !recorder.names_fit() {
        return Err(Broken {
            offset: 0,
            what: "shorter names were expected: the chunk cannot hold so many",
        });
    }
    match chunk.cut {
        Some(broken) => Err(broken),
        None => Ok(chunk.header.len),
    }
}

/// A profile with what only all chunks together tell.
fn completed(
    mut profile: Profile,
    intervals: &settings::Intervals,
) -> Result<Profile, ImportError> {
    if profile.samples.is_empty() && profile.losses.is_empty() && profile.marks.is_empty() {
        return Err(ImportError::Empty {
            format: Format::Jfr,
        });
    }
    profile.unit = Unit::Samples;
    profile.clock = Clock::Epoch;
    profile.marks.sort_by_key(|mark| mark.begin_ns);
    for event in &mut profile.events {
        event.interval_ns = intervals.of(&event.name);
    }
    samples::put_main_event_first(&mut profile);
    Ok(profile)
}
