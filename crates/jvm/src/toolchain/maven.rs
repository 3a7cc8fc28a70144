//! Maven: its local repository, and `mvn` as a child process.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use quick_xml::escape::unescape;
use quick_xml::events::Event;

use super::lock::Artifact;
use super::process::{run, shown};
use super::{Settings, find_any_jdks};

const LIMIT: Duration = Duration::from_secs(600);

/// The local repository: `-Dmaven.repo.local` in one of the option variables, `localRepository` in
/// `~/.m2/settings.xml`, else `~/.m2/repository`.
pub(crate) fn local_repository(
    options: &[Option<OsString>],
    home: Option<&Path>,
) -> Option<PathBuf> {
    let options = options
        .iter()
        .flatten()
        .map(|value| value.to_string_lossy().into_owned());
    // As a shell would: a path with spaces is quoted.
    let mut words = options.flat_map(|value| shlex::split(&value).unwrap_or_default());
    let from_option = words.find_map(|word| {
        let path = word.strip_prefix("-Dmaven.repo.local=")?;
        Some(PathBuf::from(path))
    });
    from_option.or_else(|| {
        let m2 = home?.join(".m2");
        let settings = std::fs::read_to_string(m2.join("settings.xml")).unwrap_or_default();
        Some(configured(&settings, home?).unwrap_or_else(|| m2.join("repository")))
    })
}

/// `<localRepository>` of a settings file.
fn configured(settings: &str, home: &Path) -> Option<PathBuf> {
    let mut reader = quick_xml::Reader::from_str(settings);
    let path = loop {
        match reader.read_event().ok()? {
            Event::Start(element) if element.name().as_ref() == "localRepository" => {
                break reader.read_text(element.name()).ok()?;
            }
            Event::Eof => return None,
            _ => {}
        }
    };
    let path = unescape(path.trim()).ok()?.into_owned();
    let path = path.replace("${user.home}", &home.to_string_lossy());
    (!path.is_empty() && !path.contains("${")).then(|| PathBuf::from(path))
}

/// Lets `mvn` put the artifact into the local repository. An error is one line that says why it could not.
pub(crate) fn fetch(
    settings: &Settings,
    plugin_version: &str,
    artifact: &Artifact,
) -> Result<(), String> {
    let mvn = settings.on_path("mvn").ok_or("no mvn on PATH")?;
    let mut command = Command::new(mvn);
    command.args(["-q", "-B", "-Dstyle.color=never", "-Dtransitive=false"]);
    command.arg(format!(
        "org.apache.maven.plugins:maven-dependency-plugin:{plugin_version}:get"
    ));
    command.arg(format!("-Dartifact={}", artifact.coordinates()));
    if let Some(local) = &settings.local_repository {
        command.arg(format!("-Dmaven.repo.local={}", local.display()));
    }
    if let Some(path) = &settings.path {
        command.env("PATH", path);
    }
    // Maven's own script needs a Java; any will do, but it looks in these two places only.
    if settings.java_home.is_none() && settings.on_path("java").is_none() {
        let any = find_any_jdks(settings).into_iter().next();
        any.map(|jdk| command.env("JAVA_HOME", jdk.home));
    }
    // No project of the user's may take part in this.
    command.current_dir("/");
    match run(&mut command, LIMIT) {
        Err(error) => Err(format!("{}: {error}", shown(&command))),
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => Err(format!(
            "{}: {}",
            shown(&command),
            first_error(&done.output)
        )),
    }
}

/// Maven prints a screen of help after its first error line; that line says what happened.
fn first_error(output: &str) -> &str {
    let lines = || output.lines().map(str::trim);
    lines()
        .find(|line| line.starts_with("[ERROR]"))
        .or_else(|| lines().find(|l| !l.is_empty()))
        .unwrap_or("no output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_local_repository_is_where_maven_has_it() {
        let home = tempfile::tempdir().unwrap();
        let at = |options: &[&str]| {
            let options: Vec<_> = options.iter().map(|o| Some(OsString::from(o))).collect();
            local_repository(&options, Some(home.path())).unwrap()
        };
        assert_eq!(at(&[]), home.path().join(".m2/repository"));
        std::fs::create_dir(home.path().join(".m2")).unwrap();
        let settings = "<settings><!-- <localRepository>/no</localRepository> -->\
                        <localRepository>${user.home}/repo</localRepository></settings>";
        std::fs::write(home.path().join(".m2/settings.xml"), settings).unwrap();
        assert_eq!(at(&[]), home.path().join("repo"));
        assert_eq!(
            at(&["-Xmx1g -Dmaven.repo.local=/there -B"]),
            PathBuf::from("/there")
        );
        assert_eq!(
            at(&["-B '-Dmaven.repo.local=/there and back'"]),
            PathBuf::from("/there and back")
        );
        assert_eq!(local_repository(&[None], None), None);
    }

    #[test]
    fn only_the_first_error_of_maven_is_kept() {
        assert_eq!(
            first_error("[INFO] x\n[ERROR] cannot resolve\n[ERROR] help\n"),
            "[ERROR] cannot resolve"
        );
        assert_eq!(first_error(""), "no output");
    }
}
