//! Where results go, and who else uses the machine.

use std::path::Path;

use proofmark_experiment::doctor::Check;
use proofmark_store::state_directory;

use crate::load::busy;

/// Whether results can be written where they go without `--out`.
pub(super) fn results() -> Check {
    const NAME: &str = "results";
    let lacking = |detail: String| {
        Check::limited(
            NAME,
            detail,
            "set XDG_STATE_HOME to a directory that can be written to, or give every run its --out",
        )
    };
    match state_directory(|name| std::env::var_os(name)) {
        Ok(place) => match writable(&place) {
            Ok(()) => Check::ok(NAME, place.display().to_string()),
            Err(error) => lacking(format!("{} cannot be written to: {error}", place.display())),
        },
        Err(error) => lacking(error.to_string()),
    }
}

/// Tries with a file that is gone again, in the nearest directory that exists.
fn writable(place: &Path) -> std::io::Result<()> {
    let nearest = place.ancestors().find(|one| one.exists());
    tempfile::tempfile_in(nearest.unwrap_or(Path::new("/"))).map(drop)
}

/// Whether others use the machine now; nothing if they do not.
pub(super) fn load() -> Option<Check> {
    let text = busy()?;
    Some(Check::limited("load", text, "measure when it is quieter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_there_yet_is_tried_above() {
        let place = tempfile::tempdir().unwrap();
        writable(&place.path().join("a/b")).unwrap();
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        assert!(writable(Path::new("/proc/none")).is_err());
    }
}
