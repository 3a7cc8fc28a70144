//! `count show`.

use proofmark_count::Counted;

use super::compare::counted;
use super::export;
use crate::request::ShowRequest;

/// Reads a profile, writes it in another form if asked to.
///
/// # Errors
/// When it cannot be read or written.
pub fn run(request: &ShowRequest) -> anyhow::Result<Counted> {
    let file = counted(&request.profile)?;
    if let Some(path) = &request.output {
        export::write(&file, path, request.form)?;
    }
    Ok(Counted::of(
        &file,
        request.profile.display().to_string(),
        None,
    ))
}
