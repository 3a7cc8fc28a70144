//! Files of the user, read as a whole.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context as _;

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
