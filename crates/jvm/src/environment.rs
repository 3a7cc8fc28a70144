//! Options that the environment gives to every JVM.

use std::process::Command;

/// Variables that the JVM or its launcher takes options from.
const VARIABLES: [&str; 3] = ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"];

/// Takes them away from a JVM: they would change what is measured unseen.
pub fn without_options(command: &mut Command) {
    for variable in VARIABLES {
        command.env_remove(variable);
    }
}

/// Whether one of them has this in it.
pub(crate) fn options_have(part: &str) -> bool {
    let has = |variable: &str| {
        let value = std::env::var_os(variable).unwrap_or_default();
        value.to_string_lossy().contains(part)
    };
    VARIABLES.into_iter().any(has)
}

/// A sentence about each of them that is set here, and not used.
#[must_use]
pub fn unused_options() -> Vec<String> {
    said(|variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty()))
}

/// What is said of those that are set.
fn said(is_set: impl Fn(&str) -> bool) -> Vec<String> {
    let set = VARIABLES.into_iter().filter(|variable| is_set(variable));
    set.map(|variable| format!("{variable} is not used: write its options into the command"))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn what_is_set_is_named() {
        assert_eq!(said(|_| false), [""; 0]);
        let all = said(|variable| variable != "JAVA_TOOL_OPTIONS");
        let of = |name: &str| format!("{name} is not used: write its options into the command");
        assert_eq!(all, [of("JDK_JAVA_OPTIONS"), of("_JAVA_OPTIONS")]);
    }

    #[test]
    fn a_jvm_gets_none_of_them() {
        let mut command = Command::new("java");
        without_options(&mut command);
        let mut removed: Vec<(&OsStr, Option<&OsStr>)> = command.get_envs().collect();
        removed.sort();
        let mut expected = VARIABLES.map(|variable| (OsStr::new(variable), None::<&OsStr>));
        expected.sort();
        assert_eq!(removed, expected);
    }
}
