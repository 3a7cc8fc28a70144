//! Sound files of every format, small enough for ten thousand copies.

use std::ops::Range;

use proofmark_profile::{Format, Options, import};

use crate::common::{fixture, unpacked};
use crate::mutate::Seed;
use crate::recording;

/// The lines of a text that lie in a range, with their begins as parts.
fn text(bytes: &[u8], lines: Range<usize>) -> Seed {
    let rows: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let rows = &rows[lines.start..lines.end.min(rows.len())];
    let parts = rows.iter().scan(0, |at, row| {
        *at += row.len();
        Some(*at)
    });
    Seed {
        parts: std::iter::once(0).chain(parts).collect(),
        bytes: rows.concat(),
        magic: rows[0].len(),
    }
}

fn whole(bytes: Vec<u8>, magic: usize) -> Seed {
    Seed {
        bytes,
        parts: Vec::new(),
        magic,
    }
}

fn any(name: &str) -> Vec<u8> {
    if name.ends_with(".gz") {
        unpacked(name)
    } else {
        fixture(name)
    }
}

const SAMPLED: &[u8] = br#"{"shared": {"frames": [{"name": "Run.main"},
 {"name": "Queens.place", "file": "Queens.java", "line": 7}]},
 "profiles": [{"type": "sampled", "name": "main", "unit": "milliseconds",
  "samples": [[0, 1], [0], [0, 1, 1]],
  "weights": [5, 3, 1]}]}
"#;

const EVENTED: &[u8] =
    br#"{"shared": {"frames": [{"name": "A.run"}, {"name": "A.hot"}]}, "profiles": [
 {"type": "evented", "unit": "none", "events": [
  {"type": "O", "frame": 0, "at": 10}, {"type": "O", "frame": 1, "at": 12},
  {"type": "C", "frame": 1, "at": 19}, {"type": "C", "frame": 0, "at": 20}]}]}
"#;

/// What `perf record -z` wrote.
pub fn compressed_perf_data() -> Vec<Seed> {
    vec![whole(any("compressed-perf.data"), 16)]
}

/// The first files are small; the last is taken once in so many times.
pub fn of(format: Format) -> Vec<Seed> {
    let lines = |name: &str, lines| text(&any(name), lines);
    match format {
        Format::Collapsed => vec![
            lines("async-full.collapsed", 0..12),
            lines("async-threads.collapsed", 0..12),
            lines("async-plain.collapsed", 0..usize::MAX),
        ],
        Format::AsyncText => vec![
            lines("async-flat.txt", 0..30),
            lines("async-traces.txt.gz", 0..40),
            lines("async-traces.txt.gz", 0..usize::MAX),
        ],
        Format::Jfr => jfr(),
        Format::PerfScript => vec![
            lines("perf-script.txt.gz", 0..60),
            lines("perf-script-fields.txt.gz", 0..60),
            lines("perf-script.txt.gz", 0..1000),
        ],
        Format::PerfData => perf_data(),
        Format::PerfMap => vec![lines("perf.map.gz", 0..20), lines("perf.map.gz", 0..400)],
        Format::Jitdump => vec![whole(any("node.jitdump.gz"), 4)],
        Format::Honest => vec![whole(any("constructed/honest.hpl"), 2)],
        Format::Pprof => pprof(),
        Format::Callgrind => vec![callgrind(), lines("callgrind.out.gz", 0..usize::MAX)],
        Format::Firefox => vec![lines("constructed/samply.json", 0..usize::MAX)],
        Format::Speedscope => [SAMPLED, EVENTED]
            .map(|text| self::text(text, 0..usize::MAX))
            .into(),
        Format::Table => [
            "yourkit-method-list.csv",
            "jprofiler-hotspots.csv",
            "vtune-hotspots.tsv",
            "vtune-hotspots.csv",
        ]
        .iter()
        .map(|name| lines(&format!("constructed/{name}"), 0..usize::MAX))
        .collect(),
        Format::JProfiler => vec![lines("constructed/jprofiler-hotspots.xml", 0..usize::MAX)],
        Format::YourKit => vec![lines("constructed/yourkit-method-list.xml", 0..usize::MAX)],
        Format::Count => vec![lines("constructed/count.tsv", 0..usize::MAX)],
        Format::Study => {
            let run = br#"{"Async": {"Queens": {"Queens.placeQueen": 61.5, "Queens.queens": "3.2%", "A$$Lambda$1/0x0.b": 1}},
 "Perf": {"Queens": {"": 3, "boolean Queens.placeQueen(int)": 55}},
 "Runtimes": {"Queens": 105.5}}
"#;
            vec![text(run, 0..3)]
        }
        Format::Gperftools => vec![gperftools()],
        Format::ReBench => vec![lines("constructed/rebench.data", 0..usize::MAX)],
        other => panic!("{other} has no seed"),
    }
}

