//! From bytes to a profile: which format is it, then the importer of that format.

mod async_text;
mod async_words;
mod callgrind;
pub(crate) mod collapsed;
mod detect;
mod firefox;
mod gecko;
mod gmon;
mod gperftools;
mod honest;
mod jfr;
mod language;
mod leaves;
mod perf;
mod pprof;
mod speedscope;
mod stream;
mod table;
mod text;
mod unpack;
mod xml;

use std::fmt;
use std::io::Cursor;

use crate::error::ImportError;
use crate::model::{Profile, Unit};

pub use callgrind::{FunctionCost, callgrind_costs};
pub use detect::detect;
pub use gmon::{GmonHistogram, gmon_histograms};
pub use gperftools::{CpuProfile, CpuSample, Mapping, cpu_profile};
pub use jfr::GrowingJfr;
pub use leaves::{Leaf, Leaves, firefox_leaves};
pub use stream::{import_file, import_from};
pub(crate) use text::{Line, lines};
pub use unpack::unpacked;

/// A profile format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Collapsed stacks, `frame;frame;frame weight`, root first.
    Collapsed,
    /// The text that async-profiler prints: a table of methods (`flat`), stacks (`traces`) or both.
    AsyncText,
    /// JDK Flight Recorder, also as async-profiler writes it.
    Jfr,
    /// The text of `perf script`.
    PerfScript,
    /// `perf.data`, perf's own file.
    PerfData,
    /// `perf-PID.map`; not a profile, but what names the code in one ([`Options::perf_map`]).
    PerfMap,
    /// A jitdump file; not a profile, but what names the code in one ([`Options::jitdump`]).
    Jitdump,
    /// Honest Profiler's `.hpl` log.
    Honest,
    /// pprof's protocol buffer.
    Pprof,
    /// Callgrind.
    Callgrind,
    /// The Firefox Profiler's JSON: processed, as it saves it and samply writes it, or as Firefox records it.
    Firefox,
    /// speedscope's JSON.
    Speedscope,
    /// A table of methods as text: YourKit, JProfiler, VTune.
    Table,
    /// JProfiler's hot spots as XML.
    JProfiler,
    /// YourKit's list of methods or call tree as XML.
    YourKit,
    /// Counted bytecodes, as `proofmark count` writes them: see [`crate::CountFile`].
    Count,
    /// The published study's JSON, which holds many profiles: see [`crate::read_study`].
    Study,
    /// ReBench's run times, which are no profile: see [`crate::read_rebench`].
    ReBench,
    /// gperftools' CPU profile.
    Gperftools,
    /// `gmon.out` of a program built with `-pg`; addresses without names: see [`gmon_histograms`].
    Gmon,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collapsed => "collapsed-stack",
            Self::AsyncText => "async-profiler text",
            Self::Jfr => "JFR",
            Self::PerfScript => "perf-script",
            Self::PerfData => "perf.data",
            Self::PerfMap => "perf-map",
            Self::Jitdump => "jitdump",
            Self::Honest => "Honest Profiler",
            Self::Pprof => "pprof",
            Self::Callgrind => "callgrind",
            Self::Gperftools => "gperftools",
            Self::Gmon => "gmon.out",
            Self::Firefox => "Firefox Profiler",
            Self::Speedscope => "speedscope",
            Self::Table => "method-table",
            Self::JProfiler => "JProfiler XML",
            Self::YourKit => "YourKit XML",
            Self::Count => "proofmark-count",
            Self::Study => "study",
            Self::ReBench => "ReBench",
        })
    }
}

impl Format {
    /// Whether a file of this format can say which event its weights count.
    #[must_use]
    pub fn names_events(self) -> bool {
        self != Self::Collapsed
    }
}

