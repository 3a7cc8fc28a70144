//! Profiles from a stream, without the whole file in memory where the format allows it.

use std::io::{BufRead, BufReader, Read, Seek};

use flate2::read::MultiGzDecoder;

use super::{Format, Options, broken_off, collapsed, detect, finished, import, jfr, perf, unpack};
use crate::error::ImportError;
use crate::model::Profile;

/// So many bytes tell the format, also of gzip data.
const START: u64 = 64 * 1024;

/// Reads a profile like [`import`]. A JFR file is read chunk by chunk, collapsed stacks and the text of `perf script` line
/// by line: the memory for their bytes is that of the largest chunk or line. What they say still grows with the number of
/// samples, unless [`Options::merge`] adds them up. Other formats are read as a whole; [`import_file`] needs less for
/// `perf.data`.
///
/// ```
/// use proofmark_profile::{Options, import_from};
///
/// let profile = import_from(&b"Run.main;Queens.placeQueen 3\n"[..], &Options::default())?;
/// assert_eq!(profile.samples.len(), 1);
/// # Ok::<(), proofmark_profile::ImportError>(())
/// ```
///
/// # Errors
/// Those of [`import`], and if the source fails.
pub fn import_from(mut source: impl Read, options: &Options) -> Result<Profile, ImportError> {
    let mut start = Vec::new();
    source.by_ref().take(START).read_to_end(&mut start)?;
    let format = options
        .format
        .or_else(|| detect(&unpack::start_of(&start, START)));
    let profile = match format {
        Some(Format::Jfr) => recording(&start, source, options),
        Some(format @ (Format::Collapsed | Format::PerfScript)) => {
            text(&start, source, format, options)
        }
        _ => whole(start, source, options),
    };
    profile.map(|profile| finished(profile, options))
}

/// A recording that begins with `start`, chunk by chunk.
fn recording(start: &[u8], rest: impl Read, options: &Options) -> Result<Profile, ImportError> {
    let all = start.chain(rest);
    if start.starts_with(&unpack::MAGIC) {
        jfr::import_from(MultiGzDecoder::new(all), options)
    } else {
        jfr::import_from(all, options)
    }
}

/// Text that begins with `start`, line by line.
fn text(
    start: &[u8],
    rest: impl Read,
    format: Format,
    options: &Options,
) -> Result<Profile, ImportError> {
    let all = start.chain(rest);
    if !start.starts_with(&unpack::MAGIC) {
        return lines(BufReader::new(all), format, options);
    }
    let mut unpacked = unpack::Gunzip::new(all, options.max_unpacked);
    let read = lines(BufReader::new(&mut unpacked), format, options);
    let cut_at = unpacked.end()?;
    let mut profile = read?;
    if let Some(offset) = cut_at {
        broken_off(&mut profile, offset);
    }
    Ok(profile)
}

fn lines(source: impl BufRead, format: Format, options: &Options) -> Result<Profile, ImportError> {
    match format {
        Format::PerfScript => perf::import_script(source, options),
        _ => collapsed::import(source, options),
    }
}

/// What must be held as a whole.
fn whole(mut start: Vec<u8>, rest: impl Read, options: &Options) -> Result<Profile, ImportError> {
    if start.len() as u64 == START && options.format.is_none() && is_nothing(&start) {
        return import(&start, options);
    }
    let limit = options.max_unpacked;
    rest.take(limit.saturating_add(1)).read_to_end(&mut start)?;
    if start.len() as u64 > limit {
        return Err(ImportError::TooLarge { limit });
    }
    import(&start, options)
}

/// Reads a profile like [`import_from`], and a `perf.data` file that is not compressed too in the memory that what lies
/// between two of its marks for sorting and its distinct stacks need.
///
/// # Errors
/// Those of [`import_from`].
pub fn import_file(
    mut source: impl Read + Seek,
    options: &Options,
) -> Result<Profile, ImportError> {
    let mut start = Vec::new();
    source.by_ref().take(8).read_to_end(&mut start)?;
    source.rewind()?;
    let is_perf = match options.format {
        Some(format) => format == Format::PerfData && !start.starts_with(&unpack::MAGIC),
        None => detect(&start) == Some(Format::PerfData),
    };
    if !is_perf {
        return import_from(source, options);
    }
    perf::import_data(source, options).map(|profile| finished(profile, options))
}