/// Head, three samples, the end mark and two files in memory, written by hand.
fn gperftools() -> Seed {
    let words: [u64; 18] = [
        0, 3, 0, 4000, 0, 5, 2, 0x1010, 0x1204, 1, 1, 0x9008, 3, 1, 0x1020, 0, 1, 0,
    ];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let parts = vec![40, 72, 96, 120, 144];
    bytes.extend(b"1000-2000 r-xp 00001000 fe:01 7 /tmp/program\n");
    bytes.extend(b"9000-a000 r-xp 00000000 fe:01 8 /lib/libc.so.6\n");
    Seed {
        bytes,
        parts,
        magic: 24,
    }
}

/// The first functions, without the sum of all.
fn callgrind() -> Seed {
    let file = unpacked("callgrind.out.gz");
    let rows = file.split_inclusive(|&b| b == b'\n');
    let rows: Vec<&[u8]> = rows.filter(|row| !row.starts_with(b"summary:")).collect();
    text(&rows.concat(), 0..80)
}

/// Two chunks written by hand, then real recordings.
fn jfr() -> Vec<Seed> {
    let (chunk, parts) = recording::chunk(&recording::Extra::default());
    let second: Vec<usize> = parts.iter().map(|at| at + chunk.len()).collect();
    let two = Seed {
        bytes: chunk.repeat(2),
        parts: [&parts[..], &[chunk.len()], &second].concat(),
        magic: 8,
    };
    let one = Seed {
        bytes: chunk,
        parts,
        magic: 8,
    };
    let async_profiler = whole(unpacked("async.jfr.gz"), 8);
    vec![one, two, async_profiler, whole(unpacked("jdk25.jfr.gz"), 8)]
}

/// A file of some records of each kind without features, as a pipe, and whole.
fn perf_data() -> Vec<Seed> {
    let mut seeds = vec![
        some_records("node-perf.data.gz"),
        some_records("perf.data.gz"),
    ];
    seeds.push(whole(unpacked("node-perf.data.gz"), 8));
    seeds
}

fn some_records(name: &str) -> Seed {
    let file = unpacked(name);
    let long =
        |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("8 bytes")) as usize;
    let (start, end) = (long(40), long(40) + long(48));
    let mut bytes = file[..start].to_vec();
    let (mut parts, mut kinds, mut at) = (Vec::new(), [0; 256], start);
    while at < end {
        let kind = usize::from(file[at]);
        let size = usize::from(u16::from_le_bytes([file[at + 6], file[at + 7]]));
        kinds[kind] += 1;
        if kinds[kind] <= if kind == 9 { 16 } else { 4 } {
            parts.push(bytes.len());
            bytes.extend(&file[at..at + size]);
        }
        at += size;
    }
    let len = bytes.len() - start;
    bytes[48..56].copy_from_slice(&(len as u64).to_le_bytes());
    bytes[72..104].fill(0);
    Seed {
        bytes,
        parts,
        magic: 16,
    }
}

fn pprof() -> Vec<Seed> {
    let stacks = text(&any("async-full.collapsed"), 0..10).bytes;
    let small = import(&stacks, &Options::default()).expect("sound stacks");
    [small.to_pprof(), unpacked("async.pprof.gz")]
        .map(|bytes| whole(bytes, 4))
        .into()
}

/// perf's own files are read with a map and a dump beside them.
pub fn options(format: Format) -> Options {
    let mut options = Options {
        format: Some(format),
        max_unpacked: 64 << 20,
        ..Options::default()
    };
    if format == Format::PerfData {
        options.perf_map = Some(text(&unpacked("perf.map.gz"), 0..40).bytes);
        options.jitdump = Some(unpacked("node.jitdump.gz"));
    }
    options
}
