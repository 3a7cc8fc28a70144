//! Which classes are counted.

use proofmark_rewrite::Treatment;

/// How much of a program is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everything that is not the JDK's.
    Application,
    /// Also the JDK's classes, those excepted that the JVM has a hand in.
    Jdk,
}

/// Packages and classes of the JDK that are never counted, with the reason. A name that ends in `/` is a package with
/// all below it, one that ends in `*` stands for all names that begin so.
const EXCLUDED: [(&str, &str); 24] = [
    (
        "java/lang/Object",
        "arrays share its method table, whose length the JVM knows",
    ),
    ("java/lang/Class", "layout and fields known to the JVM"),
    (
        "java/lang/ClassLoader*",
        "the JVM calls it while classes are loaded",
    ),
    ("java/lang/Module*", "the JVM calls it while it starts"),
    ("java/lang/Thread*", "the counting itself uses it"),
    ("java/lang/VirtualThread*", "the counting itself uses it"),
    (
        "java/lang/InheritableThreadLocal*",
        "the counting itself uses it",
    ),
    (
        "java/lang/ScopedValue*",
        "layout and frames known to the JVM",
    ),
    (
        "java/lang/StackWalker*",
        "walks frames, also those of wrappers",
    ),
    (
        "java/lang/StackStreamFactory*",
        "walks frames, also those of wrappers",
    ),
    ("java/lang/StackTraceElement*", "filled by the JVM"),
    ("java/lang/Throwable*", "filled by the JVM"),
    ("java/lang/System*", "the JVM calls it while it starts"),
    ("java/lang/Shutdown*", "the JVM calls it while it ends"),
    ("java/lang/Runtime", "the JVM calls it while it ends"),
    ("java/lang/Proofmark", "the counting itself"),
    ("java/lang/invoke/", "linked by the JVM, frames known to it"),
    ("java/lang/ref/", "the collector and the JVM call it"),
    ("java/lang/reflect/", "looks for callers by their depth"),
    ("java/lang/foreign/", "frames known to the JVM"),
    ("java/lang/constant/", "used while invokedynamic is linked"),
    ("java/security/", "looks for callers by their depth"),
    (
        "jdk/",
        "internal: called by the JVM, or looks for callers by their depth",
    ),
    (
        "sun/",
        "internal: called by the JVM, or looks for callers by their depth",
    ),
];

/// How a class of the JDK is treated when the JDK is counted; excluded ones pass calls on that reach them.
pub(crate) fn jdk_treatment(class: &str) -> Treatment {
    if class == "java/lang/Object" || class.starts_with("java/lang/Proofmark") {
        return Treatment::Not;
    }
    if why_excluded(class).is_some() {
        Treatment::Bridges
    } else {
        Treatment::Copy
    }
}

/// Why a class of the JDK is never counted; none if it is.
pub(crate) fn why_excluded(class: &str) -> Option<&'static str> {
    let mut all = EXCLUDED.iter();
    let row = all.find(|(pattern, _)| matches(pattern, class));
    row.map(|(_, reason)| *reason)
}

fn matches(pattern: &str, class: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => class.starts_with(start),
        None if pattern.ends_with('/') => class.starts_with(pattern),
        None => {
            let rest = class.strip_prefix(pattern);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusions_are_names_packages_and_beginnings() {
        for class in [
            "java/lang/Class",
            "java/lang/Class$1",
            "java/lang/ThreadLocal",
            "sun/nio/x/Y",
        ] {
            assert_eq!(jdk_treatment(class), Treatment::Bridges, "{class}");
        }
        for class in [
            "java/lang/ClassCastException",
            "java/lang/RuntimeException",
            "java/util/HashMap",
            "java/lang/String",
        ] {
            assert_eq!(jdk_treatment(class), Treatment::Copy, "{class}");
        }
        assert_eq!(jdk_treatment("java/lang/Object"), Treatment::Not);
        let why = why_excluded("java/lang/Throwable$1");
        assert_eq!(why, Some("filled by the JVM"));
        assert_eq!(why_excluded("java/lang/Math"), None);
    }
}
