//! The main class that a jar names.

use std::io::Read;
use std::path::Path;

use crate::workload::WorkloadError;

/// Reads `Main-Class` from a jar's manifest.
///
/// # Errors
/// [`WorkloadError::NoJar`] when the file cannot be opened, [`WorkloadError::Jar`] when it is no jar or names no class.
pub fn main_class(jar: &Path) -> Result<String, WorkloadError> {
    let fault = |reason: String| WorkloadError::Jar {
        jar: jar.display().to_string(),
        reason,
    };
    let file = std::fs::File::open(jar).map_err(|e| WorkloadError::NoJar {
        jar: jar.display().to_string(),
        reason: e.to_string(),
    })?;
    let mut archive = zip::ZipArchive::new(file).map_err(|e| fault(e.to_string()))?;
    let entry = archive
        .by_name("META-INF/MANIFEST.MF")
        .map_err(|_| fault("it has no manifest".into()))?;
    let mut text = String::new();
    // A manifest is small; a hostile one is cut off.
    entry
        .take(1 << 20)
        .read_to_string(&mut text)
        .map_err(|e| fault(e.to_string()))?;
    attribute(&text, "Main-Class").ok_or_else(|| fault("its manifest names no Main-Class".into()))
}

/// Long values go on in the next line, after a space.
fn attribute(manifest: &str, name: &str) -> Option<String> {
    let unfolded = manifest.replace("\r\n", "\n").replace("\n ", "");
    let line = unfolded.lines().find_map(|line| {
        line.strip_prefix(name)?
            .strip_prefix(':')
            .map(str::trim)
            .map(str::to_owned)
    });
    line.filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::attribute;

    #[test]
    fn values_may_be_folded() {
        let manifest =
            "Manifest-Version: 1.0\r\nMain-Class: com.acme.very.long.pack\r\n age.Main\r\nX: y\r\n";
        assert_eq!(
            attribute(manifest, "Main-Class").as_deref(),
            Some("com.acme.very.long.package.Main")
        );
        assert_eq!(attribute(manifest, "Class-Path"), None);
    }
}
