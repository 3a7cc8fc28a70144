//! JDKs of this machine, found without the toolchain under test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Need, on_path, skip};

/// The oldest release whose programs can be counted.
const OLDEST: u32 = 17;

/// JDKs from release 17 on that have these tools, one of each release, oldest first; empty after the reason was printed.
///
/// Those in `PROOFMARK_TEST_JDKS` (separated by colons), or what `PROOFMARK_JDK`, `JAVA_HOME`, the path and
/// `/usr/lib/jvm` have.
///
/// # Panics
/// If there is none, or only one release, and `REQUIRE_JVM` or `REQUIRE_SECOND_JDK` is set.
pub fn jdks_with(tools: &[&str]) -> Vec<PathBuf> {
    let found = one_of_each_release(candidates(), tools);
    let needed = tools.join(", ");
    match found.as_slice() {
        [] => skip(
            Need::Jvm,
            format!("no JDK {OLDEST} or later with {needed} here"),
        ),
        [only] => skip(
            Need::SecondJdk,
            format!("no second JDK: only {} has {needed}", only.display()),
        ),
        _ => (),
    }
    found
}

/// A tool of a JDK (`javac`, `jar`) for the few small files of a test: it is over before a compiler that optimises has paid.
pub fn quick_tool(jdk: &Path, name: &str) -> Command {
    let mut tool = Command::new(jdk.join("bin").join(name));
    tool.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    tool
}

fn candidates() -> Vec<PathBuf> {
    if let Some(given) = std::env::var_os("PROOFMARK_TEST_JDKS") {
        return std::env::split_paths(&given).collect();
    }
    let named = ["PROOFMARK_JDK", "JAVA_HOME"]
        .into_iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from);
    let of_path = on_path("java")
        .and_then(|java| java.canonicalize().ok())
        .and_then(|java| java.ancestors().nth(2).map(Path::to_owned));
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let installed = installed.flatten().map(|entry| entry.path());
    named.chain(of_path).chain(installed).collect()
}

fn one_of_each_release(candidates: Vec<PathBuf>, tools: &[&str]) -> Vec<PathBuf> {
    let mut of_release = BTreeMap::new();
    for home in candidates {
        let Ok(home) = home.canonicalize() else {
            continue;
        };
        let has = |tool: &&str| home.join("bin").join(tool).is_file();
        if let Some(release) = feature_release(&home)
            && release >= OLDEST
            && tools.iter().all(has)
        {
            of_release.entry(release).or_insert(home);
        }
    }
    of_release.into_values().collect()
}

/// The feature release of a JDK (17, 25), by its `release` file.
fn feature_release(home: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let version = text
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '"', '-', '+']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jdk(home: &Path, version: &str, tools: &[&str]) {
        std::fs::create_dir_all(home.join("bin")).unwrap();
        let release = format!("IMPLEMENTOR=\"A\"\nJAVA_VERSION=\"{version}\"\n");
        std::fs::write(home.join("release"), release).unwrap();
        for tool in tools {
            std::fs::write(home.join("bin").join(tool), "").unwrap();
        }
    }

    #[test]
    fn jdks_are_in_the_order_of_their_releases_without_doubles_and_halves() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        jdk(&at("a25"), "25.0.1", &["java", "javac"]);
        jdk(&at("b9"), "9", &["java", "javac"]);
        jdk(&at("c17"), "17.0.9", &["java", "javac"]);
        jdk(&at("d17"), "17.0.2", &["java", "javac"]);
        jdk(&at("e100"), "100-ea", &["java", "javac"]);
        jdk(&at("runtime21"), "21.0.2", &["java"]);
        std::os::unix::fs::symlink(at("c17"), at("link")).unwrap();
        let names = ["runtime21", "e100", "b9", "a25", "link", "d17", "c17", "no"];
        let found = one_of_each_release(names.map(at).to_vec(), &["java", "javac"]);
        assert_eq!(found, ["c17", "a25", "e100"].map(at));
    }
}
