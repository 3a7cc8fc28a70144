//! How fast are the importers, and how much memory do they take?
//!
//! `cargo run --release -p proofmark-profile --example throughput [FILE...]`
//!
//! Without files, the fixtures are repeated: a recording of the JDK and one of async-profiler as streams that never lie
//! in memory as a whole, perf.data as one file. Every size is read in five rounds,
//! by the time on the processor; the peak is that of the process so
//! far, so it must not rise from one size of a stream to the next.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;

use flate2::read::GzDecoder;
use proofmark_profile::{Options, import, import_from};

/// Where the kernel does not tell times on a processor.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);
const ROUNDS: usize = 5;
const MIB: usize = 1 << 20;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        for name in ["jdk25.jfr.gz", "async.jfr.gz"] {
            let chunk = unpacked(name);
            for size in [8, 32, 128] {
                let times = size * MIB / chunk.len();
                let title = format!("{name} x {times}, stream");
                measure(&title, times * chunk.len(), || stream(&chunk, times));
            }
        }
        for name in ["perf.data.gz", "node-perf.data.gz"] {
            let file = repeated_records(&unpacked(name), 64 * MIB);
            measure(&format!("{name}, records repeated"), file.len(), || {
                whole(&file)
            });
        }
    }
    for name in files {
        let bytes = std::fs::read(&name).expect("a readable file");
        if bytes.starts_with(b"FLR\0") {
            let times = (64 * MIB / bytes.len()).max(1);
            let title = format!("{name} x {times}, stream");
            measure(&title, times * bytes.len(), || stream(&bytes, times));
        } else if bytes.starts_with(b"PERFILE2") {
            let file = repeated_records(&bytes, 64 * MIB);
            measure(&format!("{name}, records repeated"), file.len(), || {
                whole(&file)
            });
        } else {
            measure(&name, bytes.len(), || whole(&bytes));
        }
    }
}

/// Reads `times` copies of a recording, one after the other; the number of distinct stacks comes back.
fn stream(bytes: &[u8], times: usize) -> usize {
    let options = Options {
        merge: true,
        ..Options::default()
    };
    let source = Repeated {
        bytes,
        at: 0,
        left: times,
    };
    import_from(source, &options)
        .expect("a sound recording")
        .stacks
        .len()
}

fn whole(bytes: &[u8]) -> usize {
    import(bytes, &Options::default())
        .expect("a sound file")
        .stacks
        .len()
}

fn measure(title: &str, len: usize, work: impl Fn() -> usize) {
    let mut stacks = 0;
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begin = processor_seconds();
            stacks = std::hint::black_box(work());
            len as f64 / 1e6 / (processor_seconds() - begin)
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let (least, median, most) = (rates[0], rates[ROUNDS / 2], rates[ROUNDS - 1]);
    println!(
        "{title}: {:.0} MB at {median:.0} MB/s ({least:.0} to {most:.0}, n = {ROUNDS}), {} stacks, peak memory {:.0} MB",
        len as f64 / 1e6,
        stacks,
        peak_bytes() / 1e6
    );
}

/// Time of this process on a processor, so that a busy machine does not count.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let ns = text
        .split_whitespace()
        .next()
        .and_then(|ns| ns.parse::<f64>().ok());
    ns.map_or_else(|| START.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// The process's largest resident set.
fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) * 1024.0
}

/// A stream of copies.
struct Repeated<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.bytes.len() {
            (self.at, self.left) = (0, self.left.saturating_sub(1));
        }
        if self.left == 0 {
            return Ok(0);
        }
        let len = buffer.len().min(self.bytes.len() - self.at);
        buffer[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// A perf.data file with its records again and again, and its other sections moved behind them.
fn repeated_records(file: &[u8], size: usize) -> Vec<u8> {
    let long = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize
    };
    let (start, len) = (long(file, 40), long(file, 48));
    let times = (size / len).max(1);
    let (records, behind) = (&file[start..start + len], &file[start + len..]);
    let mut out = file[..start].to_vec();
    (0..times).for_each(|_| out.extend(records));
    let moved = (times - 1) * len;
    out[48..56].copy_from_slice(&((times * len) as u64).to_le_bytes());
    let table = out.len();
    out.extend(behind);
    let features: u32 = out[72..104].iter().map(|byte| byte.count_ones()).sum();
    for at in (0..features as usize).map(|feature| table + 16 * feature) {
        let offset = (long(&out, at) + moved) as u64;
        out[at..at + 8].copy_from_slice(&offset.to_le_bytes());
    }
    out
}

fn unpacked(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    let packed = std::fs::read(path).expect("a fixture");
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..])
        .read_to_end(&mut bytes)
        .expect("sound gzip");
    bytes
}
