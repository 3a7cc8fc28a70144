//! Request of `import`.

use std::path::PathBuf;

/// `import`.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRequest {
    /// The profile; `-` is standard input.
    pub file: PathBuf,
    /// Where the result goes; none: standard output.
    pub output: Option<PathBuf>,
    /// Methods in the table.
    pub top: usize,
    /// Only this thread: its name, `tid:ID` or `java:ID`.
    pub thread: Option<String>,
    /// Only the event of this name, or `all`.
    pub event: Option<String>,
    /// Whether overloads of a method are added up in the table.
    pub merge_overloads: bool,
    /// The file's format; none: its content tells.
    pub from: Option<proofmark_profile::Format>,
    /// The file that names the code in a perf.data file.
    pub perf_map: Option<PathBuf>,
    /// The jitdump file that does.
    pub jitdump: Option<PathBuf>,
}
