//! A recording that grows while it is read is what it is as a whole.

use std::io::{Cursor, Read, Seek, SeekFrom};

use proofmark_profile::GrowingJfr;

use super::*;

/// Bytes that a chunk's header has.
const HEADER: usize = 68;

/// Counts the bytes that are read.
struct Counted<'b> {
    bytes: Cursor<&'b [u8]>,
    read: usize,
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let read = self.bytes.read(out)?;
        self.read += read;
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// Reads what is new in these bytes; how many were read for it. The profile is that of all of them.
fn read(growing: &mut GrowingJfr, bytes: &[u8]) -> usize {
    let mut source = Counted {
        bytes: Cursor::new(bytes),
        read: 0,
    };
    let found = growing.read(&mut source).expect("sound");
    let whole = import(bytes, &Options::default()).expect("sound");
    assert_eq!(found.samples, whole.samples);
    assert_eq!(
        (&found.methods, &found.frames),
        (&whole.methods, &whole.frames)
    );
    assert_eq!(
        (&found.stacks, &found.threads),
        (&whole.stacks, &whole.threads)
    );
    assert_eq!((&found.losses, &found.marks), (&whole.losses, &whole.marks));
    assert_eq!(
        (&found.events, &found.failures),
        (&whole.events, &whole.failures)
    );
    assert_eq!(
        (found.unit, found.clock, found.overloads_merged),
        (whole.unit, whole.clock, whole.overloads_merged)
    );
    assert_eq!(
        (found.incomplete, found.remarks, found.version),
        (false, whole.remarks, whole.version)
    );
    source.read
}

#[test]
fn what_was_read_of_a_recording_is_not_read_again() {
    // Samples of the processor come with the second part only.
    let parts = ["jdk17.jfr.gz", "jdk25.jfr.gz", "jdk17.jfr.gz"].map(unpacked);
    let mut growing = GrowingJfr::default();
    assert_eq!(read(&mut growing, &parts[0]), parts[0].len());
    for number in [2, 3] {
        let bytes = parts[..number].concat();
        let new = parts[number - 1].len();
        assert_eq!(read(&mut growing, &bytes), HEADER + new, "{number} parts");
    }
    assert_eq!(read(&mut growing, &parts.concat()), HEADER);
}

#[test]
fn another_recording_is_read_from_its_beginning() {
    let (one, other) = (unpacked("jdk25.jfr.gz"), unpacked("jdk17.jfr.gz"));
    let mut growing = GrowingJfr::default();
    read(&mut growing, &one);
    for bytes in [&other, &one] {
        assert!(read(&mut growing, bytes) >= bytes.len());
    }
}

/// Three quarters of the last part were there.
#[test]
fn a_chunk_that_broke_off_is_read_again() {
    let (first, second) = (unpacked("jdk17.jfr.gz"), unpacked("jdk25.jfr.gz"));
    let whole = [first.clone(), second.clone()].concat();
    let cut = &whole[..first.len() + second.len() * 3 / 4];
    let mut growing = GrowingJfr::default();
    let found = growing.read(Cursor::new(cut)).expect("what came before");
    assert!(found.incomplete);
    assert_eq!(read(&mut growing, &whole), whole.len());
}

/// The same recording, whose samples and windows are events of other names: it has losses alone.
fn without_samples(mut recording: Vec<u8>) -> Vec<u8> {
    for name in [
        "jdk.ExecutionSample",
        "jdk.CPUTimeSample",
        "proofmark.Window",
    ] {
        let is_here = |at: &usize| {
            let rest = recording[*at..].strip_prefix(name.as_bytes());
            // jdk.CPUTimeSamplesLost is another one.
            rest.is_some_and(|rest| !rest.starts_with(b"s"))
        };
        let found: Vec<usize> = (0..recording.len()).filter(is_here).collect();
        assert!(!found.is_empty(), "{name}");
        for at in found {
            recording[at + name.len() - 1] = b'x';
        }
    }
    recording
}

/// What was lost in a chunk that broke off counts once, also where no sample came before, which is an error.
#[test]
fn after_an_error_a_recording_is_read_from_its_beginning() {
    let quiet = without_samples(unpacked("jdk25.jfr.gz"));
    let whole = [quiet.clone(), quiet.clone()].concat();
    let mut growing = GrowingJfr::default();
    read(&mut growing, &quiet);
    let cut = Cursor::new(&whole[..whole.len() - 1]);
    growing.read(cut).expect_err("no sample so far");
    assert_eq!(read(&mut growing, &whole), whole.len());
}

#[test]
fn a_source_that_fails_is_an_error() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    impl Seek for Failing {
        fn seek(&mut self, _: SeekFrom) -> std::io::Result<u64> {
            Ok(0)
        }
    }
    assert!(GrowingJfr::default().read(Failing).is_err());
}
