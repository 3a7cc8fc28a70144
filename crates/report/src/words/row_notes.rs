//! Notes behind a row, and what each sort of them means.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{AttributionRow, DoseResult};

use super::sites::{of_each_jvm, truth};
use crate::number::count;

/// Said of a row whose added loop shows where the method's own code may not.
pub(crate) const REVEALS_ITSELF: &str = "even a blind profiler would see this loop";

/// `no row in 1 of 4 JVMs`, where the method could not be measured in some; none where it was in all.
pub(crate) fn no_row(row: &AttributionRow) -> Option<String> {
    let lacking = row.unknown_runs;
    let all = lacking + row.jvms.total();
    (lacking > 0).then(|| match row.jvms.total() {
        // JVMs are not told apart.
        0 => format!("no row in {}", count(lacking as u64, "run")),
        _ => format!("no row in {lacking} of {all} JVMs"),
    })
}

/// A sort of note: whether a row has one with this margin (points of share), how it is recognised, what it means.
struct Sort {
    occurs: fn(&AttributionRow, f64) -> bool,
    form: &'static str,
    means: &'static str,
}

static SORTS: [Sort; 13] = [
    Sort {
        occurs: |row, _| row.elsewhere.iter().any(|to| to.pct.value > 0.0),
        form: "a method with a percentage",
        means: "that much of the added time is reported in it instead",
    },
    Sort {
        occurs: |row, _| row.other_pct.value >= 2.0 && !row.other_pct.covers(0.0),
        form: "in no Java method",
        means: "reported in code that belongs to none, such as that of libraries",
    },
    Sort {
        occurs: |row, _| super::missing(row).is_some(),
        form: "no sample of",
        means: "that much of the added time left no sample at all",
    },
    Sort {
        occurs: |row, _| of_each_jvm(row).is_some(),
        form: "several figures for one row",
        means: "one of each JVM, because some JVMs are right and others wrong",
    },
    Sort {
        occurs: |row, _| row.jvms.total() > 1 && row.jvms.right < row.jvms.total(),
        form: "in so many JVMs",
        means: "each JVM is also judged by itself, and a row is wrong if one of them is wrong for certain",
    },
    Sort {
        occurs: |row, _| {
            let jvms = row.jvms;
            row.verdict == Verdict::Undecided && jvms.total() > 1 && jvms.undecided == 0
        },
        form: "undecided over so many JVMs",
        means: "each JVM says something by itself, and all of them together do not",
    },
    Sort {
        occurs: |row, _| no_row(row).is_some(),
        form: "no row in",
        means: "the method could not be measured there; figures are means over the others",
    },
    Sort {
        occurs: |row, _| row.void_windows > 0,
        form: "windows discarded (recompiled)",
        means: "the JVM compiled a method with a site meanwhile; they were measured again",
    },
    Sort {
        occurs: |row, _| row.reveals_itself == Some(true),
        form: REVEALS_ITSELF,
        means: "the row says less about the method's own code",
    },
    Sort {
        occurs: |row, margin_pt| truth(row, margin_pt).is_some(),
        form: "accepted here",
        means: "what a right profiler may report in the method, where that is not simply 100 %",
    },
    Sort {
        occurs: |row, _| super::own_share(row).is_some(),
        form: "the site alone",
        means: "by its mere code, before it adds time; % of the Java time, and no verdict rests on it",
    },
    Sort {
        occurs: |row, _| row.is_void(),
        form: "not counted",
        means: "no verdict rests on this row",
    },
    Sort {
        occurs: |row, _| !row.is_void() && row.small_pt.is_some(),
        form: "too small to matter",
        means: "too little of the time is in the method, or can be misplaced there, to change the verdict",
    },
];

/// Sorts of notes that rows of the result have, each with what it means.
pub(crate) fn sorts(result: &DoseResult) -> Vec<(&'static str, &'static str)> {
    let occurs = |sort: &&Sort| {
        let mut rows = result.attribution.values().flat_map(|one| &one.rows);
        rows.any(|row| (sort.occurs)(row, result.margin_pt))
    };
    let found = SORTS.iter().filter(occurs);
    found.map(|sort| (sort.form, sort.means)).collect()
}
