//! `graal-plugin/exports.txt`: the packages of Graal and JVMCI that the plug-in uses. Each line is
//! `module/package`, optionally marked `compile-only` or `run-time`; `#` starts a comment.
//!
//! Graal opens JVMCI (`jdk.internal.vm.ci`) to a plug-in by itself, so those lines are for the compiler only
//! unless marked `run-time`. javac wants JVMCI exported to `jdk.graal.compiler` too, whose own descriptor does
//! not read those packages ("cannot access AMD64").

use super::ToolchainError;

/// Name of the plug-in's automatic module.
pub(super) const PLUGIN_MODULE: &str = "proofmark.graal";
const JVMCI_MODULE: &str = "jdk.internal.vm.ci";

/// One package that the plug-in needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    module: String,
    package: String,
    at_run_time: bool,
}

/// Reads the file.
pub(crate) fn parse(text: &str) -> Result<Vec<Export>, ToolchainError> {
    let mut exports = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let bad = |problem: String| ToolchainError::BadSource {
            file: "graal-plugin/exports.txt".into(),
            line: number + 1,
            problem,
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, mark) = match words.as_slice() {
            [] => continue,
            [name] => (name, None),
            [name, mark] => (name, Some(*mark)),
            _ => return Err(bad("more than `module/package` and a mark".into())),
        };
        let (module, package) = name
            .split_once('/')
            .ok_or_else(|| bad(format!("{name} is not module/package")))?;
        let at_run_time = match mark {
            None => module != JVMCI_MODULE,
            Some("compile-only") => false,
            Some("run-time") => true,
            Some(other) => {
                return Err(bad(format!("{other} is neither compile-only nor run-time")));
            }
        };
        exports.push(Export {
            module: module.into(),
            package: package.into(),
            at_run_time,
        });
    }
    Ok(exports)
}

/// The arguments with which javac compiles the plug-in, and what uses it, as the unnamed module.
pub(crate) fn for_javac(exports: &[Export]) -> Vec<String> {
    let targets = |export: &Export| match export.module == JVMCI_MODULE {
        true => "ALL-UNNAMED,jdk.graal.compiler",
        false => "ALL-UNNAMED",
    };
    let pairs = exports.iter().map(|export| {
        [
            "--add-exports".to_owned(),
            format!("{}/{}={}", export.module, export.package, targets(export)),
        ]
    });
    pairs.flatten().collect()
}

/// The arguments with which java lets the plug-in's module in.
pub(crate) fn for_java(exports: &[Export]) -> Vec<String> {
    at_run_time(exports, PLUGIN_MODULE)
}

/// The arguments with which java lets classes on the class path in.
pub(crate) fn for_class_path(exports: &[Export]) -> Vec<String> {
    at_run_time(exports, "ALL-UNNAMED")
}

fn at_run_time(exports: &[Export], target: &str) -> Vec<String> {
    let needed = exports.iter().filter(|export| export.at_run_time);
    let pairs = needed.map(|export| {
        [
            "--add-exports".to_owned(),
            format!("{}/{}={target}", export.module, export.package),
        ]
    });
    pairs.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Graal\njdk.graal.compiler/jdk.graal.compiler.lir\n\
        jdk.graal.compiler/jdk.graal.compiler.asm compile-only # why\n\njdk.internal.vm.ci/jdk.vm.ci.code\n";

    #[test]
    fn jvmci_is_for_the_compiler_only() {
        let exports = parse(TEXT).unwrap();
        let run_time = [
            "--add-exports",
            "jdk.graal.compiler/jdk.graal.compiler.lir=proofmark.graal",
        ];
        assert_eq!(for_java(&exports), run_time);
        assert_eq!(
            for_class_path(&exports)[1],
            "jdk.graal.compiler/jdk.graal.compiler.lir=ALL-UNNAMED"
        );
        let compile = for_javac(&exports);
        assert_eq!(compile.len(), 6);
        assert_eq!(
            compile[5],
            "jdk.internal.vm.ci/jdk.vm.ci.code=ALL-UNNAMED,jdk.graal.compiler"
        );
        let forced = parse("jdk.internal.vm.ci/jdk.vm.ci.code run-time").unwrap();
        assert_eq!(
            for_java(&forced)[1],
            "jdk.internal.vm.ci/jdk.vm.ci.code=proofmark.graal"
        );
    }

    #[test]
    fn faults_name_their_line() {
        for (text, fault) in [
            ("\nno-slash", "line 2"),
            ("a/b sometimes", "sometimes"),
            ("a/b c d", "more than"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(fault) && error.contains("remedy"), "{error}");
        }
    }
}
