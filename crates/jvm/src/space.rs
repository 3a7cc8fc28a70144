//! Whether a disk is full.

use std::path::Path;

/// Where less is free, bytes, a file of a JVM that could not be written did not fit.
const LITTLE: u64 = 16 << 20;

/// Whether a directory's disk has hardly any space left. A JVM does not say so of what it could not write.
#[must_use]
pub fn is_full(directory: &Path) -> bool {
    rustix::fs::statvfs(directory)
        .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LITTLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_there_is_not_full() {
        assert!(!is_full(Path::new("/none/there")));
    }
}
