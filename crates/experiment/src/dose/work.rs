//! With which kinds of work a profiler was tested, and with which it was not.
//!
//! Sites of one kind say nothing of another: a profiler that finds arithmetic where it is may charge a copy, which a stub of
//! the JVM does, to whoever called. That sites certify it must not be read as more than it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::advice::listed;
use super::{AttributionRow, DoseKind};

/// Kinds whose time is spent in code that belongs to no method: stubs of the JVM, functions of libraries.
const OF_STUBS: [DoseKind; 2] = [DoseKind::Copy, DoseKind::Fill];

/// What a certificate of sites speaks of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkTested {
    /// Kinds of work at the sites with a row (`arithmetic`, `copy`). Empty without rows, with the vehicle `blocks`, whose
    /// rows are of the program's own code, and in documents of earlier versions.
    pub tested: Vec<String>,
    /// Kinds that sites could have done and did not: of these nothing is known.
    pub not_tested: Vec<String>,
}

impl WorkTested {
    /// Of these rows.
    #[must_use]
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a AttributionRow>) -> Self {
        let met: Vec<&str> = rows.into_iter().map(|row| row.kind.as_str()).collect();
        let names = DoseKind::ALL.map(DoseKind::name).into_iter();
        let (tested, not_tested): (Vec<&str>, Vec<&str>) =
            names.partition(|name| met.contains(name));
        if tested.is_empty() {
            return Self::default();
        }
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        Self {
            tested: owned(tested),
            not_tested: owned(not_tested),
        }
    }

    /// `arithmetic only; copy and fill, which run in stubs of the JVM or in libraries, were not tested`; none
    /// without sites.
    #[must_use]
    pub fn says(&self) -> Option<String> {
        if self.tested.is_empty() {
            return None;
        }
        let tested: Vec<&str> = self.tested.iter().map(String::as_str).collect();
        let only = match self.not_tested.is_empty() {
            true => "",
            false => " only",
        };
        let said = format!("{}{only}", listed(&tested));
        let open = OF_STUBS.map(DoseKind::name).into_iter();
        let open = open.filter(|name| self.not_tested.iter().any(|one| one == name));
        let open: Vec<&str> = open.collect();
        Some(match open.as_slice() {
            [] => said,
            [one] => format!(
                "{said}; {one}, which runs in stubs of the JVM or in libraries, was not tested"
            ),
            all => format!(
                "{said}; {}, which run in stubs of the JVM or in libraries, were not tested",
                listed(all)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use proofmark_assess::Verdict;

    use super::*;
    use crate::dose::tests::attribution;

    fn of(kinds: &[&str]) -> WorkTested {
        let row = |kind: &&str| AttributionRow {
            kind: (*kind).to_owned(),
            ..attribution(Verdict::Right, 100.0, "B.place").rows.remove(0)
        };
        let rows: Vec<AttributionRow> = kinds.iter().map(row).collect();
        WorkTested::of(&rows)
    }

    #[test]
    fn a_certificate_says_what_it_does_not_speak_of() {
        let usual = of(&["arithmetic", "arithmetic"]);
        assert_eq!(usual.tested, ["arithmetic"]);
        assert!(usual.not_tested.contains(&"copy".to_owned()));
        assert_eq!(
            usual.says().expect("sites"),
            "arithmetic only; copy and fill, which run in stubs of the JVM or in libraries, were not tested"
        );
        let copies = of(&["copy", "arithmetic"]).says().expect("sites");
        assert!(copies.starts_with("arithmetic and copy only; fill, which runs in"));
        assert!(!of(&["copy"]).not_tested.contains(&"copy".to_owned()));
        let all = of(&DoseKind::ALL.map(DoseKind::name));
        assert!(all.not_tested.is_empty() && !all.says().expect("sites").contains("only"));
    }

    #[test]
    fn blocks_are_the_programs_own_code_and_certify_no_kind() {
        for none in [of(&["26 blocks", "block 3"]), of(&[])] {
            assert_eq!(none, WorkTested::default());
            assert_eq!(none.says(), None);
        }
    }
}
