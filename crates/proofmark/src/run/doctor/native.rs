//! What programs in C, C++ and Rust need, among them that of the demo where no JDK will do.

use std::path::PathBuf;

use proofmark_jvm::toolchain::Check;
use proofmark_native::{Language, found_command};
use proofmark_report::{CheckRow, CheckStatus, CommandRow};

/// The check of compiler and assembler.
const COMPILER: &str = "cc";
/// The check of Rust's compiler.
const RUSTC: &str = "rustc";

/// The C compiler, and the assembler that puts sites into objects. Rust needs both too.
pub(super) fn compiler() -> Check {
    let command = Language::C.compiler();
    let compiler = command.split_whitespace().next().unwrap_or(COMPILER);
    let mut tools = vec![(compiler, found_command(compiler))];
    // Clang has one of its own.
    if !compiler.contains("clang") {
        tools.push(("as", found_command("as")));
    }
    found(&tools)
}

/// The compiler of programs in Rust.
pub(super) fn rust() -> Check {
    match found_command(RUSTC) {
        Some(file) => Check::ok(RUSTC, file.display().to_string()),
        None => Check::limited(
            RUSTC,
            "no rustc on PATH",
            "install Rust 1.80 or later, with cargo, to test programs in Rust",
        ),
    }
}

fn found(tools: &[(&str, Option<PathBuf>)]) -> Check {
    let lacking = tools.iter().filter(|(_, file)| file.is_none());
    let lacking: Vec<&str> = lacking.map(|(name, _)| *name).collect();
    if lacking.is_empty() {
        let files = tools.iter().filter_map(|(_, file)| file.as_ref());
        let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
        return Check::ok(COMPILER, files.join(", "));
    }
    Check::limited(
        COMPILER,
        format!("no {} on PATH", lacking.join(", ")),
        "install a C compiler (gcc and binutils), or name yours in PROOFMARK_CC, to test programs in C, C++ and Rust",
    )
}

/// What can be done with native programs. Where something is missing, everything else still works.
pub(super) fn commands(checks: &[CheckRow]) -> [CommandRow; 2] {
    let c = command(checks, &["cc", "c++"], "dose of programs in C and C++");
    [c, command(checks, &[RUSTC], "dose of programs in Rust")]
}

fn command(checks: &[CheckRow], commands: &[&str], what: &str) -> CommandRow {
    let stops = |check: &&CheckRow| match check.name.as_str() {
        RUSTC => commands.contains(&RUSTC) && check.status != CheckStatus::Ok,
        COMPILER | "perf-tool" => check.status != CheckStatus::Ok,
        "perf-permission" => check.status == CheckStatus::Missing,
        _ => false,
    };
    let lacking = checks.iter().filter(stops);
    let lacking: Vec<String> = lacking.map(|check| check.name.clone()).collect();
    let (status, resolution) = match lacking.is_empty() {
        true => (CheckStatus::Ok, what.to_owned()),
        false => (
            CheckStatus::Limited,
            format!("{what}; missing: {}", lacking.join(", ")),
        ),
    };
    CommandRow {
        commands: commands.iter().map(ToString::to_string).collect(),
        status,
        resolution,
        lacking,
    }
}

#[cfg(test)]
mod tests {
    use super::super::row;
    use super::*;

    #[test]
    fn every_tool_that_is_missing_is_named() {
        let cc = || Some(PathBuf::from("/usr/bin/cc"));
        let both = found(&[("cc", cc()), ("as", Some("/usr/bin/as".into()))]);
        assert_eq!(both, Check::ok("cc", "/usr/bin/cc, /usr/bin/as"));
        let one = found(&[("cc", cc()), ("as", None)]);
        assert_eq!(one.detail, "no as on PATH");
        let none = found(&[("cc", None), ("as", None)]);
        assert_eq!(none.detail, "no cc, as on PATH");
    }

    #[test]
    fn without_a_compiler_only_native_programs_are_limited() {
        let there = [
            row(Check::ok("cc", "")),
            row(Check::ok("perf-tool", "")),
            row(Check::limited("perf-permission", "", "")),
        ];
        for row in commands(&there) {
            assert_eq!(row.status, CheckStatus::Ok, "{row:?}");
        }
        let [compiler, perf] = ["cc", "perf-tool"].map(|name| row(Check::limited(name, "", "")));
        let forbidden = row(Check::missing("perf-permission", "", ""));
        let [lacking, _] = commands(&[compiler, perf, forbidden]);
        assert_eq!(lacking.status, CheckStatus::Limited);
        assert_eq!(lacking.lacking, ["cc", "perf-tool", "perf-permission"]);
        // Without rustc programs in C can be tested all the same.
        let [c, rust] = commands(&[row(Check::limited("rustc", "", ""))]);
        assert_eq!(
            (c.status, rust.status),
            (CheckStatus::Ok, CheckStatus::Limited)
        );
        assert_eq!(
            (c.lacking.len(), rust.lacking),
            (0, vec!["rustc".to_owned()])
        );
    }
}
