//! What programs in C, C++ and Rust need, among them that of the demo where no JDK will do.

use std::path::PathBuf;

use proofmark_experiment::doctor::{COMPILER, Check, RUSTC};
use proofmark_native::{Language, found_command};

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

#[cfg(test)]
mod tests {
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
}
