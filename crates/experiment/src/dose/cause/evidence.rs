//! What is known beside the rows: samples that certainly are missing, and which methods the JVM compiled together.

use std::collections::{BTreeMap, BTreeSet};

use crate::dose::boxing::makes_box;
use crate::dose::jvms::Accused;
use crate::dose::sites::{Compilation, SiteReport};
use crate::dose::{EarlierLook, JvmFacts, Row, ThreadFacts};

/// What is known of all profilers of a test.
pub(in crate::dose) struct Around<'a> {
    /// Of each profiler.
    pub(in crate::dose) known: BTreeMap<String, Known>,
    /// The JVM, with the options of the user's command.
    pub(in crate::dose) jvm: &'a JvmFacts,
    /// In how many threads the program works.
    pub(in crate::dose) threads: Option<&'a ThreadFacts>,
    /// Margin of the verdicts, points of share.
    pub(in crate::dose) margin_pt: f64,
}

/// What is known of a profiler beside its rows.
#[derive(Debug, Clone, Default)]
pub(in crate::dose) struct Known {
    /// Of each row, whether so much of the added time left no sample that this alone makes it wrong.
    pub(in crate::dose) missing: Vec<bool>,
    /// Part of its samples, 0 to 1, that it says it lost.
    pub(in crate::dose) lost_part: f64,
    /// What the JVM compiled together in its JVMs.
    pub(in crate::dose) units: Units,
}

/// Of each row, whether more than the tolerance (a part of the added time) certainly left no sample: in one JVM, or in all together,
/// by the intervals that accuse; `earlier` as in [`Accused::of`].
pub(in crate::dose) fn certainly_missing(
    rows: &[Row],
    in_jvms: &[Vec<Option<Row>>],
    earlier: &EarlierLook,
    tolerance: f64,
) -> Vec<bool> {
    let accused = Accused::of(rows, in_jvms, earlier, tolerance);
    let much = |row: &Row| row.missing.is_some_and(|part| part.low > tolerance);
    let in_one = |at: usize| {
        let each = accused.jvms.iter().filter_map(|jvm| jvm.get(at)?.as_ref());
        each.map(|one| &one.row).any(much)
    };
    (accused.together.iter().enumerate())
        .map(|(at, row)| much(row) || in_one(at))
        .collect()
}

/// Which methods with sites are in one unit, as the JVM says. A JVM that keeps positions at safepoints only does not name an inlined
/// method without any.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::dose) struct Units(BTreeSet<Unit>);

/// Methods with sites in a piece of machine code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    inside: BTreeSet<String>,
    inlined: BTreeSet<String>,
}

/// How two methods are in one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The first is inlined into the second, whose unit it is.
    Within,
    /// Both are in it.
    Beside,
}

impl Units {
    /// From what became of the sites of several processes; `methods`: that of each site, by its number.
    pub(in crate::dose) fn of(reports: &[SiteReport], methods: &[&str]) -> Self {
        let names = |sites: &BTreeSet<u16>| -> BTreeSet<String> {
            let methods = sites.iter().filter_map(|at| methods.get(usize::from(*at)));
            methods.map(|name| (*name).to_owned()).collect()
        };
        let unit = |one: &Compilation| Unit {
            inside: names(&one.inside),
            inlined: names(&one.inlined),
        };
        let all = reports.iter().flat_map(|report| &report.compiled);
        let several = all.map(unit).filter(|unit| unit.inside.len() > 1);
        Self(several.collect())
    }

    /// How the first method is in one unit with the second one; none where it never was.
    pub(super) fn held(&self, method: &str, other: &str) -> Option<Held> {
        let both = |unit: &&Unit| unit.inside.contains(method) && unit.inside.contains(other);
        let within = |unit: &Unit| unit.inlined.contains(method) && !unit.inlined.contains(other);
        let mut all = self.0.iter().filter(both).peekable();
        all.peek()?;
        Some(match all.any(within) {
            true => Held::Within,
            false => Held::Beside,
        })
    }

    /// A method that makes boxes in one unit with this one; none where none was seen, as is usual: most have no site.
    pub(super) fn makes_boxes(&self, method: &str) -> Option<&str> {
        let with = self.0.iter().filter(|unit| unit.inside.contains(method));
        let mut beside = with.flat_map(|unit| &unit.inside).map(String::as_str);
        beside.find(|one| makes_box(one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_one_unit_are_found_and_the_root_is_told_apart() {
        let compiled = |inside: &[u16], inlined: &[u16]| Compilation {
            ns: 1,
            inside: inside.iter().copied().collect(),
            inlined: inlined.iter().copied().collect(),
            revealed: BTreeSet::new(),
        };
        let report = SiteReport {
            // Sites 1 and 2 are in one method; the last site is a clock's.
            compiled: vec![
                compiled(&[0], &[0]),
                compiled(&[1, 2], &[1, 2]),
                compiled(&[0, 1, 2], &[0]),
                compiled(&[0, 3], &[0, 3]),
                compiled(&[2, 3, 4], &[]),
            ],
            ..SiteReport::default()
        };
        let units = Units::of(&[report], &["A.get", "A.put", "A.put", "A.run"]);
        assert_eq!(units.held("A.get", "A.put"), Some(Held::Within));
        assert_eq!(units.held("A.put", "A.get"), Some(Held::Beside));
        assert_eq!(units.held("A.get", "A.run"), Some(Held::Beside));
        assert_eq!(units.held("A.get", "A.tail"), None);
        assert_eq!(Units::default().held("A.get", "A.put"), None);
    }

    #[test]
    fn boxes_are_seen_where_they_are_made_in_the_same_unit() {
        let compiled = |inside: &[u16]| Compilation {
            ns: 1,
            inside: inside.iter().copied().collect(),
            inlined: BTreeSet::new(),
            revealed: BTreeSet::new(),
        };
        let report = SiteReport {
            compiled: vec![compiled(&[0, 2]), compiled(&[1, 3])],
            ..SiteReport::default()
        };
        let makes = "java.lang.Integer.valueOf";
        let units = Units::of(&[report], &["A.get", "A.put", makes, "A.run"]);
        assert_eq!(units.makes_boxes("A.get"), Some(makes));
        assert_eq!(units.makes_boxes("A.put"), None);
    }
}
