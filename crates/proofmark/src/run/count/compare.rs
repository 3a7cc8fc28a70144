//! `count compare`.

use std::path::Path;

use anyhow::Context as _;
use proofmark_count::{Comparison, TimeComparison, compare_counts, compare_time};
use proofmark_profile::{CountFile, Filter, Format, Options, ThreadFilter, detect, import};

use crate::context::Refusal;
use crate::read::{in_parts, profile};
use crate::request::CompareRequest;

/// What was compared with what.
pub enum Compared {
    /// Two profiles of counted bytecodes.
    Counts(Comparison),
    /// Bytecodes with time.
    Time(TimeComparison),
}

/// Reads both and compares.
///
/// # Errors
/// When A is no profile of counted bytecodes, or B none at all.
pub fn run(request: &CompareRequest) -> anyhow::Result<Compared> {
    let a = counted(&request.a)?;
    let name = || request.b.display().to_string();
    let options = Options {
        merge: true,
        ..Options::default()
    };
    let mut b = if in_parts(&request.b)? {
        profile(&request.b, &options).with_context(name)?
    } else {
        let bytes = read(&request.b)?;
        if detect(&bytes) == Some(Format::Count) {
            let b = CountFile::parse(&bytes).with_context(name)?;
            return Ok(Compared::Counts(compare_counts(&a, &b.canonical())));
        }
        import(&bytes, &options).with_context(name)?
    };
    if let Some(name) = &request.thread {
        b.keep(&Filter {
            thread: ThreadFilter::Name(name.clone()),
            ..Filter::default()
        });
    }
    Ok(Compared::Time(compare_time(&a, &b)))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// A profile of counted bytecodes, in its one form.
pub(super) fn counted(path: &Path) -> anyhow::Result<CountFile> {
    let bytes = read(path)?;
    if detect(&bytes) != Some(Format::Count) {
        return Err(Refusal::Usage(format!(
            "{} is not a profile of counted bytecodes: make one with proofmark count -o FILE -- java ...",
            path.display()
        ))
        .into());
    }
    let file = CountFile::parse(&bytes).with_context(|| path.display().to_string())?;
    Ok(file.canonical())
}
