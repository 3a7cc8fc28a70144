//! A repository of Maven's layout that the user names: a directory, or an address that `curl` can read.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Settings;
use super::lock::Artifact;
use super::process::{run, shown};

const LIMIT: Duration = Duration::from_secs(600);

/// Copies the artifact to `target`. An error is one line that says why it could not.
pub(crate) fn fetch(
    settings: &Settings,
    base: &str,
    artifact: &Artifact,
    target: &Path,
) -> Result<(), String> {
    let source = format!("{}/{}", base.trim_end_matches('/'), artifact.path());
    if source.starts_with("http://") || source.starts_with("https://") {
        return download(settings, &source, target);
    }
    let path = source.strip_prefix("file://").unwrap_or(&source);
    std::fs::copy(path, target)
        .map(drop)
        .map_err(|error| format!("{path}: {error}"))
}

/// The user's own curl, so that proxies and certificates are those of this machine.
fn download(settings: &Settings, address: &str, target: &Path) -> Result<(), String> {
    let curl = settings
        .on_path("curl")
        .ok_or("no curl on PATH, which reads http(s) repositories")?;
    let mut command = Command::new(curl);
    command.args([
        "--fail",
        "--silent",
        "--show-error",
        "--location",
        "--proto",
        "=http,https",
    ]);
    command
        .args(["--connect-timeout", "20", "--output"])
        .arg(target)
        .arg(address);
    match run(&mut command, LIMIT) {
        Err(error) => Err(format!("{}: {error}", shown(&command))),
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => Err(format!("{address}: {}", done.output.trim())),
    }
}
