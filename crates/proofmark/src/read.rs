//! Files of the user.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context as _;
use proofmark_profile::{Format, Options, Profile, detect, import_file, import_from, unpacked};

use crate::context::Refusal;

/// No profile is larger; what never ends is no file.
const MOST_BYTES: u64 = 4 << 30;

/// The bytes of a file of 4 GiB at most.
///
/// # Errors
/// When it cannot be read or is larger; the message names it.
pub fn whole(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(name)?;
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.with_context(name)?;
    if bytes.len() as u64 > MOST_BYTES {
        let text = format!("{} has more than 4 GiB", path.display());
        return Err(Refusal::Usage(text).into());
    }
    Ok(bytes)
}

/// So many bytes of a file tell whether it can be read in parts.
const START: u64 = 64 * 1024;

/// Whether a file has a format that [`profile`] reads in parts: of others the whole is needed anyhow. A pipe can be read
/// once only, so that it counts as one of the others.
///
/// # Errors
/// When it cannot be read; the message names it.
pub fn in_parts(path: &Path) -> anyhow::Result<bool> {
    let name = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(name)?;
    if !file.metadata().with_context(name)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    file.take(START)
        .read_to_end(&mut start)
        .with_context(name)?;
    let plain = unpacked(&start).unwrap_or_default();
    Ok(matches!(
        detect(&plain),
        Some(Format::Jfr | Format::PerfData | Format::PerfScript | Format::Collapsed)
    ))
}

/// The profile in a file or pipe, without the whole of it in memory where its format allows that.
///
/// # Errors
/// When it cannot be read, or is no profile; the message does not name it.
pub fn profile(path: &Path, options: &Options) -> anyhow::Result<Profile> {
    let file = File::open(path)?;
    Ok(match file.metadata()?.is_file() {
        true => import_file(file, options),
        false => import_from(file, options), // a pipe, which has no beginning to go back to
    }?)
}

/// What must be said of a recording that a JVM with sites left: time was added to the program while it was made.
#[must_use]
pub fn with_doses(recording: &Path) -> Option<String> {
    let beside = |name| std::fs::read_to_string(recording.parent()?.join(name)).ok();
    let of_sites = beside("configuration")?.starts_with("task=sites");
    let sites = beside("sites")?;
    let methods = sites
        .lines()
        .filter(|line| line.starts_with("placed"))
        .count();
    (of_sites && methods > 0).then(|| {
        format!(
            "recorded while Proofmark added time at {methods} sites (dose): these are not the program's own shares; look-* beside it, where there is one, was recorded without"
        )
    })
}

/// Refuses to write where something was read from: a recording that took an hour is gone in a moment.
///
/// # Errors
/// When the output is one of the inputs, under whatever name.
pub fn not_an_input(output: &Path, inputs: &[&Path]) -> Result<(), Refusal> {
    let real = |path: &Path| path.canonicalize().ok();
    let same = real(output).filter(|place| inputs.iter().any(|i| real(i).as_ref() == Some(place)));
    same.map_or(Ok(()), |_| {
        Err(Refusal::Usage(format!(
            "{} is read, and would be overwritten; give the result another name",
            output.display()
        )))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_made_under_doses_is_marked() {
        let place = tempfile::tempdir().unwrap();
        let recording = place.path().join("recording.jfr");
        let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text);
        assert_eq!(with_doses(&recording), None, "it lies alone");
        write("configuration", "task=sites\nrelease=17\n").unwrap();
        write("sites", "").unwrap();
        assert_eq!(with_doses(&recording), None, "no site was placed");
        write("sites", "placed\t0\t(I)Z\nplaced\t1\t(I)Z\n").unwrap();
        let said = with_doses(&recording).expect("a mark");
        assert!(said.contains("added time at 2 sites"), "{said}");
        write("configuration", "task=count\n").unwrap();
        assert_eq!(with_doses(&recording), None, "another experiment");
        assert_eq!(with_doses(Path::new("-")), None);
    }
}
