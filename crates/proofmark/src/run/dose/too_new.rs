//! A program that was compiled for a newer Java than the one that runs it: what to say in place of the JVM's words.

use std::path::{Path, PathBuf};

use proofmark_jvm::toolchain::{Settings, find_any_jdks};

/// Major version of a class file minus this is the release of Java.
const BEFORE_FIRST: u32 = 44;

/// What a JVM says of such a class. Its name stands between the first two.
const ERROR: &str = "java.lang.UnsupportedClassVersionError: ";
const COMPILED: &str = " has been compiled by a more recent version of the Java Runtime ";
/// Behind each of these stands a version: that of the class, and the newest that the JVM reads.
const OWN: &str = "(class file version ";
const READS: &str = "class file versions up to ";

/// A class and two releases of Java.
#[derive(Debug, PartialEq, Eq)]
struct TooNew {
    /// With its packages.
    class: String,
    /// The release that it was compiled for.
    needs: u32,
    /// The release of the JVM.
    java: u32,
}

impl TooNew {
    /// Reads what a JVM said; none if that is about something else.
    fn of(message: &str) -> Option<Self> {
        let (_, message) = message.split_once(ERROR)?;
        let (class, versions) = message.split_once(COMPILED)?;
        Some(Self {
            class: class.replace('/', "."),
            needs: release(versions, OWN)?,
            java: release(versions, READS)?,
        })
    }

    /// The whole sentence; `newer`: a `java` that is new enough, if one is known.
    fn sentence(&self, java: &Path, newer: Option<&Path>) -> String {
        let Self {
            class,
            needs,
            java: release,
        } = self;
        let instance = newer.map_or_else(String::new, |newer| {
            format!(", for instance {}", newer.display())
        });
        format!(
            "{class} was compiled for Java {needs}, and the java of the command ({}) is {release}: use a newer one{instance}",
            java.display()
        )
    }
}

/// The release of Java whose class file version stands behind this text.
fn release(text: &str, behind: &str) -> Option<u32> {
    let (_, version) = text.split_once(behind)?;
    let (major, _) = version.split_once('.')?;
    let major: u32 = major.parse().ok()?;
    major.checked_sub(BEFORE_FIRST)
}

/// What to say where a program could not be loaded with this `java`, and which other one would do; none if its release is not
/// the reason.
pub(super) fn told(message: &str, java: &Path, settings: &Settings) -> Option<String> {
    let too_new = TooNew::of(message)?;
    let newer = new_enough(settings, too_new.needs);
    Some(too_new.sentence(java, newer.as_deref()))
}

/// The `java` of the first JDK of this machine that has such a release or a later one.
fn new_enough(settings: &Settings, release: u32) -> Option<PathBuf> {
    let seen = find_any_jdks(settings).into_iter();
    let mut fit = seen.filter(|jdk| jdk.feature().is_some_and(|feature| feature >= release));
    fit.next().map(|jdk| jdk.home.join("bin/java"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const SAID: &str = "cannot load the workload com.acme.TradeReport: java.lang.UnsupportedClassVersionError: \
        com/acme/TradeReport has been compiled by a more recent version of the Java Runtime (class file version 69.0), \
        this version of the Java Runtime only recognizes class file versions up to 61.0";

    fn jdk(home: &Path, version: &str) {
        std::fs::create_dir_all(home.join("bin")).unwrap();
        let release = format!("JAVA_VERSION=\"{version}\"\n");
        std::fs::write(home.join("release"), release).unwrap();
        let java = home.join("bin/java");
        std::fs::write(&java, "").unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&java, executable).unwrap();
    }

    #[test]
    fn both_releases_and_a_jdk_that_is_new_enough_are_told() {
        let place = tempfile::tempdir().unwrap();
        let places = place.path().canonicalize().unwrap();
        let settings = Settings {
            jdk_places: vec![places.clone()],
            ..Settings::default()
        };
        let java = Path::new("/opt/17/bin/java");
        let begin = "com.acme.TradeReport was compiled for Java 25, and the java of the command (/opt/17/bin/java) is 17: use a newer one";
        jdk(&places.join("old"), "21.0.7");
        assert_eq!(told(SAID, java, &settings).as_deref(), Some(begin));
        jdk(&places.join("new"), "25.0.1");
        let newer = places.join("new/bin/java");
        let whole = format!("{begin}, for instance {}", newer.display());
        assert_eq!(told(SAID, java, &settings), Some(whole));
    }

    #[test]
    fn what_else_a_jvm_says_stays() {
        let preview = "cannot load the workload A: java.lang.UnsupportedClassVersionError: Preview features are not enabled \
            for A (class file version 69.65535). Try running with '--enable-preview'";
        for other in [
            preview,
            "cannot load the workload A: java.lang.ClassNotFoundException: A",
        ] {
            assert_eq!(TooNew::of(other), None, "{other}");
        }
    }
}
