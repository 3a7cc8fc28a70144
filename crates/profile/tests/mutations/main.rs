//! Ten thousand damaged files per importer: each ends in a profile or in an error that names a place, in bounded time
//! and memory.
//!
//! The same files every time; `MUTATIONS=100000` makes more of them.

mod allocator;
mod bombs;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod long;
mod mutate;
mod numbers;
mod others;
mod recording;
mod seeds;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use mutate::Seed;
use numbers::Numbers;
use proofmark_profile::{
    EventFilter, Filter, Format, ImportError, Options, import, import_file, import_from,
    read_rebench, read_study,
};

/// Most memory that reading a file may take: so much, and so much per byte of it.
const CAP: usize = 1 << 20;
const CAP_PER_BYTE: usize = 256;
/// Window of compressed records, twice, and what the small ones here may unpack to.
const COMPRESSED_CAP: usize = 24 << 20;
/// Longest on the processor; no file here takes a hundredth of it.
const LONGEST: Duration = Duration::from_secs(5);
/// How often the largest seed of a format is taken.
const LARGE_ONE_IN: usize = 64;

/// How a file ended.
#[derive(Debug, PartialEq)]
enum End {
    Profile,
    Incomplete,
    Failed,
}

fn count() -> usize {
    let told = std::env::var("MUTATIONS").ok().and_then(|n| n.parse().ok());
    told.unwrap_or(10_000)
}

/// Mutates the seeds of a format and reads what comes out with `read`.
fn attack(format: Format, read: impl Fn(&[u8], &mut Numbers) -> End) {
    attack_seeds(&seeds::of(format), format, count(), CAP, read);
}

/// The same with these seeds, so many mutations and so much memory beside what a byte may take.
fn attack_seeds(
    seeds: &[Seed],
    format: Format,
    count: usize,
    cap: usize,
    read: impl Fn(&[u8], &mut Numbers) -> End,
) {
    let (mut ends, mut most) = ([0; 3], 0);
    for case in 0..count {
        let mut numbers = Numbers(case as u64 * 0x1_0001 + format as u64);
        let seed = pick(seeds, &mut numbers);
        let bytes = mutate::damaged(seed, &mut numbers);
        let begin = clock::spent();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            allocator::peak_of(|| read(&bytes, &mut numbers))
        }));
        let Ok((end, peak)) = outcome else {
            panic!(
                "{format} case {case}: panicked on {}",
                kept(format, case, &bytes)
            );
        };
        let took = clock::spent() - begin;
        let cap = cap + CAP_PER_BYTE * bytes.len();
        assert!(
            peak <= cap,
            "{format} case {case}: {peak} bytes for {}, {}",
            bytes.len(),
            kept(format, case, &bytes)
        );
        assert!(
            took < LONGEST,
            "{format} case {case}: {took:?}, {}",
            kept(format, case, &bytes)
        );
        most = most.max(peak);
        ends[end as usize] += 1;
    }
    let [whole, incomplete, failed] = ends;
    println!(
        "{format}: {whole} read, {incomplete} in part, {failed} refused; at most {most} bytes of memory"
    );
    assert!(
        failed + incomplete > count / 20,
        "{format}: hardly any damage was noticed"
    );
    assert!(
        whole + incomplete > count / 100,
        "{format}: nothing was read, so this tests little"
    );
}

fn pick<'s>(seeds: &'s [Seed], numbers: &mut Numbers) -> &'s Seed {
    let large = seeds.len() > 1 && numbers.below(LARGE_ONE_IN) == 0;
    let small = seeds.len() - usize::from(seeds.len() > 1);
    let at = if large { small } else { numbers.below(small) };
    &seeds[at]
}

/// Leaves the file for a look at it.
fn kept(format: Format, case: usize, bytes: &[u8]) -> String {
    let name = format!("{}/{format}-{case}.bin", env!("CARGO_TARGET_TMPDIR"));
    match std::fs::write(&name, bytes) {
        Ok(()) => name,
        Err(error) => error.to_string(),
    }
}

/// Reads a file as the options say, one in eight compressed, one in eight from a stream, and uses the result.
fn read(bytes: &[u8], options: &Options, numbers: &mut Numbers) -> End {
    let outcome = match numbers.below(8) {
        0 => import(&gzip(bytes), options),
        1 => import_from(bytes, options),
        3 => import_file(std::io::Cursor::new(bytes), options),
        2 => {
            let detected = Options {
                format: None,
                ..options.clone()
            };
            import(bytes, &detected)
        }
        _ => import(bytes, options),
    };
    match outcome {
        Err(error) => refused(&error, longest(bytes, options)),
        Ok(profile) => {
            let filter = Filter {
                events: EventFilter::All,
                ..Filter::default()
            };
            let summary = profile.summary(&filter);
            assert!(summary.weight.is_finite(), "{summary:?}");
            if numbers.below(8) == 0 {
                let _ = (profile.to_collapsed(), profile.to_pprof());
            }
            if profile.incomplete {
                assert!(!profile.remarks.is_empty(), "damage without a word");
                End::Incomplete
            } else {
                End::Profile
            }
        }
    }
}

/// The length of the file that an error can be about.
fn longest(bytes: &[u8], options: &Options) -> usize {
    let beside = [&options.perf_map, &options.jitdump];
    let beside = beside.map(|file| file.as_ref().map_or(0, Vec::len));
    bytes.len().max(beside[0]).max(beside[1])
}

/// An error names the place and what was expected there.
fn refused(error: &ImportError, len: usize) -> End {
    let (offset, what) = match error {
        ImportError::Damaged { offset, what, .. } | ImportError::Line { offset, what, .. } => {
            (*offset, what)
        }
        _ => return End::Failed,
    };
    assert!(offset <= len as u64, "{error}: {len} bytes");
    assert!(what.contains("expected"), "{error}");
    End::Failed
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

macro_rules! importers {
    ($($name:ident: $format:ident,)*) => {$(
        #[test]
        fn $name() {
            let options = seeds::options(Format::$format);
            attack(Format::$format, |bytes, numbers| read(bytes, &options, numbers));
        }
    )*};
}

importers! {
    collapsed_stacks: Collapsed,
    async_profilers_text: AsyncText,
    recordings: Jfr,
    perf_data: PerfData,
    perf_script: PerfScript,
    honest_profiler: Honest,
    pprof: Pprof,
    callgrind: Callgrind,
    firefox_profiler: Firefox,
    speedscope: Speedscope,
    tables: Table,
    jprofilers_xml: JProfiler,
    yourkits_xml: YourKit,
    counted_bytecodes: Count,
    gperftools: Gperftools,
}

/// Compressed records: the window of zstd, and what it may unpack to, come on top.
#[test]
fn compressed_perf_data() {
    let (seeds, options) = (seeds::compressed_perf_data(), Options::default());
    let cap = CAP + COMPRESSED_CAP;
    attack_seeds(
        &seeds,
        Format::PerfData,
        count() / 4,
        cap,
        |bytes, numbers| read(bytes, &options, numbers),
    );
}
