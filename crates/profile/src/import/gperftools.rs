//! CPU profiles of gperftools: words of 64 bits (head, samples, an end mark), then the text of `/proc/self/maps`.
//!
//! There are addresses and no names. [`cpu_profile`] gives the addresses, for those who have the program.

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// A CPU profile of gperftools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuProfile {
    /// Time between samples that was asked for, us. The kernel's timer ticks may be farther apart.
    pub period_us: u64,
    /// Places in the code, in the file's order; one place may come several times.
    pub samples: Vec<CpuSample>,
    /// Files in the memory of the process, by address.
    pub mappings: Vec<Mapping>,
}

/// So many samples of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSample {
    /// How many.
    pub count: u64,
    /// Where: the instruction, then the places that its callers return to. Never empty.
    pub addresses: Vec<u64>,
}

/// A piece of a file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its first address.
    pub begin: u64,
    /// The first address behind it.
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    /// The file's path; `[vdso]` and the like are none.
    pub file: String,
}

impl CpuProfile {
    /// The file that an address lies in, and the place in that file.
    #[must_use]
    pub fn place_of(&self, address: u64) -> Option<(&str, u64)> {
        let behind = self.mappings.partition_point(|one| one.begin <= address);
        let one = &self.mappings[behind.checked_sub(1)?];
        let inside = address < one.end;
        inside.then(|| {
            let offset = one.offset.saturating_add(address - one.begin);
            (one.file.as_str(), offset)
        })
    }
}

/// Reads a whole profile.
///
/// # Errors
/// When the file is damaged, breaks off or holds no sample.
pub fn cpu_profile(bytes: &[u8]) -> Result<CpuProfile, ImportError> {
    let (profile, damage) = read(bytes)?;
    match damage {
        Some(damage) => Err(damage),
        None if profile.samples.is_empty() => Err(EMPTY),
        None => Ok(profile),
    }
}

const EMPTY: ImportError = ImportError::Empty {
    format: Format::Gperftools,
};

/// Each file counts as one function.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let (profile, damage) = read(bytes)?;
    let mut builder = Builder::new(Format::Gperftools, "gperftools", "cpu");
    builder.head().events[0].interval_ns = profile.period_us.checked_mul(1000);
    for sample in &profile.samples {
        let frame = |address: &u64| {
            let file = profile
                .place_of(*address)
                .map_or("unknown", |(file, _)| file);
            let name = file.rsplit('/').next().unwrap_or(file);
            let name = format!("[{}]", name.trim_matches(['[', ']']));
            builder.plain_frame(MethodId::symbol(&name), FrameKind::Native)
        };
        let frames: Vec<FrameIdx> = sample.addresses.iter().map(frame).collect();
        let stack = builder.stack(&frames);
        builder.sample(Sample {
            thread: None,
            time_ns: None,
            weight: sample.count as f64,
            stack,
            event: EventIdx(0),
            failure: None,
        });
    }
    builder.remark(
        "native functions have addresses for names, so each library counts as one function",
    );
    if let Some(damage) = damage {
        builder.stopped(damage)?;
    }
    match builder.head().samples.is_empty() {
        true => Err(EMPTY),
        false => Ok(builder.finish()),
    }
}

/// True if the bytes begin as such a file does.
pub(super) fn is_profile(bytes: &[u8]) -> bool {
    Words { bytes, at: 0 }.head().is_some()
}

/// Words of a header at most.
const HEADER_WORDS: u64 = 64;

/// What there is up to the first damage, and the damage.
fn read(bytes: &[u8]) -> Result<(CpuProfile, Option<ImportError>), ImportError> {
    let mut words = Words { bytes, at: 0 };
    let wrong = |at: usize, what| ImportError::damaged(Format::Gperftools, at as u64, what);
    let Some(period_us) = words.head() else {
        return Err(wrong(
            0,
            "a head of version 0 with words of 64 bits was expected",
        ));
    };
    let mut profile = CpuProfile {
        period_us,
        ..CpuProfile::default()
    };
    loop {
        let at = words.at;
        match words.record() {
            Some(Record::Sample(sample)) => profile.samples.push(sample),
            Some(Record::End) => break,
            None => {
                let what = "a whole sample or the end mark was expected";
                return Ok((profile, Some(wrong(at, what))));
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes[words.at..]);
    profile.mappings = text.lines().filter_map(Mapping::parse).collect();
    profile.mappings.sort_by_key(|one| one.begin);
    let missing = profile.mappings.is_empty() && !profile.samples.is_empty();
    let what = "the files in memory were expected behind the samples";
    let damage = missing.then(|| wrong(words.at, what));
    Ok((profile, damage))
}

enum Record {
    Sample(CpuSample),
    End,
}

/// A position in the file.
struct Words<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Words<'_> {
    fn word(&mut self) -> Option<u64> {
        let word = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += 8;
        Some(u64::from_le_bytes(*word))
    }

    /// No samples, so many words, version 0, the period, and what later versions may add.
    fn head(&mut self) -> Option<u64> {
        let (samples, length, version) = (self.word()?, self.word()?, self.word()?);
        if samples != 0 || !(3..=HEADER_WORDS).contains(&length) || version != 0 {
            return None;
        }
        let period_us = self.word()?;
        for _ in 2..length {
            self.word()?;
        }
        Some(period_us)
    }

    /// Number of samples, number of addresses, the addresses. The end mark has no samples and the address 0.
    fn record(&mut self) -> Option<Record> {
        let (count, depth) = (self.word()?, usize::try_from(self.word()?).ok()?);
        let left = (self.bytes.len() - self.at) / 8;
        if depth == 0 || depth > left {
            return None;
        }
        let addresses = (0..depth).map(|_| self.word());
        let addresses = addresses.collect::<Option<Vec<u64>>>()?;
        match count {
            0 if addresses == [0] => Some(Record::End),
            0 => None,
            _ => Some(Record::Sample(CpuSample { count, addresses })),
        }
    }
}

impl Mapping {
    /// `55d0c0de1000-55d0c0de9000 r-xp 00001000 fe:01 1234   /usr/bin/program`
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (begin, end) = words.next()?.split_once('-')?;
        let flags = words.next()?;
        let offset = words.next()?;
        let file = words.skip(2).collect::<Vec<&str>>().join(" ");
        let number = |text| u64::from_str_radix(text, 16).ok();
        let one = Self {
            begin: number(begin)?,
            end: number(end)?,
            offset: number(offset)?,
            file,
        };
        (flags.contains('x') && !one.file.is_empty()).then_some(one)
    }
}
