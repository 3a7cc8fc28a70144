//! The report that a JVM writes when it crashes. If it is not told where, it goes into the working directory, which is the user's.

use std::path::{Path, PathBuf};

use crate::environment::options_have;

/// The option that says where.
const OPTION: &str = "-XX:ErrorFile=";

/// The option with which a JVM that crashes writes its report into this file. A later one, such as the user's, counts instead.
#[must_use]
pub fn report_into(file: &Path) -> String {
    // The JVM puts the number of its process in the place of `%p`.
    let file = file.display().to_string().replace('%', "%%");
    format!("{OPTION}{file}")
}

/// The same for a JVM that gets the options of the environment too; none if these name a file.
#[must_use]
pub fn report_into_unless_told(file: &Path) -> Option<String> {
    (!options_have(OPTION)).then(|| report_into(file))
}

/// The same for a tool of the JDK, or a `java` that only says something, by its name: its report goes into the directory for temporary
/// files, and the JVM prints where.
pub(crate) fn report_of_tool(name: &str) -> String {
    let file = format!("proofmark-{name}-{}.hs_err.log", std::process::id());
    report_into(&std::env::temp_dir().join(file))
}

/// Where a JVM that has crashed has left its report, as a clause; nothing if there is no such file.
#[must_use]
pub fn crash_said(report: &Path) -> Option<String> {
    let there = report.exists();
    there.then(|| format!("the report of its crash is in {}", report.display()))
}

/// The file for the report of a JVM whose output goes to this log: beside it.
pub(crate) fn report_beside(log: &Path) -> PathBuf {
    log.with_extension("hs_err.log")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_the_name_that_was_meant() {
        let report = report_beside(Path::new("/runs/50%p/jvm.log"));
        assert_eq!(report, Path::new("/runs/50%p/jvm.hs_err.log"));
        let option = "-XX:ErrorFile=/runs/50%%p/jvm.hs_err.log";
        assert_eq!(report_into(&report), option);
    }

    #[test]
    fn where_there_is_no_report_nothing_is_said() {
        let place = tempfile::tempdir().unwrap();
        let report = place.path().join("jvm.hs_err.log");
        assert_eq!(crash_said(&report), None);
        std::fs::write(&report, "#\n# A fatal error\n").unwrap();
        let said = crash_said(&report).expect("a clause");
        assert!(said.ends_with("/jvm.hs_err.log"), "{said}");
    }
}
