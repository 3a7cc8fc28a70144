//! What the user can set about the toolchain. Everything that comes from the environment is read here, once,
//! so that the rest of the module is a function of these settings (and so that tests need no environment).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where to look for tools and where to keep what was made from them.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The JDK to use; nothing else is considered (`PROOFMARK_JDK`).
    pub jdk: Option<PathBuf>,
    /// `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// `PATH`, where `java`, `mvn` and `curl` are looked for.
    pub path: Option<OsString>,
    /// Directories whose children may be JDKs.
    pub jdk_places: Vec<PathBuf>,
    /// Root of the cache: `XDG_CACHE_HOME/proofmark` or `~/.cache/proofmark`.
    pub cache: Option<PathBuf>,
    /// The local Maven repository.
    pub local_repository: Option<PathBuf>,
    /// Directory, `file://` or `http(s)://` address of a repository in Maven layout (`PROOFMARK_REPOSITORY`).
    /// When set it is asked instead of `mvn`.
    pub repository: Option<String>,
    /// Java sources to compile instead of the embedded ones (`PROOFMARK_JAVA_SOURCES`): a directory with
    /// `count`, `graal-plugin`, `harness` and `suite`.
    pub java_sources: Option<PathBuf>,
    /// Told about every step that takes longer than a blink.
    pub progress: Option<fn(&str)>,
}

impl Settings {
    /// The settings that the environment gives.
    pub fn from_env() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = variable("HOME").map(PathBuf::from);
        Settings {
            jdk: variable("PROOFMARK_JDK").map(PathBuf::from),
            java_home: variable("JAVA_HOME").map(PathBuf::from),
            path: variable("PATH"),
            jdk_places: usual_jdk_places(home.as_deref()),
            cache: cache_root(
                variable("XDG_CACHE_HOME").map(PathBuf::from),
                home.as_deref(),
            ),
            local_repository: super::maven::local_repository(
                &[variable("MAVEN_ARGS"), variable("MAVEN_OPTS")],
                home.as_deref(),
            ),
            repository: variable("PROOFMARK_REPOSITORY").map(|v| v.to_string_lossy().into_owned()),
            java_sources: variable("PROOFMARK_JAVA_SOURCES").map(PathBuf::from),
            progress: None,
        }
    }

    /// The same with the JDK of this `java` among the first that are looked at. A `java` of no JDK changes nothing.
    #[must_use]
    pub fn with_java(mut self, java: &Path) -> Self {
        self.java_home = super::find::home_of_java(java.to_owned()).or(self.java_home);
        self
    }

    /// The first executable of this name on `PATH`.
    pub(crate) fn on_path(&self, name: &str) -> Option<PathBuf> {
        self.all_on_path(name).next()
    }

    /// Every executable of this name on `PATH`, in order.
    pub(crate) fn all_on_path(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(self.path.as_deref().unwrap_or_default())
            .filter(|directory| directory.is_absolute())
            .map(move |directory| directory.join(name))
            .filter(|file| is_executable(file))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Says what is being done, when somebody wants to hear it.
    pub(crate) fn say(&self, text: &str) {
        if let Some(progress) = self.progress {
            progress(text);
        }
    }
}

/// True for a regular file that somebody may execute.
pub(crate) fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The base directory specification says that relative paths are to be ignored.
fn cache_root(xdg: Option<PathBuf>, home: Option<&Path>) -> Option<PathBuf> {
    xdg.filter(|path| path.is_absolute())
        .or_else(|| home.map(|home| home.join(".cache")))
        .map(|base| base.join("proofmark"))
}

fn usual_jdk_places(home: Option<&Path>) -> Vec<PathBuf> {
    const OF_THE_USER: [&str; 5] = [
        ".sdkman/candidates/java",
        ".jdks",
        ".local/share/mise/installs/java",
        ".asdf/installs/java",
        ".jbang/cache/jdks",
    ];
    const OF_THE_SYSTEM: [&str; 4] = ["/usr/lib/jvm", "/usr/lib64/jvm", "/usr/java", "/opt"];
    let system = OF_THE_SYSTEM.iter().map(PathBuf::from);
    let user = home
        .into_iter()
        .flat_map(|home| OF_THE_USER.iter().map(move |place| home.join(place)));
    system.chain(user).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_follows_the_base_directory_specification() {
        let home = Some(Path::new("/home/a"));
        let root = |xdg: Option<&str>, home| cache_root(xdg.map(PathBuf::from), home);
        assert_eq!(root(Some("/x"), home), Some("/x/proofmark".into()));
        assert_eq!(
            root(Some("relative"), home),
            Some("/home/a/.cache/proofmark".into())
        );
        assert_eq!(root(None, home), Some("/home/a/.cache/proofmark".into()));
        assert_eq!(root(None, None), None);
    }

    #[test]
    fn only_executables_in_absolute_directories_count() {
        let settings = Settings {
            path: Some("relative:/usr/bin:/bin".into()),
            ..Settings::default()
        };
        assert!(settings.on_path("sh").is_some());
        assert!(settings.on_path("no-such-program").is_none());
        assert!(Settings::default().on_path("sh").is_none());
    }
}
