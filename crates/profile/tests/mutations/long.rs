//! A long recording of perf, and long text, are read in the memory of a short one.

use std::io::{Read, Result, Seek, SeekFrom};

use proofmark_profile::{Filter, Options, Profile, import, import_file, import_from};

use crate::allocator::peak_of;
use crate::common::{fixture, unpacked};

/// A `perf.data` file whose records stand there again and again, each time with perf's mark that they can be sorted by
/// time up to there. It is never held in memory.
struct Repeated {
    head: Vec<u8>,
    records: Vec<u8>,
    len: u64,
    at: u64,
}

impl Repeated {
    /// So many copies of the records of a file, without its list of features.
    fn new(file: &[u8], times: u64) -> Self {
        let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("8 bytes"));
        let (start, len) = (long(40) as usize, long(48) as usize);
        let mut head = file[..start].to_vec();
        head[48..56].copy_from_slice(&(len as u64 * times).to_le_bytes());
        head[72..104].fill(0);
        Self {
            len: (start + len * times as usize) as u64,
            head,
            records: file[start..start + len].to_vec(),
            at: 0,
        }
    }

    fn whole(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).expect("no error");
        bytes
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let head = self.head.len() as u64;
        let part = match self.at {
            at if at >= self.len => return Ok(0),
            at if at < head => &self.head[at as usize..],
            at => &self.records[((at - head) % self.records.len() as u64) as usize..],
        };
        // An odd length, as a file may give fewer bytes than it was asked for.
        let len = part.len().min(buffer.len()).min(4093);
        buffer[..len].copy_from_slice(&part[..len]);
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for Repeated {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.wrapping_add_signed(by),
            SeekFrom::End(by) => self.len.wrapping_add_signed(by),
        };
        Ok(self.at)
    }
}

fn merged(read: impl FnOnce(&Options) -> Profile) -> Profile {
    let merge = true;
    read(&Options {
        merge,
        ..Options::default()
    })
}

#[test]
fn a_long_recording_of_perf_is_read_in_the_memory_of_a_short_one() {
    let file = unpacked("perf.data.gz");
    let whole = merged(|options| {
        import(&Repeated::new(&file, 3).whole(), options).expect("a sound recording")
    });
    for times in [3, 1000] {
        let long = Repeated::new(&file, times);
        let len = long.len;
        let (read, peak) =
            peak_of(|| merged(|options| import_file(long, options).expect("a sound recording")));
        assert!(peak < 2 << 20, "{peak} bytes of memory for {len}");
        assert_eq!((&read.stacks, read.incomplete), (&whole.stacks, false));
        let weight = |profile: &Profile| profile.by_method(&Filter::default()).not_java_weight();
        assert_eq!(weight(&read) / times as f64, weight(&whole) / 3.0);
    }
}

/// The same bytes again and again, never held in memory more than once.
struct Copies {
    bytes: Vec<u8>,
    left: usize,
    at: usize,
}

impl Read for Copies {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.at == self.bytes.len() {
            (self.at, self.left) = (0, self.left.saturating_sub(1));
        }
        if self.left == 0 {
            return Ok(0);
        }
        let rest = &self.bytes[self.at..];
        let len = rest.len().min(buffer.len()).min(4093);
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len;
        Ok(len)
    }
}

/// Text of `perf script` and collapsed stacks, packed (as gzip allows: one file behind the other) and not.
#[test]
fn long_text_is_read_in_the_memory_of_a_short_one() {
    let stacks = unpacked("async-from-jfr.collapsed.gz");
    let script = unpacked("perf-script.txt.gz");
    let files = [
        ("stacks", stacks.len(), stacks.clone()),
        (
            "packed stacks",
            stacks.len(),
            fixture("async-from-jfr.collapsed.gz"),
        ),
        ("perf script", script.len(), script.clone()),
        (
            "packed perf script",
            script.len(),
            fixture("perf-script.txt.gz"),
        ),
    ];
    for (name, len, bytes) in files {
        let whole = merged(|options| import(&bytes, options).expect("sound text"));
        let copies = (8 << 20) / len;
        let read_times = |left: usize| {
            let bytes = bytes.clone();
            let source = Copies { bytes, left, at: 0 };
            peak_of(|| merged(|options| import_from(source, options).expect("sound text")))
        };
        let (_, short) = read_times(1);
        let (read, long) = read_times(copies);
        // The longer file fills the block that tells the format.
        assert!(
            long < short + (512 << 10),
            "{name}: {long} bytes of memory for {copies} copies, {short} for one"
        );
        assert_eq!(
            (&read.stacks, read.incomplete),
            (&whole.stacks, false),
            "{name}"
        );
        let weight = |profile: &Profile| profile.samples.iter().map(|s| s.weight).sum::<f64>();
        let times = weight(&read) / weight(&whole);
        assert!(
            (times / copies as f64 - 1.0).abs() < 1e-9,
            "{name}: {times}"
        );
    }
}
