//! Getting a locked file: from the local Maven repository, from the repository that the user names, or through
//! `mvn`. Nothing gets past here whose SHA-256 is not the locked one.

use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{says_disk_full, write_error};
use super::lock::{Artifact, Lock};
use super::{Settings, ToolchainError, hash, maven, repository};

/// Puts the artifact into `directory` under its own name and returns where it is.
pub(crate) fn obtain(
    settings: &Settings,
    lock: &Lock,
    artifact: &Artifact,
    directory: &Path,
) -> Result<PathBuf, ToolchainError> {
    let target = directory.join(artifact.file_name());
    let mut tried = Vec::new();
    if let Some(file) = in_local_repository(settings, artifact) {
        return copy_checked(artifact, &file, &target);
    }
    tried.push(match &settings.local_repository {
        Some(local) => format!("{}: not there", local.join(artifact.path()).display()),
        None => "local Maven repository: none, as HOME is not set".into(),
    });
    let size = artifact.bytes.div_ceil(1 << 20);
    settings.say(&format!(
        "fetching {} {} ({size} MB)",
        artifact.artifact, artifact.version
    ));
    if let Some(base) = &settings.repository {
        match repository::fetch(settings, base, artifact, &target) {
            Ok(()) => {
                return checked(artifact, &format!("{base}/{}", artifact.path()), &target)
                    .map(|()| target);
            }
            Err(why) if says_disk_full(&why) => {
                return Err(ToolchainError::CacheFull { path: target });
            }
            Err(why) => tried.push(format!("PROOFMARK_REPOSITORY: {why}")),
        }
    } else {
        match maven::fetch(settings, &lock.maven_dependency_plugin, artifact) {
            Ok(()) => match in_local_repository(settings, artifact) {
                Some(file) => return copy_checked(artifact, &file, &target),
                None => tried.push(
                    "mvn: it reported success, but the file is not in its local repository".into(),
                ),
            },
            Err(why) => tried.push(format!("mvn: {why}")),
        }
    }
    Err(ToolchainError::ArtifactMissing {
        what: artifact.coordinates(),
        tried,
        remedy: remedy(settings),
    })
}

/// The file in the local repository, whatever its content.
pub(crate) fn in_local_repository(settings: &Settings, artifact: &Artifact) -> Option<PathBuf> {
    let file = settings.local_repository.as_ref()?.join(artifact.path());
    file.is_file().then_some(file)
}

/// What to do when a file cannot be had.
pub(crate) fn remedy(settings: &Settings) -> String {
    const COPY: &str = "on a machine without network, copy that file to the same place below the local Maven repository";
    if settings.repository.is_some() {
        return format!(
            "correct PROOFMARK_REPOSITORY (the base of a repository in Maven's layout) or unset it; {COPY}"
        );
    }
    let first = match settings.on_path("mvn") {
        Some(_) => "make `mvn` work (network, proxy, settings.xml)",
        None => "install Maven (`apt-get install maven` or the like)",
    };
    format!(
        "{first}, or set PROOFMARK_REPOSITORY to the base address or directory of a repository in Maven's layout; {COPY}"
    )
}

fn copy_checked(
    artifact: &Artifact,
    file: &Path,
    target: &Path,
) -> Result<PathBuf, ToolchainError> {
    fs::copy(file, target).map_err(|error| write_error(target, &error))?;
    checked(artifact, &file.display().to_string(), target)?;
    Ok(target.to_owned())
}

/// Looks at the copy, which nobody else can change, not at the source.
fn checked(artifact: &Artifact, from: &str, copy: &Path) -> Result<(), ToolchainError> {
    let found = hash::of_file(copy).map_err(|error| write_error(copy, &error))?;
    if found == artifact.sha256 {
        return Ok(());
    }
    Err(ToolchainError::HashMismatch {
        what: artifact.coordinates(),
        from: from.to_owned(),
        expected: artifact.sha256.clone(),
        found,
    })
}