/// Whether what begins so is no profile, however long it is: its end is not waited for. Formats that only their end tells,
/// such as JSON, are not refused by their start.
fn is_nothing(start: &[u8]) -> bool {
    let same = start.iter().all(|byte| *byte == start[0]);
    let text = || {
        // The last sign may be cut.
        let cut = std::str::from_utf8(start).map_or_else(|error| error.valid_up_to(), str::len);
        let whole = start.len() - cut < 4;
        whole && !start.contains(&0) && !start.trim_ascii_start().starts_with(b"{")
    };
    same || (text() && detect(start).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Frame, FrameKind};

    /// Never ends; fails when more is read than a start and what a reader takes ahead.
    struct Endless {
        line: &'static [u8],
        read: usize,
    }

    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            assert!(self.read < 4 * START as usize, "it reads on and on");
            for byte in out.iter_mut() {
                *byte = self.line[self.read % self.line.len()];
                self.read += 1;
            }
            Ok(out.len())
        }
    }

    #[test]
    fn what_cannot_be_a_profile_is_not_read_to_its_end() {
        for line in [&b"\0"[..], b"y\n"] {
            let endless = Endless { line, read: 0 };
            let error = import_from(endless, &Options::default());
            assert!(error.is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_long_profile_is_read() {
        let text = "Run.main;Queens.place 3\n".repeat(9000);
        assert!(text.len() as u64 > 2 * START);
        let read = import_from(text.as_bytes(), &Options::default()).expect("a profile");
        let whole = import(text.as_bytes(), &Options::default()).expect("a profile");
        assert_eq!(read.samples.len(), whole.samples.len());
    }

    /// What only the end of the file tells counts for its beginning: one mark, behind the first block.
    #[test]
    fn a_mark_in_the_last_line_says_what_the_first_is() {
        let long = "Run.main;Queens.place 3\n".repeat(9000) + "Run.main_[j];memset 1\n";
        let merge = Options {
            merge: true,
            ..Options::default()
        };
        let read = import_from(long.as_bytes(), &merge).expect("a profile");
        assert_eq!(read.tool, "async-profiler");
        let java = |frame: &&Frame| frame.kind == FrameKind::Jit;
        let marked = read.frames.iter().filter(java).count();
        assert_eq!((marked, read.samples.len()), (1, 2));
    }

    fn many_stacks() -> String {
        (0..60_000)
            .map(|n| format!("Run.main;A.f{n} 3\n"))
            .collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        use std::io::Write;
        let fast = flate2::Compression::fast();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), fast);
        encoder.write_all(bytes).expect("into memory");
        encoder.finish().expect("into memory")
    }

    #[test]
    fn packed_text_from_a_source_is_what_it_is_as_a_whole() {
        let text = many_stacks();
        let packed = gzip(text.as_bytes());
        assert!(packed.len() as u64 > START, "{}", packed.len());
        for len in [packed.len(), packed.len() / 2] {
            let read = import_from(&packed[..len], &Options::default()).expect("a profile");
            let whole = import(&packed[..len], &Options::default()).expect("a profile");
            assert_eq!(read.incomplete, len < packed.len());
            assert_eq!((read.remarks, read.samples), (whole.remarks, whole.samples));
        }
        let collapsed = Options {
            format: Some(Format::Collapsed),
            ..Options::default()
        };
        let header = &packed[..10];
        let error = import_from(header, &collapsed).expect_err("nothing came out");
        assert!(matches!(error, ImportError::Gzip { .. }), "{error}");
    }

    #[test]
    fn packed_text_that_unpacks_to_much_is_refused() {
        let bomb = gzip(&b"a;b 1\n".repeat(1 << 20));
        let small = Options {
            max_unpacked: 1 << 20,
            ..Options::default()
        };
        let error = import_from(&bomb[..], &small).expect_err("six times too much");
        assert!(matches!(error, ImportError::TooLarge { limit } if limit == 1 << 20));
    }

    #[test]
    fn a_source_that_fails_is_no_profile_that_was_cut() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the disk is gone"))
            }
        }
        let text = many_stacks();
        for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
            let half = &bytes[..START as usize];
            let error = import_from(half.chain(Failing), &Options::default());
            assert!(matches!(error, Err(ImportError::Read(_))), "{error:?}");
        }
    }
}