/// What the bytes alone do not tell.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format, where [`detect`] shall not decide.
    pub format: Option<Format>,
    /// What the weights of a format without units (collapsed) count; samples if not given.
    pub unit: Option<Unit>,
    /// Sampling interval in nanoseconds, for formats that do not tell it.
    pub interval_ns: Option<u64>,
    /// Most bytes that a compressed file may unpack to (64 MiB and 256 times its size at most in any case), and that
    /// one chunk of a recording, or one line of text, may have.
    pub max_unpacked: u64,
    /// Adds samples up that differ only in their time, which is dropped. With [`import_from`], a JFR file, collapsed
    /// stacks and the text of `perf script` of any length are then read in the memory that one chunk or line and the
    /// distinct stacks need.
    pub merge: bool,
    /// The bytes of the `perf-PID.map` that belongs to a perf.data file.
    pub perf_map: Option<Vec<u8>>,
    /// The bytes of the jitdump file that belongs to a perf.data file. Its times are those of `CLOCK_MONOTONIC`:
    /// record with `perf record -k CLOCK_MONOTONIC`.
    pub jitdump: Option<Vec<u8>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            unit: None,
            interval_ns: None,
            max_unpacked: 4 << 30,
            merge: false,
            perf_map: None,
            jitdump: None,
        }
    }
}

/// Reads a profile of any known format, gzip-compressed or not.
///
/// # Errors
/// If the format is not known, or the bytes are so damaged that nothing could be read. A file that breaks off or is
/// damaged after its beginning gives a profile with [`Profile::incomplete`] set and a remark that names the place.
pub fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let unpacked = unpack::gunzip(bytes, options.max_unpacked)?;
    let mut profile = import_unpacked(&unpacked.bytes, options)?;
    if let Some(offset) = unpacked.cut_at {
        broken_off(&mut profile, offset);
    }
    Ok(profile)
}

/// Says that the gzip data was read up to there only.
fn broken_off(profile: &mut Profile, offset: u64) {
    profile.incomplete = true;
    profile.remarks.push(format!(
        "the gzip data breaks off or is damaged at byte {offset}; only what comes before was read"
    ));
}

fn import_unpacked(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let format = match options.format.or_else(|| detect(bytes)) {
        Some(format) => format,
        None => return Err(unknown(bytes)),
    };
    let profile = match format {
        Format::Collapsed => collapsed::import(bytes, options),
        Format::AsyncText => async_text::import(bytes),
        Format::Jfr => jfr::import(bytes, options),
        Format::PerfScript => perf::import_script(bytes, options),
        Format::PerfData => perf::import_data(Cursor::new(bytes), options),
        Format::Honest => honest::import(bytes),
        Format::Pprof => pprof::import(bytes),
        Format::Callgrind => callgrind::import(bytes),
        Format::Gperftools => gperftools::import(bytes),
        Format::Firefox => json(bytes, format).and_then(|json| firefox::import(&json)),
        Format::Speedscope => json(bytes, format).and_then(|json| speedscope::import(&json)),
        Format::Table => table::import(bytes),
        Format::JProfiler | Format::YourKit => xml::import(bytes, format),
        Format::Count => crate::counted::import(bytes),
        Format::Study | Format::ReBench => Err(ImportError::Missing(format!(
            "this {format} file is not one profile; it is read by the commands that compare whole studies"
        ))),
        Format::Gmon => Err(ImportError::Missing(
            "this is a gmon.out file, which holds addresses without names; gprof shows it beside its program".into(),
        )),
        Format::PerfMap | Format::Jitdump => Err(ImportError::Missing(format!(
            "this is a {format} file, which names code but holds no samples; give it together with the perf.data file"
        ))),
    };
    profile.map(|profile| finished(profile, options))
}

/// Puts in what the file does not tell and the caller knows.
fn finished(mut profile: Profile, options: &Options) -> Profile {
    if let (Some(event), Some(interval)) = (profile.events.first_mut(), options.interval_ns) {
        event.interval_ns.get_or_insert(interval);
    }
    profile
}

fn json(bytes: &[u8], format: Format) -> Result<serde_json::Value, ImportError> {
    serde_json::from_slice(bytes).map_err(|error| ImportError::json(format, bytes, &error))
}

fn unknown(bytes: &[u8]) -> ImportError {
    if bytes.is_empty() {
        let what = "the file is empty: the profiler wrote nothing, or has not ended";
        return ImportError::Missing(what.into());
    }
    let start = &bytes[..bytes.len().min(24)];
    ImportError::UnknownFormat {
        start: String::from_utf8_lossy(start).into_owned(),
    }
}
