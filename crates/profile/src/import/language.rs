//! The language of a function, by the name of its source file.

use super::collapsed::looks_java;
use crate::identity::MethodId;

/// The method of this name, if it is one of Java; where the language is not known, the form of the name decides.
pub(super) fn java_method(name: &str, language: Language) -> Option<MethodId> {
    match language {
        Language::Jvm => MethodId::parse(name),
        Language::Unknown => looks_java(name).then(|| MethodId::parse(name)).flatten(),
        Language::Go | Language::Other => None,
    }
}

/// What a function is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// Java and its relatives: a method of a class.
    Jvm,
    /// Go.
    Go,
    /// Another one that is known, and has no Java methods.
    Other,
    /// The file does not say.
    Unknown,
}

impl Language {
    /// From a path such as `/src/runtime/proc.go`; a profile without files has empty ones.
    pub(super) fn of(file: &str) -> Self {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "java" | "kt" | "kts" | "scala" | "groovy" | "clj" => Self::Jvm,
            "go" | "s" => Self::Go,
            "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "rs" | "py" | "js" | "ts" | "rb" | "php"
            | "cs" | "swift" => Self::Other,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn the_ending_says_the_language() {
        for (file, language) in [
            ("/usr/local/go/src/runtime/proc.go", Language::Go),
            ("com/acme/Main.java", Language::Jvm),
            ("C:\\src\\main.rs", Language::Other),
            ("", Language::Unknown),
            ("/opt/app.jar/Main", Language::Unknown),
        ] {
            assert_eq!(Language::of(file), language, "{file}");
        }
    }
}
