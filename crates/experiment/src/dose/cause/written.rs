//! How a cause is read. Documents of earlier versions say in words alone what is named beside the words today.

use serde::{Deserialize, Deserializer};

use super::{RowCause, RowCauseKind};

/// What those versions wrote where a known fault of C2 may be why.
const BOXING_FAULT: &str = "start the JVM with -XX:-EliminateAutoBox";
/// How they wrote into which method one is inlined: `inlining: A.get is inlined into A.run, in a JVM of async`.
const INLINING: &str = "inlining: ";
const INTO: &str = " is inlined into ";
const WHOSE: &str = ", in a JVM of ";

/// As it stands in a document.
#[derive(Deserialize)]
struct Written {
    kinds: Vec<RowCauseKind>,
    says: String,
    /// None in documents of those versions.
    boxing_fault: Option<bool>,
    inlined_into: Option<String>,
}

impl<'de> Deserialize<'de> for RowCause {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(from)?;
        let (boxing_fault, inlined_into) = match written.boxing_fault {
            Some(known) => (known, written.inlined_into),
            None => (
                written.says.contains(BOXING_FAULT),
                inlined_into(&written.says),
            ),
        };
        Ok(Self {
            kinds: written.kinds,
            says: written.says,
            boxing_fault,
            inlined_into,
        })
    }
}

/// The method into which the row's one is inlined, by the words of those versions.
fn inlined_into(says: &str) -> Option<String> {
    let mut causes = says.split("; ");
    let inlining = causes.find_map(|one| one.strip_prefix(INLINING))?;
    let (_, into) = inlining.split_once(INTO)?;
    let into = into.split_once(WHOSE).map_or(into, |(into, _)| into);
    Some(into.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(says: &str) -> RowCause {
        let json = serde_json::json!({"kinds": ["jit_debug_info", "inlining"], "says": says});
        serde_json::from_value(json).expect("a cause")
    }

    #[test]
    fn words_of_earlier_documents_are_understood() {
        let says = "wrong debug information of the JIT compiler: async and jfr+nonsafepoints have all of it and charge Boxed.order (a known \
                    fault of the compiler C2 does this to code that is compiled together, if it boxes numbers: start the JVM with \
                    -XX:-EliminateAutoBox, which was not tried); inlining: Boxed.mix is inlined into Boxed.order, in a JVM of async; it \
                    differs from JVM to JVM: right in 2 and wrong in 2 JVMs";
        let cause = read(says);
        assert!(cause.boxing_fault);
        assert_eq!(cause.inlined_into.as_deref(), Some("Boxed.order"));
        let says = "wrong debug information of the JIT compiler: async and jfr+nonsafepoints have all of it and charge A.run; inlining: A.get \
                    and A.run are in one piece of machine code";
        let cause = read(says);
        assert!(!cause.boxing_fault);
        assert_eq!(cause.inlined_into, None);
    }

    /// Words may change without another meaning.
    #[test]
    fn words_say_nothing_where_what_they_mean_is_named() {
        let cause = RowCause {
            kinds: vec![RowCauseKind::JitDebugInfo],
            says: format!("{BOXING_FAULT}; {INLINING}A.get{INTO}A.run"),
            ..RowCause::default()
        };
        let named = RowCause {
            boxing_fault: true,
            inlined_into: Some("A.run".into()),
            ..RowCause::default()
        };
        for cause in [cause, named] {
            let json = serde_json::to_value(&cause).expect("JSON");
            let back: RowCause = serde_json::from_value(json).expect("a cause");
            assert_eq!(back, cause);
        }
    }
}
