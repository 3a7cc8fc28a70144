//! `count show`.

use proofmark_count::Counted;

use super::args::ShowArguments;
use super::compare::counted;
use super::export;

/// Reads a profile, writes it in another form if asked to.
///
/// # Errors
/// When it cannot be read or written.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<Counted> {
    let file = counted(&arguments.profile)?;
    if let Some(path) = &arguments.output {
        export::write(&file, path, arguments.form)?;
    }
    Ok(Counted::of(
        &file,
        arguments.profile.display().to_string(),
        None,
    ))
}
